/* SPDX-License-Identifier: Apache-2.0 */
/* For each part of a partition: the flits that must leave and enter it, and the capacity of its
 * links. The destinations of a source are ranges of endpoints; the sorted list of a part's routers
 * gives the number of endpoints of a range that lie in the source's own part. */
#include "analysis/bounds/cuts.h"

#include "analysis/bounds/demand.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define LINKS_MOST ((uint64_t)1 << 25) /* that are looked at */
#define CLOSE      1e-9                /* of two cuts that are as busy the first is told */

typedef struct search {
    const weft_network *network;
    bool exact;
    weft_cut best;
} search;

typedef struct sums { /* of one partition */
    const weft_network *network;
    const weft_router_partition *partition;
    uint32_t *first, *exit; /* the exit routers of part p, from exit[first[p]] on, ascending */
    uint32_t *before;       /* [exit + 1]: endpoints of those in front of it */
    double *out, *inside;   /* flits per tick that leave a part, that stay in it */
    double *into;           /* that enter it */
    double *change;         /* endpoints + 1: flits that come to all endpoints from this one on */
    double *out_room, *in_room; /* flits per tick that the links can carry */
    uint32_t from;              /* part of the source in hand … */
    double flits;               /* … and what it sends */
} sums;

/* Lists the routers at which packets for endpoints leave, by part. */
static void list_exits(sums *s)
{
    const weft_topology *topology = &s->network->topology;
    const uint32_t *part = s->partition->part + topology->egress_offset;
    for (uint32_t h = 0; h < topology->edge_routers; h++)
        if (part[h] != WEFT_NO_PART)
            s->first[part[h] + 1]++;
    for (uint32_t p = 0; p < s->partition->n_parts; p++)
        s->first[p + 1] += s->first[p];
    uint32_t *next = weft_alloc(sizeof *next * (s->partition->n_parts + 1));
    memcpy(next, s->first, sizeof *next * (s->partition->n_parts + 1));
    for (uint32_t h = 0; h < topology->edge_routers; h++)
        if (part[h] != WEFT_NO_PART)
            s->exit[next[part[h]]++] = h;
    for (uint32_t i = 0; i < s->first[s->partition->n_parts]; i++)
        s->before[i + 1] = s->before[i] + weft_topology_hosts(topology, s->exit[i]);
    free(next);
}

static void sums_open(sums *s, const weft_network *network, const weft_router_partition *partition)
{
    size_t parts = (size_t)partition->n_parts + 1;
    *s = (sums){.network = network,
                .partition = partition,
                .first = weft_alloc(sizeof *s->first * (parts + 1)),
                .exit = weft_alloc(sizeof *s->exit * network->topology.edge_routers),
                .before = weft_alloc(sizeof *s->before * (network->topology.edge_routers + 1u)),
                .out = weft_alloc(sizeof *s->out * parts),
                .inside = weft_alloc(sizeof *s->inside * parts),
                .into = weft_alloc(sizeof *s->into * parts),
                .change = weft_alloc(sizeof *s->change * ((size_t)network->endpoints + 1)),
                .out_room = weft_alloc(sizeof *s->out_room * parts),
                .in_room = weft_alloc(sizeof *s->in_room * parts)};
    list_exits(s);
}

static void sums_close(sums *s)
{
    free(s->first);
    free(s->exit);
    free(s->before);
    free(s->out);
    free(s->inside);
    free(s->into);
    free(s->change);
    free(s->out_room);
    free(s->in_room);
}

/* Endpoints below this one whose packets leave in the part of the source in hand. */
static double below(const sums *s, uint32_t endpoint)
{
    const weft_topology *topology = &s->network->topology;
    uint32_t home = weft_topology_home(topology, endpoint);
    uint32_t start = s->first[s->from], end = s->first[s->from + 1], low = start, high = end;
    if (start < end && s->exit[end - 1] - s->exit[start] == end - 1 - start) { /* a range */
        uint32_t first = s->exit[start];
        low = home <= first ? start : home - first < end - start ? start + home - first : end;
        high = low;
    }
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (s->exit[middle] < home)
            low = middle + 1;
        else
            high = middle;
    }
    bool here = low < end && s->exit[low] == home;
    return (double)(s->before[low] - s->before[start]) +
           (here ? weft_topology_host(topology, endpoint) : 0);
}

static void take(void *user, uint32_t first, uint32_t count, double probability)
{
    sums *s = user;
    double flits = s->flits * probability, inside = below(s, first + count) - below(s, first);
    s->out[s->from] += flits * (count - inside);
    s->inside[s->from] += flits * inside;
    s->change[first] += flits;
    s->change[first + count] -= flits;
}

/* What all endpoints send in one traffic class. */
static void add_sources(sums *s, const weft_traffic_class *traffic_class)
{
    const weft_topology *topology = &s->network->topology;
    for (uint32_t e = 0; e < s->network->endpoints; e++) {
        s->flits = weft_demand_rate(traffic_class, e) * traffic_class->mean_flits;
        s->from = s->partition->part[weft_topology_home(topology, e)];
        if (s->flits > 0)
            weft_demand_visit(s->network, traffic_class, e, take, s);
    }
}

static void count_range(void *user, uint32_t first, uint32_t count, double probability)
{
    (void)first, (void)count, (void)probability;
    ++*(uint64_t *)user;
}

/* Ranges of destinations of all sources, if they are like the first one that sends. */
static double count_ranges(const weft_network *network)
{
    double ranges = 0;
    for (uint32_t f = 0; f < network->n_traffic_classes; f++) {
        const weft_traffic_class *traffic_class = &network->traffic_classes[f];
        const weft_host_set *from = traffic_class->traffic.pattern.from;
        uint64_t count = 0;
        weft_demand_visit(network, traffic_class, from ? from->ranges[0].first : 0, count_range,
                          &count);
        ranges += (double)count * traffic_class->senders;
    }
    return ranges;
}

/* What comes to all endpoints, less what stays inside, enters. */
static void find_entering(sums *s)
{
    const weft_topology *topology = &s->network->topology;
    double here = 0;
    for (uint32_t h = 0; h < topology->edge_routers; h++) {
        uint32_t part = s->partition->part[h + topology->egress_offset];
        double comes = 0;
        for (uint32_t e = weft_topology_first(topology, h);
             e < weft_topology_first(topology, h + 1); e++) {
            here += s->change[e];
            comes += here;
        }
        if (part != WEFT_NO_PART)
            s->into[part] += comes;
    }
    for (uint32_t p = 0; p < s->partition->n_parts; p++)
        s->into[p] -= s->inside[p];
}

static void find_room(sums *s)
{
    const weft_topology *topology = &s->network->topology;
    const uint32_t *part = s->partition->part;
    for (uint32_t r = 0; r < topology->routers; r++)
        for (uint32_t p = 0; p < topology->ports; p++) {
            uint32_t to = topology->kind->peer(topology, r, p).router;
            if (to == WEFT_NOWHERE || part[r] == part[to] || !weft_topology_alive(topology, r, p))
                continue;
            double room =
                1 / (double)s->network->timing.period[weft_topology_link_class(topology, r, p)];
            if (part[r] != WEFT_NO_PART)
                s->out_room[part[r]] += room;
            if (part[to] != WEFT_NO_PART)
                s->in_room[part[to]] += room;
        }
}

static void judge(search *it, const sums *s, uint32_t part, bool into)
{
    double flits = into ? s->into[part] : s->out[part];
    double room = into ? s->in_room[part] : s->out_room[part];
    const weft_topology *topology = &s->network->topology;
    if (!(flits > it->best.busy * (1 + CLOSE) * room) || !(room > 0))
        return;
    uint32_t edge_router = 0;
    while (edge_router + 1 < topology->edge_routers && s->partition->part[edge_router] != part)
        edge_router++;
    it->best = (weft_cut){.busy = flits / room,
                          .exact = it->exact,
                          .kind = s->partition->kind,
                          .size = s->partition->size,
                          .part = part,
                          .edge_router = edge_router,
                          .into = into};
}

static void judge_parts(search *it, sums *s, uint32_t n_parts)
{
    find_room(s);
    for (uint32_t p = 0; p < n_parts; p++) {
        judge(it, s, p, false);
        judge(it, s, p, true);
    }
}

static void examine(void *user, const weft_router_partition *partition)
{
    search *it = user;
    const weft_network *network = it->network;
    sums s;
    sums_open(&s, network, partition);
    for (uint32_t f = 0; f < network->n_traffic_classes; f++)
        add_sources(&s, &network->traffic_classes[f]);
    find_entering(&s);
    judge_parts(it, &s, partition->n_parts);
    sums_close(&s);
}

weft_cut weft_cuts_find(const weft_network *network, const weft_router_partition *given,
                        uint64_t budget)
{
    const weft_topology *topology = &network->topology;
    search it = {.network = network, .exact = true};
    if ((uint64_t)topology->routers * topology->ports > LINKS_MOST ||
        count_ranges(network) > (double)budget)
        return it.best;
    for (uint32_t f = 0; f < network->n_traffic_classes; f++)
        it.exact = it.exact && weft_demand_known(&network->traffic_classes[f]);
    if (given)
        examine(&it, given);
    weft_router_partitions_visit(topology, examine, &it);
    return it.best;
}

/* All endpoints of a part send out of it, or as many as there are outside. */
static void examine_permutation(void *user, const weft_router_partition *partition)
{
    search *it = user;
    const weft_network *network = it->network;
    const weft_topology *topology = &network->topology;
    double rate = network->ports / (double)network->timing.period[WEFT_LINK_HOST];
    sums s;
    sums_open(&s, network, partition);
    for (uint32_t h = 0; h < topology->edge_routers; h++) {
        double flits = rate * weft_topology_hosts(topology, h);
        s.out[partition->part[h]] += flits;
        if (partition->part[h + topology->egress_offset] != WEFT_NO_PART)
            s.into[partition->part[h + topology->egress_offset]] += flits;
    }
    for (uint32_t p = 0; p < partition->n_parts; p++) {
        double all = rate * network->endpoints;
        /* Where links lead one way, a part need not have as many senders as receivers. */
        double out = all - s.into[p] < s.out[p] ? all - s.into[p] : s.out[p];
        double into = all - s.out[p] < s.into[p] ? all - s.out[p] : s.into[p];
        s.out[p] = out;
        s.into[p] = into;
    }
    judge_parts(it, &s, partition->n_parts);
    sums_close(&s);
}

weft_cut weft_cuts_permutation(const weft_network *network)
{
    const weft_topology *topology = &network->topology;
    search it = {.network = network, .exact = true};
    if ((uint64_t)topology->routers * topology->ports <= LINKS_MOST)
        weft_router_partitions_visit(topology, examine_permutation, &it);
    return it.best;
}
