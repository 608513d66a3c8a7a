/* SPDX-License-Identifier: Apache-2.0 */
/* All words a new packet may have, for whoever looks at every route. */
#ifndef WEFT_NET_ROUTING_COMMON_STARTS_H
#define WEFT_NET_ROUTING_COMMON_STARTS_H

#include "interweft/routing.h"

/* Calls `each` for every word of a packet between two different routers, all equally likely; returns how many there are. */
uint32_t weft_starts(const weft_routing *routing, uint32_t from, uint32_t to,
                     void (*each)(void *user, uint32_t word), void *user);

#endif
