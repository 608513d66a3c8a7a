/* SPDX-License-Identifier: Apache-2.0 */
#include "study/linkrows.h"

#include <stdio.h>
#include <string.h>

static const char axis_names[] = "xyzw";

/* "(3,4)+x" where there are coordinates, else "r17:p2". */
static void name_link(const weft_topology *topology, uint32_t router, uint32_t port, char *name,
                      size_t room)
{
    const weft_lattice *lattice = &topology->lattice;
    if (lattice->dims == 0) {
        (void)snprintf(name, room, "r%u:p%u", router, port);
        return;
    }
    uint32_t at[WEFT_DIMS_MAX];
    for (uint32_t d = lattice->dims; d-- > 0; router /= lattice->size[d])
        at[d] = router % lattice->size[d];
    size_t used = 0;
    for (uint32_t d = 0; d < lattice->dims && used < room; d++)
        used += (size_t)snprintf(name + used, room - used, "%s%u", d ? "," : "(", at[d]);
    uint32_t dim = lattice->port_dim[port];
    char sign = lattice->port_step[port] > 0 ? '+' : '-';
    if (used < room && lattice->dims <= 4)
        (void)snprintf(name + used, room - used, ")%c%c", sign, axis_names[dim]);
    else if (used < room)
        (void)snprintf(name + used, room - used, ")%c%u", sign, dim);
}

bool weft_link_rows(const weft_network *network, const weft_simulation *simulation,
                    weft_arena *arena, weft_link_summary *links)
{
    const weft_topology *topology = &network->topology;
    const weft_link_loads *loads = weft_simulation_links(simulation);
    uint32_t ports = topology->ports;
    *links = (weft_link_summary){.span = loads->span, .count = loads->count};
    if (loads->span <= 0 || topology->links == 0)
        return false;
    links->rows = WEFT_TAKE(arena, weft_link_row, loads->count);
    for (size_t i = 0; i < loads->count; i++) {
        weft_link_row *row = &links->rows[i];
        *row = (weft_link_row){
            .index = loads->load[i].index, .busy = loads->load[i].busy, .span = loads->span};
        double share = (double)row->busy / (double)row->span;
        links->max = share > links->max ? share : links->max;
        name_link(topology, (uint32_t)(row->index / ports), (uint32_t)(row->index % ports),
                  row->name, sizeof row->name);
    }
    links->mean = (double)loads->total / ((double)loads->span * (double)topology->links);
    return true;
}
