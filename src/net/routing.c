/* SPDX-License-Identifier: Apache-2.0 */
#include "net/routing.h"

uint32_t weft_routing_left(const weft_routing *routing, uint32_t router, uint32_t word)
{
    const weft_topology *topology = routing->topology;
    weft_minimal_port ways[WEFT_MINIMAL_PORTS_MAX];
    uint32_t hops = 0;
    if (routing->kind->proof.hops_left)
        return routing->kind->proof.hops_left(routing, word);
    if (routing->kind->initial_header || topology->lattice.dims == 0 || topology->lattice.full)
        return 0;
    unsigned count =
        topology->kind->minimal_ports(topology, router, word, WEFT_MINIMAL_PORTS_MAX, ways);
    for (unsigned i = 0; i < count; i++)
        hops += ways[i].hops;
    return hops;
}

uint32_t weft_routing_starts(const weft_routing *routing, uint32_t from, uint32_t to,
                             void (*each)(void *user, uint32_t word), void *user)
{
    const weft_topology *topology = routing->topology;
    if (routing->kind->proof.initial_headers)
        return routing->kind->proof.initial_headers(routing, from, to, each, user);
    uint32_t words[WEFT_HEADERS_MAX];
    unsigned count = 1;
    if (routing->kind->initial_header)
        words[0] = routing->kind->initial_header(routing, from, to, NULL);
    else if (topology->kind->all_headers &&
             !topology->kind->header_for_host) /* else it is the host that is drawn */
        count = topology->kind->all_headers(topology, from, to, words);
    else
        words[0] = topology->kind->make_header(topology, from, to, NULL);
    for (unsigned i = 0; i < count; i++)
        each(user, words[i]);
    return count;
}
