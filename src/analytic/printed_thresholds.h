/* SPDX-License-Identifier: Apache-2.0 */
/* The formulas of the thesis for ET (one threshold, (5.9)–(5.20)) and AJT (several,
 * (5.34)–(5.45)), evaluated as printed. For comparison only: docs/theory/threshold-queues.md lists
 * their errors. */
#ifndef WEFT_ANALYTIC_PRINTED_THRESHOLDS_H
#define WEFT_ANALYTIC_PRINTED_THRESHOLDS_H

#include "analytic/ge_queue.h"

typedef struct weft_printed_thresholds {
    double rho;         /* (5.19), (5.44) */
    double packets;     /* (5.20), (5.45) */
    double with_rho;    /* (5.45) with the factor ρ_i that its L_i lack */
    double utilisation; /* 1 − P(0) */
    double full, y;     /* P(K) and its coefficient */
    double x2, g2;      /* (5.16), (5.17); ET only */
    double sum;         /* of all P(n) */
    bool valid; /* the P(n) are probabilities and sum to 1, and packets do not exceed the room */
} weft_printed_thresholds;

/* `vc` is N, the room of one VC. The queue must have at least one threshold, and λ ≠ every μ. */
weft_printed_thresholds weft_printed_thresholds_of(const weft_ge_queue *queue, uint32_t vc);

#endif
