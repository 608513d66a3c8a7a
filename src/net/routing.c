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

uint32_t weft_routing_starts(const weft_routing *routing, uint32_t from, uint32_t to,
                             void (*each)(void *user, uint32_t word), void *user)
{
    const weft_topology *topology = routing->topology;
    if (routing->kind->starts)
        return routing->kind->starts(routing, from, to, each, user);
    uint32_t words[WEFT_AIMS_MAX];
    unsigned count = 1;
    if (routing->kind->start)
        words[0] = routing->kind->start(routing, from, to, NULL);
    else if (topology->kind->aims && !topology->kind->mark) /* else it is the host that is drawn */
        count = topology->kind->aims(topology, from, to, words);
    else
        words[0] = topology->kind->aim(topology, from, to, NULL);
    for (unsigned i = 0; i < count; i++)
        each(user, words[i]);
    return count;
}
