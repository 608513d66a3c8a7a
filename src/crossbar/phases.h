/* SPDX-License-Identifier: Apache-2.0 */
/* The phases of a state that does not recur. While a queue drains, the behaviour of a switch
 * repeats (recur.h); when the queue is empty, another repetition begins, in which that queue grows
 * again and another one drains. The length of such phases can grow without bound. A phase is
 * counted without being run, so that many phases can be examined; each is as certain as a state
 * that recurs. */
#ifndef WEFT_CROSSBAR_PHASES_H
#define WEFT_CROSSBAR_PHASES_H

#include "crossbar/steady.h"

#define WEFT_PHASES_MAX 64

typedef struct weft_xbar_phase {
    weft_xbar_share share; /* of one repetition */
    uint64_t slots;        /* slots counted without being run */
    uint64_t at;           /* slot at which it ended */
    double average;        /* of all slots up to `at` */
} weft_xbar_phase;

typedef struct weft_xbar_phases {
    uint32_t n_phases;
    weft_xbar_phase phases[WEFT_PHASES_MAX];
    /* Length of a phase relative to the previous phase of the same share; 0: unknown. */
    double growth;
    double least, most; /* of the average over all slots, since the last doubling of the slots */
    bool recurs;        /* the last phase lasts for ever: the state recurs after all */
} weft_xbar_phases;

/* Runs a switch with periodic arrivals for `slots` slots or WEFT_PHASES_MAX phases. */
void weft_xbar_phases_find(weft_xbar_switch *it, weft_xbar_arrivals *arrivals, uint64_t slots,
                           weft_xbar_phases *phases);

#endif
