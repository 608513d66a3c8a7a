/* SPDX-License-Identifier: Apache-2.0 */
/* The permutation that loads a link most, for a routing that looks at nothing. All endpoints of
 * a router send to those of one other, unless routes tell them apart: no traffic in which every
 * endpoint sends and receives at most its bandwidth is worse than the worst of these (Towles and
 * Dally 2002).
 *
 * For one link the worst permutation is a matching of greatest weight. Where there are too many
 * routers for that a local search swaps destinations, from several starts, and finds a bad one. */
#ifndef WEFT_ANALYSIS_BOUNDS_WORST_PATTERN_H
#define WEFT_ANALYSIS_BOUNDS_WORST_PATTERN_H

#include "net/network.h"

typedef struct weft_worst_plan {
    uint64_t seed;
    /* starts of the local search, and thousands of millions of steps of matching */
    uint32_t effort;
} weft_worst_plan;

typedef struct weft_worst {
    uint32_t ends;           /* routers, or endpoints where routes tell those of a router apart */
    uint32_t hosts;          /* ends of a router */
    uint32_t *to;            /* per end: the one it sends to; itself: it is silent */
    double gamma;            /* load of the busiest link, as a multiple of an endpoint's */
    uint32_t router, port;   /* that link */
    double throughput;       /* the load at which it, or an endpoint, is always busy */
    bool exact;              /* there is no worse one */
    uint32_t matched, links; /* links looked at whole, or known to be no worse; of so many */
} weft_worst;

/* For the routing of one of the network's flows. Fails if that adapts or draws its ways in a
 * manner that is not known. */
WEFT_MUST_USE weft_status weft_worst_find(weft_worst *worst, const weft_network *network,
                                          uint32_t traffic_class, const weft_worst_plan *plan,
                                          weft_error *err);
void weft_worst_done(weft_worst *worst);

#endif
