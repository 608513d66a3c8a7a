/* SPDX-License-Identifier: Apache-2.0 */
/* The topology kinds that are built in: one line each in topology/list.def. */
#ifndef WEFT_NET_TOPOLOGY_H
#define WEFT_NET_TOPOLOGY_H

#include "interweft/topology.h"

#define TOPOLOGY(name) extern const weft_topology_kind weft_topology_##name;
#include "net/topology/list.def"
#undef TOPOLOGY

/* Builds a topology whose kind and self are set, and fills in what a kind may leave at 0: all routers have endpoints, lanes are not
 * divided. */
WEFT_MUST_USE weft_status weft_topology_build(weft_topology *topology, const void *settings,
                                              weft_error *err);

/* Ends with NULL. */
extern const weft_component *const weft_topology_kinds[];

#endif
