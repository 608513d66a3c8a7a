/* SPDX-License-Identifier: Apache-2.0 */
/* Distances of uniform traffic between endpoints, exact, for the patterns that need them. */
#ifndef WEFT_NET_SPREAD_H
#define WEFT_NET_SPREAD_H

#include "interweft/topology.h"

/* Mean router distance between two different endpoints drawn uniformly. */
double weft_spread_mean(const weft_topology *topology);
/* Mean router distance from all endpoints to one other endpoint. */
double weft_spread_to(const weft_topology *topology, uint32_t endpoint);
static inline uint32_t weft_endpoints(const weft_topology *topology)
{
    return topology->routers * topology->hosts;
}
/* Uniform over all endpoints but `source`. */
uint32_t weft_spread_draw(const weft_topology *topology, uint32_t source, weft_random *random);

#endif
