/* SPDX-License-Identifier: Apache-2.0 */
/* An order of the routers of any network in which halves, quarters … have few links between
 * them. */
#ifndef WEFT_NET_TOPOLOGY_COMMON_BISECTION_H
#define WEFT_NET_TOPOLOGY_COMMON_BISECTION_H

#include "interweft/topology.h"

/* weft_topology_kind.cut_order. Halves have as many routers of every number of endpoints. It begins
 * with the order of numbers and never cuts more links in two than halves by number do. */
void weft_bisection_order(const weft_topology *topology, uint32_t *order);

#endif
