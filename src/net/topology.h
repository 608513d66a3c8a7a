/* SPDX-License-Identifier: Apache-2.0 */
/* Construction of topologies of every kind. */
#ifndef WEFT_NET_TOPOLOGY_H
#define WEFT_NET_TOPOLOGY_H

#include "interweft/topology.h"
#include "net/kinds.h"

/* Builds a topology whose kind and self are set. Members that the kind left at 0 get defaults: all
 * routers have endpoints, VCs are not divided. */
WEFT_MUST_USE weft_status weft_topology_build(weft_topology *topology, const void *settings,
                                              weft_error *err);

/* At least as many hops as between any two routers, if that is easily told; else 0. */
uint32_t weft_topology_farthest(const weft_topology *topology);

#endif
