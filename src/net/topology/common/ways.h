/* SPDX-License-Identifier: Apache-2.0 */
/* Minimal ports of kinds whose route header is the destination router + 1. The kind chooses which
 * of several minimal ports comes first, so that they share the load of packets that take the first
 * one. */
#ifndef WEFT_NET_TOPOLOGY_COMMON_WAYS_H
#define WEFT_NET_TOPOLOGY_COMMON_WAYS_H

#include "interweft/topology.h"

/* Writes ports[first], ports[first + 1] … cyclically, at most `most` of `count`; hops: to the
 * destination by any of them. Returns the number written. */
static inline unsigned weft_ways_put(const uint16_t *ports, unsigned count, unsigned first,
                                     uint32_t hops, uint32_t route, unsigned most,
                                     weft_minimal_port *out)
{
    unsigned wanted = count < most ? count : most;
    for (unsigned i = 0; i < wanted; i++)
        out[i] =
            (weft_minimal_port){.port = ports[first + i < count ? first + i : first + i - count],
                                .hops = (uint16_t)hops,
                                .next_header = hops == 1 ? 0 : route,
                                .dim = WEFT_NO_DIM};
    return wanted;
}

/* The VC class of such a port, where links have as many classes as the diameter has hops: it
 * decreases at every hop, so the channel dependency graph of minimal routes is acyclic. */
static inline uint32_t weft_ways_vc(const weft_topology *topology, uint32_t router,
                                    const weft_minimal_port *way)
{
    (void)topology, (void)router;
    return way->hops - 1u;
}

/* Bits of headers 0 … routers. */
static inline uint32_t weft_ways_bits(uint32_t routers)
{
    return 32u - (unsigned)__builtin_clz(routers);
}

/* True if a packet at this router may carry this header; destinations are routers
 * 0 … targets − 1. */
static inline bool weft_ways_sound(uint32_t targets, uint32_t router, uint32_t route)
{
    return route == 0 || (route <= targets && route - 1 != router);
}

#endif
