/* SPDX-License-Identifier: Apache-2.0 */
#include "net/spread.h"

double weft_spread_mean(const weft_topology *topology)
{
    double homes = topology->homes, hosts = topology->hosts;
    double between = topology->homes > 1 ? topology->kind->mean_distance(topology) : 0;
    double pairs = between * hosts * (homes - 1);
    if (topology->exit) /* to a host of the same router leads through the network too */
        pairs += topology->kind->distance(topology, 0, topology->exit) * (hosts - 1);
    return pairs / (homes * hosts - 1);
}

/* Mean of a sum over all endpoints, from which an endpoint's way to itself is taken out. */
static double without_own(const weft_topology *topology, uint32_t endpoint, uint64_t sum)
{
    sum -= topology->kind->distance(topology, endpoint / topology->hosts,
                                    weft_topology_exit(topology, endpoint));
    return (double)sum / ((double)weft_endpoints(topology) - 1);
}

double weft_spread_to(const weft_topology *topology, uint32_t endpoint)
{
    uint64_t sum = 0;
    for (uint32_t r = 0; r < topology->homes; r++)
        sum += topology->kind->distance(topology, r, weft_topology_exit(topology, endpoint));
    return without_own(topology, endpoint, sum * topology->hosts);
}

double weft_spread_from(const weft_topology *topology, uint32_t endpoint)
{
    uint64_t sum = 0;
    for (uint32_t r = 0; r < topology->homes; r++)
        sum += topology->kind->distance(topology, endpoint / topology->hosts, r + topology->exit);
    return without_own(topology, endpoint, sum * topology->hosts);
}

uint32_t weft_spread_draw(const weft_topology *topology, uint32_t source, weft_random *random)
{
    uint32_t to = weft_random_below(random, weft_endpoints(topology) - 1);
    return to < source ? to : to + 1;
}

void weft_spread_odds(const weft_topology *topology, uint32_t source, double share,
                      weft_odds_visitor each, void *user)
{
    uint32_t endpoints = weft_endpoints(topology);
    double each_one = share / (endpoints - 1);
    each(user, 0, source, each_one);
    each(user, source + 1, endpoints - source - 1, each_one);
}
