/* SPDX-License-Identifier: Apache-2.0 */
/* The throughput of a switch in its steady state: an exact fraction if the input is periodic and
 * the state of the switch recurs (recur.h), else an interval from the least to the greatest average
 * of a window. */
#ifndef WEFT_CROSSBAR_STEADY_H
#define WEFT_CROSSBAR_STEADY_H

#include "crossbar/switch.h"

typedef enum weft_xbar_stop {
    WEFT_STOP_EXACT, /* when the state recurs, or at the cap */
    WEFT_STOP_CAP,   /* at the cap */
    WEFT_STOP_PAPER  /* five averages of 2,000 slots within 0.001, from slot 40,000 to 200,000 */
} weft_xbar_stop;

typedef struct weft_xbar_steady_options {
    weft_xbar_stop stop;
    /* Maximum number of slots, in whole windows (weft_xbar_steady_window); ignored with
     * WEFT_STOP_PAPER, which has 200,000. */
    uint64_t cap;
} weft_xbar_steady_options;

/* `served` cells in `slots` slots, out of n × slots possible ones. */
typedef struct weft_xbar_share {
    uint64_t served, slots;
} weft_xbar_share;

typedef struct weft_xbar_steady {
    bool exact;
    weft_xbar_share share; /* exact: of a period; else of all measured windows */
    /* Not exact: of the windows with the least and the greatest share. */
    weft_xbar_share least, most;
    uint64_t began; /* exact: a slot by which the period had begun */
    uint64_t run;   /* slots run */
} weft_xbar_steady;

/* Runs a switch from reset. With random arrivals or schedulers nothing recurs. */
void weft_xbar_steady_run(weft_xbar_switch *it, weft_xbar_arrivals *arrivals,
                          const weft_xbar_steady_options *options, weft_xbar_steady *steady);

/* Periods per window. There are 16 windows up to the cap; the last 8 are measured. */
uint64_t weft_xbar_steady_window(uint64_t cap, uint32_t period);
/* Slots of a run if nothing recurs, and no slots occur only once. */
uint64_t weft_xbar_steady_slots(const weft_xbar_steady_options *options, uint32_t period);
/* Adds a measured window. */
void weft_xbar_steady_book(weft_xbar_steady *steady, weft_xbar_share window);

#endif
