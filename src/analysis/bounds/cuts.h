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
    /* Utilisation of its links at the scenario's load; 1: all are saturated; 0: no cut is known. */
    double busy;
    bool exact; /* else an estimate from random destinations */
    weft_cut_kind kind;
    uint32_t size;        /* of the partition */
    uint32_t part;        /* its number … */
    uint32_t edge_router; /* … and its first edge router */
    bool into;            /* links into the part; else links out of it */
} weft_cut;

/* given: an additional partition; NULL: none. budget: ranges of destinations to examine per
 * partition. */
weft_cut weft_cuts_find(const weft_network *network, const weft_router_partition *given,
                        uint64_t budget);

/* The tightest cut under the worst permutation for it, in which as many endpoints as can send from
 * one side to the other; `busy` is for endpoints that send all the time. Patterns are not looked
 * at. No routing carries a load above 1 / busy of every permutation. */
weft_cut weft_cuts_permutation(const weft_network *network);

#endif
