/* SPDX-License-Identifier: Apache-2.0 */
/* Spreading of packets for different endpoints over minimal ports.
 *
 * In a tree the routers of a tier have equal distance to the nearest edge router. A packet that may
 * go up to n_i routers from tier i takes the one that digit i of its endpoint names, in the mixed
 * radix n_0, n_1, …: endpoints spread over all roots, and packets for different endpoints come down
 * different links (d-mod-k, Zahavi 2012). Of parallel cables between tiers i and i + 1 it takes the
 * one that the digits from i + 1 on name, upwards and downwards: below one router these are the
 * digits left. Where every router has endpoints there are no tiers, and routers start from
 * different ports. */
#ifndef WEFT_NET_TOPOLOGY_COMMON_SPREADING_H
#define WEFT_NET_TOPOLOGY_COMMON_SPREADING_H

#include "interweft/topology.h"

#define WEFT_TIERS_MAX 32

typedef struct weft_spreading {
    uint8_t *tier;                       /* of every router; NULL: there are no tiers */
    uint32_t stride[WEFT_TIERS_MAX + 1]; /* n_0 … n_(i−1) */
} weft_spreading;

/* to[router × ports + port]: the router behind a port, or WEFT_NOWHERE. The first `edge_routers`
 * routers have endpoints. */
void weft_spreading_init(weft_spreading *spreading, const uint32_t *to, uint32_t routers,
                         uint32_t ports, uint32_t edge_routers);
void weft_spreading_done(weft_spreading *spreading);

/* Index of the port, of `count` minimal ones of a router, that a packet for this endpoint takes;
 * behind[port]: the router there. */
unsigned weft_spreading_choose(const weft_spreading *spreading, uint32_t router, uint32_t endpoint,
                               const uint32_t *behind, const uint16_t *port, unsigned count);

#endif
