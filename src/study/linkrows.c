/* SPDX-License-Identifier: Apache-2.0 */
#include "study/linkrows.h"

#include <stdio.h>
#include <string.h>

static const char axis_names[] = "xyzw";

/* "(3,4)" behind the first `used` characters; returns how many there are then, or would be with room for them. */
static size_t add_place(const weft_lattice *lattice, uint32_t router, char *name, size_t room,
                        size_t used)
{
    uint32_t at[WEFT_DIMS_MAX];
    for (uint32_t d = lattice->dims; d-- > 0; router /= lattice->size[d])
        at[d] = router % lattice->size[d];
    for (uint32_t d = 0; d < lattice->dims && used < room; d++)
        used += (size_t)snprintf(name + used, room - used, "%s%u%s", d ? "," : "(", at[d],
                                 d + 1 < lattice->dims ? "" : ")");
    return used;
}

/* "(3,4)->(3,7)"; false if that is too long. */
static bool name_ends(const weft_topology *topology, uint32_t router, uint32_t port, char *name,
                      size_t room)
{
    const weft_lattice *lattice = &topology->lattice;
    size_t used = add_place(lattice, router, name, room, 0);
    if (used < room)
        used += (size_t)snprintf(name + used, room - used, "->");
    used =
        add_place(lattice, topology->kind->peer(topology, router, port).router, name, room, used);
    return used < room;
}

/* "(3,4)+x": a step along an axis; "(3,4)+2x" of 2 where all routers of a line are joined. */
static void name_step(const weft_lattice *lattice, uint32_t router, uint32_t port, char *name,
                      size_t room)
{
    size_t used = add_place(lattice, router, name, room, 0);
    uint32_t dim = lattice->port_dim[port];
    int16_t step = lattice->port_step[port];
    char far[8] = "", axis[12];
    if (lattice->full)
        (void)snprintf(far, sizeof far, "%d", step);
    if (lattice->dims <= 4)
        (void)snprintf(axis, sizeof axis, "%c", axis_names[dim]);
    else
        (void)snprintf(axis, sizeof axis, "%s%u", lattice->full ? "d" : "", dim);
    if (used < room)
        (void)snprintf(name + used, room - used, "%c%s%s", step > 0 ? '+' : '-', far, axis);
}

void weft_link_name(const weft_topology *topology, uint32_t router, uint32_t port, char *name,
                    size_t room)
{
    const weft_lattice *lattice = &topology->lattice;
    if (lattice->dims == 0)
        (void)snprintf(name, room, "r%u:p%u", router, port);
    else if (!lattice->full || !name_ends(topology, router, port, name, room))
        name_step(lattice, router, port, name, room);
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
        weft_link_name(topology, (uint32_t)(row->index / ports), (uint32_t)(row->index % ports),
                       row->name, sizeof row->name);
    }
    links->mean = (double)loads->total / ((double)loads->span * (double)topology->links);
    return true;
}
