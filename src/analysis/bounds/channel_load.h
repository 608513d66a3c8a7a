/* SPDX-License-Identifier: Apache-2.0 */
/* Channel loads without a simulation, from the routes of all communicating pairs of routers (Dally
 * and Towles 2004, chapter 3). Exact for oblivious routings, unless destinations or routes are
 * drawn. Under adaptive routing the load of a single link is undefined, but along a dimension of a
 * lattice all minimal routes have the same hops, so links that share one port and one coordinate
 * along its dimension are taken together.
 *
 * Where a lattice, its routes and its traffic are translation-invariant, the packets of one router
 * suffice. */
#ifndef WEFT_ANALYSIS_BOUNDS_CHANNEL_LOAD_H
#define WEFT_ANALYSIS_BOUNDS_CHANNEL_LOAD_H

#include "analysis/bounds/mean_path.h"

typedef enum weft_fold {
    WEFT_FOLD_NONE,  /* every link on its own */
    WEFT_FOLD_PORTS, /* all links of one port, which have equal load */
    /* All links of one port at one coordinate along its dimension: their mean or, if `whole`, the
     * load that each of them has. */
    WEFT_FOLD_SLABS,
    WEFT_FOLD_ORBITS /* links of one port at equivalent routers, which have equal load */
} weft_fold;

typedef struct weft_channel_load { /* at the rates of the scenario */
    bool known;                    /* false: the work would exceed the budget … */
    uint64_t pairs;                /* … for this number of pairs of routers */
    bool exact;                    /* else: estimated from random destinations or routes */
    bool ends_exact;               /* the same for `sends` and `receives`, which need no routes */
    /* False: adaptive classes are left out; loads are those of the others, or of links taken
     * together. */
    bool whole;
    weft_fold fold;
    /* Utilisation of the busiest link (or of links taken together); above 1: overloaded; 0:
     * unknown. */
    double busiest;
    /* That link, or one of the links taken together. */
    uint32_t router;
    uint32_t port;
    /* Flits per tick of the busiest sender and receiver, and that receiver. */
    double sends, receives;
    uint32_t receiver;
    weft_mean_path path[WEFT_CLASSES_MAX];
} weft_channel_load;

/* True if all links of one port are known to have the same part in the routes of a routing, as on a
 * translation-invariant lattice. */
bool weft_channel_alike(const weft_routing *routing);
/* budget: hops and destinations to examine at most. */
void weft_channel_load_find(weft_channel_load *load, const weft_network *network, uint64_t budget);
/* The same, by the routes of all pairs (of one source where all are alike) and nothing else. */
void weft_channel_load_walk(weft_channel_load *load, const weft_network *network, uint64_t budget);

#endif
