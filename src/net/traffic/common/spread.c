/* SPDX-License-Identifier: Apache-2.0 */
#include "net/traffic/common/spread.h"

/* Where routers have different numbers of endpoints. */
static double uneven_mean(const weft_topology *topology)
{
    double sum = 0, endpoints = weft_topology_endpoints(topology);
    for (uint32_t a = 0; a < topology->edge_routers; a++)
        for (uint32_t b = 0; b < topology->edge_routers; b++)
            sum += (double)weft_topology_hosts(topology, a) * weft_topology_hosts(topology, b) *
                   (a == b ? 0 : topology->kind->distance(topology, a, b));
    return endpoints > 1 ? sum / (endpoints * (endpoints - 1)) : 0;
}

double weft_spread_mean(const weft_topology *topology)
{
    if (topology->first)
        return uneven_mean(topology);
    double homes = topology->edge_routers, hosts = topology->concentration;
    double between = topology->edge_routers > 1 ? topology->kind->mean_distance(topology) : 0;
    double pairs = between * hosts * (homes - 1);
    if (topology->egress_offset) /* to a host of the same router leads through the network too */
        pairs += topology->kind->distance(topology, 0, topology->egress_offset) * (hosts - 1);
    return pairs / (homes * hosts - 1);
}

/* Mean of a sum over all endpoints, from which an endpoint's way to itself is taken out. */
static double without_own(const weft_topology *topology, uint32_t endpoint, uint64_t sum)
{
    sum -= topology->kind->distance(topology, weft_topology_home(topology, endpoint),
                                    weft_topology_egress(topology, endpoint));
    return (double)sum / ((double)weft_endpoints(topology) - 1);
}

double weft_spread_to(const weft_topology *topology, uint32_t endpoint)
{
    uint64_t sum = 0;
    for (uint32_t r = 0; r < topology->edge_routers; r++)
        sum += (uint64_t)weft_topology_hosts(topology, r) *
               topology->kind->distance(topology, r, weft_topology_egress(topology, endpoint));
    return without_own(topology, endpoint, sum);
}

double weft_spread_from(const weft_topology *topology, uint32_t endpoint)
{
    uint64_t sum = 0;
    for (uint32_t r = 0; r < topology->edge_routers; r++)
        sum += (uint64_t)weft_topology_hosts(topology, r) *
               topology->kind->distance(topology, weft_topology_home(topology, endpoint),
                                        r + topology->egress_offset);
    return without_own(topology, endpoint, sum);
}

/* The receivers among some endpoints by their ranks: from which on, and how many; *own: the
 * source's among them, or count. */
static uint32_t ranks(const weft_pattern *pattern, uint32_t source, uint32_t first, uint32_t *count,
                      uint32_t *own)
{
    const weft_host_set *to = pattern->to;
    uint32_t end = first + *count;
    bool inside = source >= first && source < end;
    uint32_t low = to ? weft_host_set_below(to, first) : first;
    if (to) {
        *count = weft_host_set_below(to, end) - low;
        inside = inside && weft_host_set_has(to, source);
        source = weft_host_set_below(to, source);
    }
    *own = inside ? source - low : *count;
    return low;
}

uint32_t weft_spread_among(const weft_pattern *pattern, uint32_t source, uint32_t first,
                           uint32_t count)
{
    uint32_t own;
    (void)ranks(pattern, source, first, &count, &own);
    return count - (own < count);
}

uint32_t weft_spread_draw_among(const weft_pattern *pattern, uint32_t source, uint32_t first,
                                uint32_t count, weft_random *random)
{
    uint32_t own, low = ranks(pattern, source, first, &count, &own);
    uint32_t others = count - (own < count);
    if (others == 0)
        return WEFT_NOWHERE;
    uint32_t rank = weft_random_below(random, others);
    rank += low + (rank >= own);
    return pattern->to ? weft_host_set_at(pattern->to, rank) : rank;
}

uint32_t weft_spread_draw(const weft_pattern *pattern, uint32_t source, weft_random *random)
{
    uint32_t all = weft_endpoints(pattern->topology);
    if (pattern->to)
        return weft_spread_draw_among(pattern, source, 0, all, random);
    uint32_t to = weft_random_below(random, all - 1);
    return to < source ? to : to + 1;
}

/* Endpoints first … end − 1 but the source. */
static void visit(uint32_t source, uint32_t first, uint32_t end, double each_one,
                  weft_odds_visitor each, void *user)
{
    if (source < first || source >= end) {
        each(user, first, end - first, each_one);
        return;
    }
    each(user, first, source - first, each_one);
    each(user, source + 1, end - source - 1, each_one);
}

void weft_spread_odds_among(const weft_pattern *pattern, uint32_t source, uint32_t first,
                            uint32_t count, double each_one, weft_odds_visitor each, void *user)
{
    const weft_host_set *to = pattern->to;
    uint32_t end = first + count;
    if (!to) {
        visit(source, first, end, each_one, each, user);
        return;
    }
    uint32_t rank = weft_host_set_below(to, first);
    uint32_t i = rank < to->count ? weft_host_set_range(to, rank) : to->n_ranges;
    for (; i < to->n_ranges && to->ranges[i].first < end; i++) {
        uint32_t low = to->ranges[i].first, high = low + to->ranges[i].count;
        visit(source, low > first ? low : first, high < end ? high : end, each_one, each, user);
    }
}

void weft_spread_odds(const weft_pattern *pattern, uint32_t source, double share,
                      weft_odds_visitor each, void *user)
{
    uint32_t all = weft_endpoints(pattern->topology);
    uint32_t others = weft_spread_among(pattern, source, 0, all);
    if (others > 0)
        weft_spread_odds_among(pattern, source, 0, all, share / others, each, user);
}
