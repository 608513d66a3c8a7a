/* SPDX-License-Identifier: Apache-2.0 */
/* The routing kinds that are built in: one line each in routing/list.def. */
#ifndef WEFT_NET_ROUTING_H
#define WEFT_NET_ROUTING_H

#include "interweft/routing.h"

#define ROUTING(name) extern const weft_routing_kind weft_routing_##name;
#include "net/routing/list.def"
#undef ROUTING

/* Hops that are left to a packet with this word at a router; 0: the word does not say. */
uint32_t weft_routing_left(const weft_routing *routing, uint32_t router, uint32_t word);

/* Ends with NULL. */
extern const weft_component *const weft_routing_kinds[];

#endif
