/* SPDX-License-Identifier: Apache-2.0 */
/* Ways of kinds whose route header is the router a packet goes to + 1: several ports are equally
 * near to it, and which of them comes first is the kind's choice, so that they share the load of
 * packets that take the first one. */
#ifndef WEFT_NET_TOPOLOGY_COMMON_WAYS_H
#define WEFT_NET_TOPOLOGY_COMMON_WAYS_H

#include "interweft/topology.h"

/* Writes ports[first], ports[first + 1] … and round to the start, `most` of the `count` there
 * are; hops: to the end by any of them. Returns how many. */
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

/* The VC class of such a way, where links have as many as the farthest routers are hops
 * apart: it gets less at every hop, so no minimal route can stop another one. */
static inline uint32_t weft_ways_vc(const weft_topology *topology, uint32_t router,
                                    const weft_minimal_port *way)
{
    (void)topology, (void)router;
    return way->hops - 1u;
}

/* Bits of words 0 … routers. */
static inline uint32_t weft_ways_bits(uint32_t routers)
{
    return 32u - (unsigned)__builtin_clz(routers);
}

/* May a packet at this router carry this word, if it can go to routers 0 … targets − 1? */
static inline bool weft_ways_sound(uint32_t targets, uint32_t router, uint32_t route)
{
    return route == 0 || (route <= targets && route - 1 != router);
}

#endif
