/* SPDX-License-Identifier: Apache-2.0 */
/* Distances that are found when asked for: of a network whose table of them would be too large.
 * Some are kept, those to the targets asked for last. May be asked from several threads, one
 * after the other. */
#ifndef WEFT_NET_TOPOLOGY_COMMON_NEARBY_H
#define WEFT_NET_TOPOLOGY_COMMON_NEARBY_H

#include "net/topology/common/adjacency.h"

typedef struct weft_nearby weft_nearby;

weft_nearby *weft_nearby_create(const weft_adjacency *table);
void weft_nearby_destroy(weft_nearby *nearby);

/* Hops between two routers, of which one at least is a target. */
uint8_t weft_nearby_distance(weft_nearby *nearby, const weft_adjacency *table, uint32_t a,
                             uint32_t b);
/* Hops from routers to a target; WEFT_ADJACENCY_FAR from WEFT_NOWHERE. */
void weft_nearby_ask(weft_nearby *nearby, const weft_adjacency *table, uint32_t target,
                     const uint32_t *routers, uint32_t count, uint8_t *hops);

#endif
