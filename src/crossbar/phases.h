/* SPDX-License-Identifier: Apache-2.0 */
/* Why a state does not recur. While a queue drains, what a switch does repeats itself (recur.h);
 * when the queue is empty it falls into another repetition, in which that queue grows again and
 * another one drains. Such phases can become longer for ever. A phase is counted without being
 * run, so that many of them can be seen; each is as certain as a state that recurs. */
#ifndef WEFT_CROSSBAR_PHASES_H
#define WEFT_CROSSBAR_PHASES_H

#include "crossbar/steady.h"

#define WEFT_PHASES_MAX 64

typedef struct weft_xbar_phase {
    weft_xbar_share share; /* of one repetition */
    uint64_t slots;        /* that were counted without being run */
    uint64_t at;           /* the slot it ended at */
    double average;        /* of all slots until then */
} weft_xbar_phase;

typedef struct weft_xbar_phases {
    uint32_t n_phases; /* phases seen; the last WEFT_PHASES_MAX are kept */
    weft_xbar_phase phases[WEFT_PHASES_MAX];
    /* how much longer a phase is than the one of the same share before it; 0: unknown */
    double growth;
    double least, most; /* of the average over all slots, since the slot number doubled last */
    bool recurs;        /* after all: the last phase lasts for ever */
} weft_xbar_phases;

/* Runs a switch, periodic arrivals, until `slots` were run or WEFT_PHASES_MAX phases were seen. */
void weft_xbar_phases_find(weft_xbar_switch *it, weft_xbar_arrivals *arrivals, uint64_t slots,
                           weft_xbar_phases *phases);

#endif
