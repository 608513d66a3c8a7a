/* SPDX-License-Identifier: Apache-2.0 */
/* Cuts: traffic from one part of the routers to another has to cross the links between them,
 * whatever the routing does. The tightest cut is the one whose links are busiest with that
 * traffic.
 *
 * Examined are the partitions of `router_partition.h`. Each takes time linear in the links and
 * in the ranges of destinations that the patterns name, so cuts are known of the largest
 * networks too. */
#ifndef WEFT_ANALYSIS_BOUNDS_CUTS_H
#define WEFT_ANALYSIS_BOUNDS_CUTS_H

#include "analysis/bounds/router_partition.h"
#include "net/network.h"

typedef struct weft_cut {
    double busy; /* at the scenario's load; 1: all its links always are; 0: no cut is known */
    bool exact;  /* else from destinations that were drawn: an estimate */
    weft_cut_kind kind;
    uint32_t size;        /* of the partition */
    uint32_t part;        /* its number … */
    uint32_t edge_router; /* … and its first edge router */
    bool into;            /* the links into the part; else those out of it */
} weft_cut;

/* given: one more partition; NULL: none. budget: ranges of destinations to look at for one
 * partition. */
weft_cut weft_cuts_find(const weft_network *network, const weft_router_partition *given,
                        uint64_t budget);

#endif
