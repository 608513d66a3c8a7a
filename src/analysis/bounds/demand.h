/* SPDX-License-Identifier: Apache-2.0 */
/* Traffic demand: flits per tick of a traffic class from one router to its destinations, from the
 * odds of its pattern. Where a pattern has no odds, destinations are drawn, and results are
 * estimates. */
#ifndef WEFT_ANALYSIS_BOUNDS_DEMAND_H
#define WEFT_ANALYSIS_BOUNDS_DEMAND_H

#include "net/network.h"

/* True if the pattern of this class has odds. */
bool weft_demand_known(const weft_traffic_class *traffic_class);
/* True if the demand is the same from every router of a translation-invariant lattice. */
bool weft_demand_invariant(const weft_traffic_class *traffic_class);
/* Messages per tick of an endpoint; 0: it is silent. */
double weft_demand_rate(const weft_traffic_class *traffic_class, uint32_t source);
/* Calls `each` for the destinations of a source: those of its pattern, or 64 random ones. */
void weft_demand_visit(const weft_network *network, const weft_traffic_class *traffic_class,
                       uint32_t source, weft_odds_visitor each, void *user);

typedef struct weft_demand { /* flits per tick */
    /* [hosts]: sent by each endpoint of the current edge router. */
    double *from;
    /* Endpoints of an edge router are distinguished: a place is an endpoint, else a router. */
    bool apart;
    /* [places]: flits that leave the network there, and the `count` places where any
     * do. */
    double *to;
    uint32_t *places;
    uint32_t count;
    /* [endpoints]: received by each, without `change`. */
    double *endpoint;
    /* [endpoints + 1]: received by every endpoint from this one on. */
    double *change;
} weft_demand;

/* apart: distinguish the endpoints of an edge router. ends: also count what endpoints receive. */
void weft_demand_init(weft_demand *demand, const weft_network *network, bool apart, bool ends);
void weft_demand_done(weft_demand *demand);
/* Prepares for the next edge router: clears what is sent, keeps what endpoints receive. */
void weft_demand_clear(weft_demand *demand, const weft_network *network);
/* Adds the demand of the endpoints of an edge router in a class; returns the destinations
 * examined. */
uint64_t weft_demand_add(weft_demand *demand, const weft_network *network,
                         const weft_traffic_class *traffic_class, uint32_t home);
/* How many times longer a flit takes on the link of an endpoint than on most. */
double weft_demand_slowness(const weft_network *network, uint32_t endpoint);
/* Flits per tick to the busiest receiver; *who: that endpoint. */
double weft_demand_busiest(const weft_demand *demand, const weft_network *network, uint32_t *who);

#endif
