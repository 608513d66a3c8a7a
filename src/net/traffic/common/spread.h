/* SPDX-License-Identifier: Apache-2.0 */
/* Exact mean distances and draws of uniform traffic, for the patterns that need them. */
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
    return weft_topology_endpoints(topology);
}
/* Draws uniformly among the receivers of a pattern other than `source`; WEFT_NOWHERE if there is
 * none. */
uint32_t weft_spread_draw(const weft_pattern *pattern, uint32_t source, weft_random *random);
/* The probabilities of that draw times `share`, as odds of a pattern. */
void weft_spread_odds(const weft_pattern *pattern, uint32_t source, double share,
                      weft_odds_visitor each, void *user);
/* Both for endpoints first … first + count − 1 alone; the odds of each are `each_one`. */
uint32_t weft_spread_draw_among(const weft_pattern *pattern, uint32_t source, uint32_t first,
                                uint32_t count, weft_random *random);
void weft_spread_odds_among(const weft_pattern *pattern, uint32_t source, uint32_t first,
                            uint32_t count, double each_one, weft_odds_visitor each, void *user);
/* Number of receivers among these endpoints, without the source. */
uint32_t weft_spread_among(const weft_pattern *pattern, uint32_t source, uint32_t first,
                           uint32_t count);

#endif
