/* SPDX-License-Identifier: Apache-2.0 */
/* The permutation with the greatest channel load, for an oblivious routing. All endpoints of a
 * router send to those of one other, unless routes distinguish them: no admissible traffic (every
 * endpoint sends and receives at most its bandwidth) is worse than the worst of these (Towles and
 * Dally 2002).
 *
 * For one link the worst permutation is a matching of maximum weight. Where there are too many
 * routers for that, a local search with several starts swaps destinations and finds a bad one. */
#ifndef WEFT_ANALYSIS_BOUNDS_WORST_PATTERN_H
#define WEFT_ANALYSIS_BOUNDS_WORST_PATTERN_H

#include "net/network.h"

typedef struct weft_worst_plan {
    uint64_t seed;
    /* Starts of the local search, and steps of matching in units of 3 × 10^8. */
    uint32_t effort;
} weft_worst_plan;

typedef struct weft_worst {
    uint32_t ends;         /* routers, or endpoints where routes distinguish those of a router */
    uint32_t hosts;        /* ends of a router */
    uint32_t *to;          /* destination of each end; itself: it is silent */
    double gamma;          /* channel load of the busiest link, as a multiple of an endpoint's */
    uint32_t router, port; /* that link */
    double throughput;     /* the load at which that link or an endpoint saturates */
    bool exact;            /* no permutation is worse */
    /* Links examined in full or known to be no worse, and all links. */
    uint32_t matched, links;
} weft_worst;

/* For the routing of one traffic class of the network. Fails if it is adaptive, or draws its routes
 * from an unknown distribution. */
WEFT_MUST_USE weft_status weft_worst_find(weft_worst *worst, const weft_network *network,
                                          uint32_t traffic_class, const weft_worst_plan *plan,
                                          weft_error *err);
void weft_worst_done(weft_worst *worst);

#endif
