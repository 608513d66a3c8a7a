/* SPDX-License-Identifier: Apache-2.0 */
/* Throughput bounds of a network without a simulation: the greatest load that it can accept in
 * full, and the first bottleneck; and the path of a packet in an empty network.
 *
 * A load here scales all traffic of the scenario in its own proportions, as a fraction of the
 * endpoints' bandwidth. Above the bound some queue grows without limit, whatever routers do; pairs
 * that avoid the overloaded resource may still get through. */
#ifndef WEFT_ANALYSIS_BOUNDS_BOUNDS_H
#define WEFT_ANALYSIS_BOUNDS_BOUNDS_H

#include "analysis/bounds/channel_load.h"
#include "analysis/bounds/cuts.h"

typedef enum weft_bound {
    WEFT_BOUND_INJECTION, /* an endpoint cannot send more */
    WEFT_BOUND_EJECTION,  /* an endpoint cannot receive more */
    WEFT_BOUND_LINK,      /* a link is saturated */
    WEFT_BOUND_DIMENSION, /* links along a dimension are, for any choice of minimal routes */
    WEFT_BOUND_CUT,       /* links between two parts of the network are, for any routes */
    WEFT_BOUND_BISECTION, /* links between its halves are, under uniform traffic */
    WEFT_BOUND_CAPACITY,  /* all links are */
    WEFT_BOUNDS
} weft_bound;

#define WEFT_BOUNDS_QUICK \
    ((uint64_t)10000000) /* hops to examine beside a simulation, in a fraction of a second … */
#define WEFT_BOUNDS_LONG ((uint64_t)200000000) /* … and without one */

typedef struct weft_bounds_plan {
    double sending, receiving; /* ticks that a flit occupies an endpoint; 0: no limit */
    uint64_t budget;
    const weft_router_partition *partition; /* an additional partition for cuts; NULL: none */
} weft_bounds_plan;

typedef struct weft_bounds {
    weft_channel_load load;
    weft_cut cut;
    double of[WEFT_BOUNDS]; /* load; 0: none, or unknown */
    double throughput;      /* the least of them; 0: none */
    weft_bound binding;
    /* True if throughput follows from all routes and destinations; else it is an estimate from a
     * random sample of them. */
    bool exact;
    double proven; /* the least bound that is not an estimate; 0: none */
} weft_bounds;

void weft_bounds_find(weft_bounds *bounds, const weft_network *network,
                      const weft_bounds_plan *plan);

/* "channel load", "injection", … */
extern const char *const weft_bound_names[WEFT_BOUNDS];

#endif
