/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/bounds/demand.h"

#include "base/memory.h"
#include "net/traffic/common/pattern_endpoints.h"

#include <stdlib.h>
#include <string.h>

#define LONG  32 /* a range of destinations that is noted by its ends */
#define DRAWS 64 /* destinations of a source, where they have to be sampled */

bool weft_demand_known(const weft_traffic_class *traffic_class)
{
    return traffic_class->traffic.pattern.kind->odds != NULL;
}

bool weft_demand_invariant(const weft_traffic_class *traffic_class)
{
    const weft_pattern *pattern = &traffic_class->traffic.pattern;
    bool all = !pattern->from && !pattern->to;
    return all && weft_demand_known(traffic_class) && pattern->kind->invariant &&
           !pattern->kind->weight;
}

double weft_demand_rate(const weft_traffic_class *traffic_class, uint32_t source)
{
    if (!weft_pattern_endpoints_may_send(&traffic_class->traffic.pattern, source))
        return 0;
    return traffic_class->per_tick *
           weft_pattern_endpoints_weight(&traffic_class->traffic.pattern, source);
}

void weft_demand_init(weft_demand *demand, const weft_network *network, bool apart, bool ends)
{
    size_t places = apart ? network->endpoints : network->topology.edge_routers;
    *demand = (weft_demand){
        .apart = apart,
        .from = weft_alloc(sizeof(double) * network->topology.concentration),
        .to = weft_alloc(sizeof(double) * places),
        .places = weft_alloc(sizeof(uint32_t) * places),
    };
    if (ends) {
        demand->endpoint = weft_alloc(sizeof(double) * network->endpoints);
        demand->change = weft_alloc(sizeof(double) * ((size_t)network->endpoints + 1));
    }
}

void weft_demand_done(weft_demand *demand)
{
    free(demand->from);
    free(demand->to);
    free(demand->places);
    free(demand->endpoint);
    free(demand->change);
}

void weft_demand_clear(weft_demand *demand, const weft_network *network)
{
    memset(demand->from, 0, sizeof(double) * network->topology.concentration);
    for (uint32_t i = 0; i < demand->count; i++)
        demand->to[demand->places[i]] = 0;
    demand->count = 0;
}

typedef struct row {
    weft_demand *demand;
    const weft_topology *topology;
    double flits; /* per tick of the source */
    double sent;  /* of the pattern's odds so far: 1 in the end, 0 if it is silent */
    uint64_t looks;
} row;

static void take(void *user, uint32_t first, uint32_t count, double probability)
{
    row *r = user;
    weft_demand *demand = r->demand;
    double flits = r->flits * probability;
    uint32_t end = first + count;
    r->sent += probability * count;
    r->looks++;
    if (count >= LONG && demand->change) {
        demand->change[first] += flits;
        demand->change[end] -= flits;
    } else if (demand->endpoint) {
        for (uint32_t e = first; e < end; e++)
            demand->endpoint[e] += flits;
    }
    for (uint32_t e = first; e < end; r->looks++) {
        uint32_t place = demand->apart ? e : weft_topology_home(r->topology, e);
        uint32_t next = demand->apart ? e + 1 : weft_topology_first(r->topology, place + 1);
        next = next < end ? next : end;
        if (demand->to[place] <= 0 && flits > 0)
            demand->places[demand->count++] = place;
        demand->to[place] += flits * (next - e);
        e = next;
    }
}

void weft_demand_visit(const weft_network *network, const weft_traffic_class *traffic_class,
                       uint32_t source, weft_odds_visitor each, void *user)
{
    const weft_pattern *pattern = &traffic_class->traffic.pattern;
    if (weft_demand_known(traffic_class)) {
        pattern->kind->odds(pattern, source, each, user);
        return;
    }
    weft_random random = weft_random_stream(network->seed, 0, source, WEFT_FOR_ESTIMATE);
    for (int i = 0; i < DRAWS; i++) {
        uint32_t to = pattern->kind->destination(pattern, source, &random);
        if (to == WEFT_NOWHERE)
            return;
        each(user, to, 1, 1.0 / DRAWS);
    }
}

uint64_t weft_demand_add(weft_demand *demand, const weft_network *network,
                         const weft_traffic_class *traffic_class, uint32_t home)
{
    const weft_pattern *pattern = &traffic_class->traffic.pattern;
    uint32_t hosts = weft_topology_hosts(&network->topology, home);
    row r = {.demand = demand, .topology = &network->topology};
    for (uint32_t h = 0; h < hosts; h++) {
        uint32_t source = weft_topology_first(&network->topology, home) + h;
        if (!weft_pattern_endpoints_may_send(pattern, source))
            continue;
        r.flits = weft_demand_rate(traffic_class, source) * traffic_class->mean_flits;
        r.sent = 0;
        weft_demand_visit(network, traffic_class, source, take, &r);
        demand->from[h] += r.sent * r.flits;
    }
    return r.looks;
}

double weft_demand_slowness(const weft_network *network, uint32_t endpoint)
{
    const weft_time *period = network->timing.period;
    uint32_t class = weft_topology_host_class(&network->topology, endpoint);
    return (double)period[class] / (double)period[WEFT_LINK_HOST];
}

double weft_demand_busiest(const weft_demand *demand, const weft_network *network, uint32_t *who)
{
    double most = 0, here = 0;
    *who = 0;
    for (uint32_t e = 0; e < network->endpoints; e++) {
        here += demand->change[e];
        double flits = (here + demand->endpoint[e]) * weft_demand_slowness(network, e);
        if (flits > most) {
            most = flits;
            *who = e;
        }
    }
    return most;
}
