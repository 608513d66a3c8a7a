/* SPDX-License-Identifier: Apache-2.0 */
/* How busy links are, before anything runs: all pairs of routers that send to each other, all
 * their routes (Dally and Towles 2004, chapter 3). Exact where a routing looks at nothing; where
 * it adapts, no link has a load of its own, but along a dimension of a lattice all minimal
 * routes have the same hops, so links are taken together that share one port and one coordinate
 * along its dimension.
 *
 * Where a lattice, its routes and its traffic look the same from everywhere, one router's
 * packets say all. */
#ifndef WEFT_ANALYSIS_BOUNDS_CHANNEL_LOAD_H
#define WEFT_ANALYSIS_BOUNDS_CHANNEL_LOAD_H

#include "net/network.h"

typedef enum weft_fold {
    WEFT_FOLD_NONE,  /* every link on its own */
    WEFT_FOLD_PORTS, /* all links of one port: they are alike */
    WEFT_FOLD_SLABS  /* all links of one port at one coordinate along its dimension: their mean */
} weft_fold;

/* How a flow's packets go from link to link, on average: link[a][b] times a packet goes on by a
 * link of class b after one of class a; WEFT_LINK_HOST is where it comes from and goes to. In a
 * network that is empty but for it. */
typedef struct weft_mean_path {
    bool known;
    bool exact; /* else: as drawn destinations or routes have it */
    double link[WEFT_LINK_CLASSES][WEFT_LINK_CLASSES];
} weft_mean_path;

typedef struct weft_channel_load { /* at the rates of the scenario */
    bool known;                    /* false: it would have been more work than allowed … */
    uint64_t pairs;                /* … for so many pairs of routers */
    bool exact;                    /* else: of destinations or routes that were drawn */
    bool ends_exact;               /* the same of `sends` and `receives`, which know no routes */
    /* false: some flows adapt, and are not in; of the others, or of links taken together */
    bool whole;
    weft_fold fold;
    double busiest;  /* share of the time, > 1: more than it can carry; 0: nothing is known */
    uint32_t router; /* … of which link (or one of the links taken together) */
    uint32_t port;
    double sends, receives; /* flits per tick of the busiest endpoint … */
    uint32_t receiver;      /* … which */
    weft_mean_path path[WEFT_CLASSES_MAX];
} weft_channel_load;

/* Do all links of one port have the same part in the routes of a routing? So on a lattice that
 * looks the same from everywhere, as far as it is known. */
bool weft_channel_alike(const weft_routing *routing);
/* budget: hops and destinations that may be looked at. */
void weft_channel_load_find(weft_channel_load *load, const weft_network *network, uint64_t budget);

#endif
