/* SPDX-License-Identifier: Apache-2.0 */
/* A packet carries the hops it has left in every dimension, so its destination is found from where
 * it is. In a dimension of size 2 ts goes down from coordinate 0 and up from 1; here there is one
 * port. */
#include "study/ts/ts_text.h"

weft_ts_node weft_ts_node_of(const weft_lattice *lattice, uint32_t router)
{
    weft_ts_node found = {{0}};
    for (uint32_t d = lattice->dims; d-- > 0; router /= lattice->size[d])
        found.at[d] = router % lattice->size[d];
    return found;
}

weft_ts_node weft_ts_destination(const weft_topology *topology, uint32_t router,
                                 const weft_event *packet)
{
    const weft_lattice *lattice = &topology->lattice;
    weft_minimal_port ways[WEFT_MINIMAL_PORTS_MAX];
    unsigned count = topology->kind->minimal_ports(topology, router, weft_packet_header(packet),
                                                   WEFT_MINIMAL_PORTS_MAX, ways);
    weft_ts_node to = weft_ts_node_of(lattice, router);
    for (unsigned i = 0; i < count; i++) {
        uint32_t d = lattice->port_dim[ways[i].port], size = lattice->size[d];
        uint32_t steps = lattice->port_step[ways[i].port] > 0 ? ways[i].hops : size - ways[i].hops;
        to.at[d] = (to.at[d] + steps) % size;
    }
    return to;
}

uint32_t weft_ts_port(const weft_lattice *lattice, uint32_t router, uint32_t port)
{
    uint32_t d = lattice->port_dim[port];
    bool up = lattice->size[d] == 2 ? weft_ts_node_of(lattice, router).at[d] == 1
                                    : lattice->port_step[port] > 0;
    return 2 * d + up;
}

void weft_ts_add_node(weft_text *text, const weft_lattice *lattice, const weft_ts_node *node)
{
    for (uint32_t d = 0; d < lattice->dims; d++)
        weft_text_add(text, "%s%u", d ? "," : "(", node->at[d]);
    weft_text_add(text, ")");
}

void weft_ts_add_packet(weft_text *text, const weft_lattice *lattice, const weft_event *packet,
                        const weft_ts_node *destination)
{
    weft_ts_node from = weft_ts_node_of(lattice, weft_packet_source(packet));
    weft_text_add(text, "from ");
    weft_ts_add_node(text, lattice, &from);
    weft_text_add(text, " to ");
    weft_ts_add_node(text, lattice, destination);
}
