/* SPDX-License-Identifier: Apache-2.0 */
/* Helpers for routings of every kind. */
#ifndef WEFT_NET_ROUTING_H
#define WEFT_NET_ROUTING_H

#include "interweft/routing.h"
#include "net/kinds.h"

/* Hops left to a packet with this header at a router; 0: unknown from the header. */
uint32_t weft_routing_left(const weft_routing *routing, uint32_t router, uint32_t word);

/* Calls `each` for every header of a new packet between two different routers, all equally likely;
 * returns their number. */
uint32_t weft_routing_starts(const weft_routing *routing, uint32_t from, uint32_t to,
                             void (*each)(void *user, uint32_t word), void *user);

/* True if a packet's candidate is always that of weft_vcs_on_lattice (routing/common/vc_plan.h). */
bool weft_routing_on_lattice(const weft_routing *routing);

#endif
