/* SPDX-License-Identifier: Apache-2.0 */
/* Names of links for people. */
#include "net/naming.h"

#include <stdio.h>

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

/* "leaf1:p24->spine2", or "r17:p2" where routers have no names. */
static void name_ports(const weft_topology *topology, uint32_t router, uint32_t port, char *name,
                       size_t room)
{
    char from[WEFT_NAME_BYTES], to[WEFT_NAME_BYTES];
    uint32_t peer = topology->kind->peer(topology, router, port).router;
    if (!topology->kind->name || peer == WEFT_NOWHERE) {
        (void)snprintf(name, room, "r%u:p%u", router, port);
        return;
    }
    topology->kind->name(topology, router, from, sizeof from);
    topology->kind->name(topology, peer, to, sizeof to);
    (void)snprintf(name, room, "%s:p%u->%s", from, port, to);
}

void weft_naming_link(const weft_topology *topology, uint32_t router, uint32_t port,
                      char name[WEFT_LINK_NAME_BYTES])
{
    const weft_lattice *lattice = &topology->lattice;
    size_t room = WEFT_LINK_NAME_BYTES;
    if (lattice->dims == 0)
        name_ports(topology, router, port, name, room);
    else if (!lattice->full || !name_ends(topology, router, port, name, room))
        name_step(lattice, router, port, name, room);
}
