/* SPDX-License-Identifier: Apache-2.0 */
/* The throughput of a switch in its steady state: as a fraction, where the input is periodic and
 * the state of the switch recurs (recur.h); between the least and the greatest average of a
 * window otherwise. */
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
    uint64_t cap; /* slots that are run at most, in whole windows (weft_xbar_steady_window); for
                     WEFT_STOP_PAPER 200,000 whatever it says */
} weft_xbar_steady_options;

/* served cells in slots slots, of n × slots that could have been. */
typedef struct weft_xbar_share {
    uint64_t served, slots;
} weft_xbar_share;

typedef struct weft_xbar_steady {
    bool exact;
    weft_xbar_share share; /* exact: of a period; else of all windows that were measured */
    weft_xbar_share least,
        most;       /* not exact: of the windows with the least and the greatest share */
    uint64_t began; /* exact: a slot by which the period had begun */
    uint64_t run;   /* slots that were run */
} weft_xbar_steady;

/* Runs a switch from its reset on. With random arrivals or schedulers nothing recurs. */
void weft_xbar_steady_run(weft_xbar_switch *it, weft_xbar_arrivals *arrivals,
                          const weft_xbar_steady_options *options, weft_xbar_steady *steady);

/* Periods of a window, of which there are 16 up to the cap; the last 8 are measured. */
uint64_t weft_xbar_steady_window(uint64_t cap, uint32_t period);
/* Slots that a run takes if nothing recurs, and none come once. */
uint64_t weft_xbar_steady_slots(const weft_xbar_steady_options *options, uint32_t period);
/* Adds a window to what was measured. */
void weft_xbar_steady_book(weft_xbar_steady *steady, weft_xbar_share window);

#endif
