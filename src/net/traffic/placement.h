/* SPDX-License-Identifier: Apache-2.0 */
/* Placement of the tasks of a parallel program on endpoints. A kind is a permutation of the
 * endpoints as two pure functions; nothing is tabulated. */
#ifndef WEFT_NET_TRAFFIC_PLACEMENT_H
#define WEFT_NET_TRAFFIC_PLACEMENT_H

#include "interweft/topology.h"
#include "net/kinds.h"

typedef struct weft_placement_kind {
    weft_component base;
    /* Fails unless the placement fits this network. NULL: it fits any. */
    weft_status (*check)(const weft_topology *topology, weft_error *err);
    /* The endpoint of a task, and the task of an endpoint. */
    uint32_t (*endpoint)(const weft_topology *topology, const void *settings, uint32_t task);
    uint32_t (*task)(const weft_topology *topology, const void *settings, uint32_t endpoint);
} weft_placement_kind;

/* Fails unless this is a torus of k × k routers, k ≥ 3, with an endpoint each; the message states
 * the requirement. */
WEFT_MUST_USE weft_status weft_placement_needs_square(const weft_topology *topology,
                                                      const char *name, weft_error *err);

#endif
