/* SPDX-License-Identifier: Apache-2.0 */
#include "net/spread.h"

double weft_spread_mean(const weft_topology *topology)
{
    double routers = topology->routers, hosts = topology->hosts;
    double between = topology->routers > 1 ? topology->kind->mean_distance(topology) : 0;
    return between * hosts * (routers - 1) / (routers * hosts - 1);
}

double weft_spread_to(const weft_topology *topology, uint32_t endpoint)
{
    uint64_t sum = 0;
    for (uint32_t r = 0; r < topology->routers; r++)
        sum += topology->kind->distance(topology, r, endpoint / topology->hosts);
    return (double)sum * topology->hosts / ((double)weft_endpoints(topology) - 1);
}

uint32_t weft_spread_draw(const weft_topology *topology, uint32_t source, weft_random *random)
{
    uint32_t to = weft_random_below(random, weft_endpoints(topology) - 1);
    return to < source ? to : to + 1;
}
