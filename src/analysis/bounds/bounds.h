/* SPDX-License-Identifier: Apache-2.0 */
/* What theory knows of a network before it runs: the greatest load that it can carry whole, and
 * what is in its way first; and how far a packet goes when it is alone.
 *
 * A load here is a multiple of all traffic of the scenario in its own proportions, as a fraction
 * of the endpoints' bandwidth. Above the bound something waits longer and longer, whatever
 * routers do; pairs that do not need what is overloaded may still get through. */
#ifndef WEFT_ANALYSIS_BOUNDS_BOUNDS_H
#define WEFT_ANALYSIS_BOUNDS_BOUNDS_H

#include "analysis/bounds/channel_load.h"
#include "analysis/bounds/cuts.h"

typedef enum weft_bound {
    WEFT_BOUND_INJECTION, /* an endpoint cannot send more */
    WEFT_BOUND_EJECTION,  /* … or receive */
    WEFT_BOUND_LINK,      /* a link is always busy */
    WEFT_BOUND_DIMENSION, /* links along a dimension are, whichever minimal routes are taken */
    WEFT_BOUND_CUT, /* links between two parts of the network are, whichever routes are taken */
    WEFT_BOUND_BISECTION, /* … between its halves, under uniform traffic */
    WEFT_BOUND_CAPACITY,  /* all links are */
    WEFT_BOUNDS
} weft_bound;

#define WEFT_BOUNDS_QUICK \
    ((uint64_t)10000000) /* hops to look at beside a simulation, a fraction of a second … */
#define WEFT_BOUNDS_LONG ((uint64_t)200000000) /* … and when that is all to be done */

typedef struct weft_bounds_plan {
    double sending, receiving; /* ticks that a flit keeps an endpoint busy; 0: no limit */
    uint64_t budget;
    const weft_router_partition *partition; /* one more to cut by; NULL: none */
} weft_bounds_plan;

typedef struct weft_bounds {
    weft_channel_load load;
    weft_cut cut;
    double of[WEFT_BOUNDS]; /* load; 0: there is none, or it is not known */
    double throughput;      /* the least of them; 0: there is none */
    weft_bound binding;
    /* throughput follows from all routes and destinations; else from some that were drawn: an
     * estimate */
    bool exact;
    double proven; /* the least of those that are no estimates; 0: there is none */
} weft_bounds;

void weft_bounds_find(weft_bounds *bounds, const weft_network *network,
                      const weft_bounds_plan *plan);

/* "channel load", "injection", … */
extern const char *const weft_bound_names[WEFT_BOUNDS];

#endif
