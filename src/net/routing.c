/* SPDX-License-Identifier: Apache-2.0 */
#include "net/routing.h"

uint32_t weft_routing_left(const weft_routing *routing, uint32_t router, uint32_t word)
{
    const weft_topology *topology = routing->topology;
    weft_way ways[WEFT_WAYS_MAX];
    uint32_t hops = 0;
    if (routing->kind->left)
        return routing->kind->left(routing, word);
    if (routing->kind->start || topology->lattice.dims == 0 || topology->lattice.full)
        return 0;
    unsigned count = topology->kind->ways(topology, router, word, WEFT_WAYS_MAX, ways);
    for (unsigned i = 0; i < count; i++)
        hops += ways[i].hops;
    return hops;
}
