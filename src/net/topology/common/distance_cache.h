/* SPDX-License-Identifier: Apache-2.0 */
/* Distances computed on demand, for a network whose distance table would be too large. Those to the
 * targets queried last are kept. Threads may share a cache; queries are serialised. */
#ifndef WEFT_NET_TOPOLOGY_COMMON_DISTANCE_CACHE_H
#define WEFT_NET_TOPOLOGY_COMMON_DISTANCE_CACHE_H

#include "net/topology/common/adjacency.h"

typedef struct weft_distance_cache weft_distance_cache;

weft_distance_cache *weft_distance_cache_create(const weft_adjacency *table);
void weft_distance_cache_destroy(weft_distance_cache *distance_cache);

/* Hops between two routers, at least one of which is a target. */
uint8_t weft_distance_cache_distance(weft_distance_cache *distance_cache,
                                     const weft_adjacency *table, uint32_t a, uint32_t b);
/* Hops from routers to a target; WEFT_ADJACENCY_FAR from WEFT_NOWHERE. */
void weft_distance_cache_ask(weft_distance_cache *distance_cache, const weft_adjacency *table,
                             uint32_t target, const uint32_t *routers, uint32_t count,
                             uint8_t *hops);

#endif
