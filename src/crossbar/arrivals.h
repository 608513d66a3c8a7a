/* SPDX-License-Identifier: Apache-2.0 */
/* Arrivals at the inputs of a switch: at most one cell per input and slot, for one output.
 *
 * Periodic arrivals are a table: some slots that occur once, then a period for ever. Random
 * arrivals are drawn slot by slot, a pure function of (seed, slot). Covering deviations measure how
 * evenly a flow is spread over a sequence. */
#ifndef WEFT_CROSSBAR_ARRIVALS_H
#define WEFT_CROSSBAR_ARRIVALS_H

#include "crossbar/matrix.h"

/* The output of a cell. */
typedef uint16_t weft_xbar_target;
#define WEFT_IDLE UINT16_MAX /* no cell */

/* cell[i × n + j] cells of every `period` slots go from i to j; no row or column sum exceeds
 * `period`. */
typedef struct weft_xbar_workload {
    uint32_t n, period;
    const uint32_t *cell;
} weft_xbar_workload;

typedef enum weft_xbar_input {
    WEFT_INPUT_SMOOTHED,  /* as even as possible (sMUX) */
    WEFT_INPUT_CLUSTERED, /* all cells of a flow together: 0 0 0 1 1 2 */
    WEFT_INPUT_BURSTY,    /* smoothed, every cell repeated: 0 0 1 1 0 0 1 1 0 0 2 2 */
    WEFT_INPUT_BERNOULLI, /* independent draws in every slot */
    WEFT_INPUT_ON_OFF     /* bursts of random length for one output, then idle periods */
} weft_xbar_input;

typedef struct weft_xbar_arrivals_options {
    weft_xbar_input input;
    uint32_t burst;        /* BURSTY: repetitions; ON_OFF: mean cells of a burst; ≥ 1 */
    const uint32_t *start; /* SMOOTHED: first slot of each flow, n × n; NULL: 0 */
    uint64_t seed;
} weft_xbar_arrivals_options;

typedef struct weft_xbar_arrivals {
    uint32_t n;
    bool drawn;
    uint32_t lead, period; /* slots that occur once; slots that repeat */
    weft_xbar_target *at;  /* (lead + period) × n outputs; drawn: period × n, to draw from */
    /* drawn */
    uint64_t seed;
    uint32_t burst;        /* 0: Bernoulli */
    weft_xbar_target *now; /* n, on-off: output of an input's present burst; WEFT_IDLE: none */
} weft_xbar_arrivals;

/* Slots after which an input's arrivals repeat: bursts make it longer. */
uint64_t weft_xbar_arrivals_period(const weft_xbar_workload *workload,
                                   const weft_xbar_arrivals_options *options);
/* Fails if the table would be too large; cells are not looked at. */
WEFT_MUST_USE weft_status weft_xbar_arrivals_check(const weft_xbar_workload *workload,
                                                   const weft_xbar_arrivals_options *options,
                                                   weft_error *err);
/* The same, and makes it. */
WEFT_MUST_USE weft_status weft_xbar_arrivals_init(weft_xbar_arrivals *arrivals,
                                                  const weft_xbar_workload *workload,
                                                  const weft_xbar_arrivals_options *options,
                                                  weft_error *err);
void weft_xbar_arrivals_done(weft_xbar_arrivals *arrivals);
/* The n outputs of slot t, valid until the next call. Calls must be in ascending order of t; `room`
 * holds n outputs. */
const weft_xbar_target *weft_xbar_arrivals_slot(weft_xbar_arrivals *arrivals, uint64_t t,
                                                weft_xbar_target *room);

/* Writes `slots` outputs of one input (a row of cells) to every stride-th place of sequence. */
void weft_xbar_smux(uint32_t n, const uint32_t *row, uint32_t period, const uint32_t *start,
                    uint64_t slots, weft_xbar_target *sequence, size_t stride);

/* Covering deviations: the deviation from even spacing of the least and the greatest number of
 * cells of flow j in any interval of a periodic sequence: max(⌊l w⌋ − cvr(l)) and
 * max(CVR(l) − ⌈l w⌉), where w is its share of the period. */
typedef struct weft_xbar_covering {
    uint32_t sparse, dense;
} weft_xbar_covering;
weft_xbar_covering weft_xbar_covering_of(const weft_xbar_target *sequence, uint32_t period,
                                         size_t stride, uint32_t j);

#endif
