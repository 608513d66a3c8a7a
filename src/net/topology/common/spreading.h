/* SPDX-License-Identifier: Apache-2.0 */
/* How packets for different endpoints share ports that lead equally near to where they go.
 *
 * In a tree the routers of a tier are as many hops from the nearest edge router. A packet that
 * may go up to n_i routers from tier i takes the one that digit i of its endpoint names, in the
 * mixed radix n_0, n_1, …: endpoints spread over all roots, and packets for different endpoints
 * come down different links (d-mod-k, Zahavi 2012). Of parallel cables between tiers i and i + 1
 * it takes the one that the digits from i + 1 on name, on the way up and on the way down: below
 * one router they are the digits that are left. Where every router has endpoints there are no
 * tiers, and routers start from different ports. */
#ifndef WEFT_NET_TOPOLOGY_COMMON_SPREADING_H
#define WEFT_NET_TOPOLOGY_COMMON_SPREADING_H

#include "interweft/topology.h"

#define WEFT_TIERS_MAX 32

typedef struct weft_spreading {
    uint8_t *tier;                       /* of every router; NULL: there are no tiers */
    uint32_t stride[WEFT_TIERS_MAX + 1]; /* n_0 … n_(i−1) */
} weft_spreading;

/* Of routers that are joined as to[router × ports + port] says (WEFT_NOWHERE: by nothing), the
 * first `edge_routers` of which have endpoints. */
void weft_spreading_init(weft_spreading *spreading, const uint32_t *to, uint32_t routers,
                         uint32_t ports, uint32_t edge_routers);
void weft_spreading_done(weft_spreading *spreading);

/* Which of `count` ports of a router, all equally near, a packet for this endpoint takes;
 * behind[port]: the router there. */
unsigned weft_spreading_choose(const weft_spreading *spreading, uint32_t router, uint32_t endpoint,
                               const uint32_t *behind, const uint16_t *port, unsigned count);

#endif
