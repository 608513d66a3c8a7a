/* SPDX-License-Identifier: Apache-2.0 */
/* Who sends how much to whom: the traffic of a flow from one router, in flits per tick, as its
 * pattern's odds say. Where a pattern does not know its odds, destinations are drawn, and what
 * follows from them is an estimate. */
#ifndef WEFT_ANALYSIS_BOUNDS_DEMAND_H
#define WEFT_ANALYSIS_BOUNDS_DEMAND_H

#include "net/network.h"

/* Does the pattern of this flow know its odds? */
bool weft_demand_known(const weft_traffic_class *traffic_class);
/* Does every router of a lattice that looks the same from everywhere send the same? */
bool weft_demand_invariant(const weft_traffic_class *traffic_class);
/* Messages per tick of an endpoint; 0: it is silent. */
double weft_demand_rate(const weft_traffic_class *traffic_class, uint32_t source);
/* Calls `each` for the destinations of a source: those its pattern names, or 64 that are drawn. */
void weft_demand_visit(const weft_network *network, const weft_traffic_class *traffic_class,
                       uint32_t source, weft_odds_visitor each, void *user);

typedef struct weft_demand { /* flits per tick */
    double *from;            /* hosts: what each endpoint of the home in hand sends */
    uint32_t width;   /* endpoints of a home that are told apart: all, or 1 if they are not */
    double *to;       /* homes × width: what leaves the network there … */
    uint32_t *places; /* … and where anything does */
    uint32_t count;
    double *endpoint; /* endpoints: what comes to each, but for … */
    double *change;   /* … endpoints + 1: what comes to all from this one on */
} weft_demand;

/* apart: the endpoints of a home are told apart; ends: what comes to endpoints is wanted too. */
void weft_demand_init(weft_demand *demand, const weft_network *network, bool apart, bool ends);
void weft_demand_done(weft_demand *demand);
/* Nothing is sent by this home yet; what has come to endpoints stays. */
void weft_demand_clear(weft_demand *demand, const weft_network *network);
/* Adds what endpoints of a home send in a flow; returns the work it was, in destinations looked
 * at. */
uint64_t weft_demand_add(weft_demand *demand, const weft_network *network,
                         const weft_traffic_class *traffic_class, uint32_t home);
/* The most that comes to one endpoint, and to which. */
double weft_demand_busiest(const weft_demand *demand, const weft_network *network, uint32_t *who);

#endif
