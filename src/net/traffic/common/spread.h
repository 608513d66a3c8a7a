/* SPDX-License-Identifier: Apache-2.0 */
/* Distances of uniform traffic between endpoints, exact, for the patterns that need them. */
#ifndef WEFT_NET_TRAFFIC_COMMON_SPREAD_H
#define WEFT_NET_TRAFFIC_COMMON_SPREAD_H

#include "interweft/traffic.h"

/* Mean router distance between two different endpoints drawn uniformly. */
double weft_spread_mean(const weft_topology *topology);
/* Mean router distance from all other endpoints to one, and from one to all others. */
double weft_spread_to(const weft_topology *topology, uint32_t endpoint);
double weft_spread_from(const weft_topology *topology, uint32_t endpoint);
static inline uint32_t weft_endpoints(const weft_topology *topology)
{
    return topology->edge_routers * topology->concentration;
}
/* Uniform over all receivers of a pattern but `source`; WEFT_NOWHERE: there is no other one. */
uint32_t weft_spread_draw(const weft_pattern *pattern, uint32_t source, weft_random *random);
/* What that draws, as odds of a pattern, times `share`. */
void weft_spread_odds(const weft_pattern *pattern, uint32_t source, double share,
                      weft_odds_visitor each, void *user);
/* The same among the endpoints first … first + count − 1 alone; odds are `each_one` for each. */
uint32_t weft_spread_draw_among(const weft_pattern *pattern, uint32_t source, uint32_t first,
                                uint32_t count, weft_random *random);
void weft_spread_odds_among(const weft_pattern *pattern, uint32_t source, uint32_t first,
                            uint32_t count, double each_one, weft_odds_visitor each, void *user);
/* Receivers among these, the source not counted. */
uint32_t weft_spread_among(const weft_pattern *pattern, uint32_t source, uint32_t first,
                           uint32_t count);

#endif
