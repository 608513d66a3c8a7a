/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/bounds/demand_sums.h"

#include "analysis/bounds/demand.h"
#include "base/memory.h"

#include <stdlib.h>

#define CLOSE 1e-9 /* two sums are the same */

typedef struct sums_row { /* of a source */
    weft_demand_sums *sums;
    const weft_topology *topology;
    uint32_t home;
    double flits;
} sums_row;

static uint32_t greater(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static uint32_t less(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static void take_range(void *user, uint32_t first, uint32_t count, double probability)
{
    const sums_row *row = user;
    uint32_t low = weft_topology_first(row->topology, row->home);
    uint32_t high = low + weft_topology_hosts(row->topology, row->home), end = first + count;
    double each = row->flits * probability;
    uint32_t near =
        greater(first, low) < less(end, high) ? less(end, high) - greater(first, low) : 0;
    row->sums->out[row->home] += each * (count - near);
    row->sums->in[row->home] -= each * near; /* receives counts them */
    row->sums->receives[first] += each;
    row->sums->receives[end] -= each;
}

/* From changes to values, and from endpoints to routers. */
static void add_up(weft_demand_sums *sums, const weft_topology *topology)
{
    double here = 0;
    sums->even = true;
    for (uint32_t r = 0; r < topology->edge_routers; r++) {
        uint32_t first = weft_topology_first(topology, r);
        for (uint32_t e = first; e < first + weft_topology_hosts(topology, r); e++) {
            here += sums->receives[e];
            sums->receives[e] = here;
            sums->in[r] += here;
        }
    }
    for (uint32_t r = 0; r < topology->edge_routers; r++) {
        double out = sums->out[r] - sums->out[0], in = sums->in[r] - sums->in[0];
        double limit = CLOSE * (sums->out[0] + sums->in[0]);
        sums->even = sums->even && out <= limit && -out <= limit && in <= limit && -in <= limit;
    }
}

void weft_demand_sums_init(weft_demand_sums *sums, const weft_network *network,
                           uint32_t traffic_class)
{
    const weft_topology *topology = &network->topology;
    const weft_traffic_class *class = &network->traffic_classes[traffic_class];
    *sums = (weft_demand_sums){
        .out = weft_alloc(sizeof(double) * topology->edge_routers),
        .in = weft_alloc(sizeof(double) * topology->edge_routers),
        .sends = weft_alloc(sizeof(double) * network->endpoints),
        .receives = weft_alloc(sizeof(double) * ((size_t)network->endpoints + 1)),
    };
    for (uint32_t e = 0; e < network->endpoints; e++) {
        sums_row row = {.sums = sums,
                        .topology = topology,
                        .home = weft_topology_home(topology, e),
                        .flits = weft_demand_rate(class, e) * class->mean_flits};
        if (!(row.flits > 0))
            continue;
        double before = sums->out[row.home] - sums->in[row.home];
        weft_demand_visit(network, class, e, take_range, &row);
        sums->sends[e] = sums->out[row.home] - sums->in[row.home] - before;
    }
    add_up(sums, topology);
}

void weft_demand_sums_done(weft_demand_sums *sums)
{
    free(sums->out);
    free(sums->in);
    free(sums->sends);
    free(sums->receives);
}

/* Is the demand of a router, turned back by its group, that of its equivalent in group 0? */
static bool is_like_first(const weft_demand *demand, const double *first, uint32_t turn,
                          uint32_t routers)
{
    for (uint32_t i = 0; i < demand->count; i++) {
        uint32_t place = demand->places[i];
        double difference = demand->to[place] - first[(place + routers - turn) % routers];
        double limit = CLOSE * demand->to[place];
        if (difference > limit || -difference > limit)
            return false;
    }
    return true;
}

bool weft_demand_rotates(const weft_network *network, uint32_t traffic_class, uint32_t period,
                         uint64_t most)
{
    uint32_t routers = network->topology.edge_routers;
    const weft_traffic_class *class = &network->traffic_classes[traffic_class];
    weft_demand demand;
    bool same = (uint64_t)period * routers <= most;
    double *first = weft_alloc(sizeof *first * (same ? (size_t)period * routers : 1));
    uint32_t *count = weft_alloc(sizeof *count * period);
    uint64_t seen = 0;
    weft_demand_init(&demand, network, false, false);
    for (uint32_t r = 0; same && r < routers; r++) {
        double *row = first + (size_t)(r % period) * routers;
        weft_demand_clear(&demand, network);
        seen += weft_demand_add(&demand, network, class, r);
        for (uint32_t i = 0; r < period && i < demand.count; i++)
            row[demand.places[i]] = demand.to[demand.places[i]];
        count[r % period] = r < period ? demand.count : count[r % period];
        same = seen <= most && demand.count == count[r % period] &&
               is_like_first(&demand, row, r / period * period, routers);
    }
    weft_demand_done(&demand);
    free(first);
    free(count);
    return same;
}
