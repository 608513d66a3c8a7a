/* SPDX-License-Identifier: Apache-2.0 */
#include "study/linkrows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORST 10

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

static int busiest_first(const void *a, const void *b)
{
    const weft_link_row *x = a, *y = b;
    if (x->busy != y->busy)
        return x->busy > y->busy ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

/* Keeps the ten busiest of what it is shown, in order. */
static void keep_worst(weft_link_summary *links, weft_link_row row)
{
    if (links->count == WORST && busiest_first(&row, &links->rows[WORST - 1]) > 0)
        return;
    if (links->count < WORST)
        links->count++;
    links->rows[links->count - 1] = row;
    qsort(links->rows, links->count, sizeof *links->rows, busiest_first);
}

bool weft_link_rows(const weft_network *network, const weft_simulation *simulation,
                    weft_arena *arena, weft_link_summary *links)
{
    const weft_topology *topology = &network->topology;
    int report = network->scenario->measure.links;
    int64_t total = 0;
    uint32_t ports = topology->ports;
    *links = (weft_link_summary){0};
    if (report == WEFT_LINKS_OFF || topology->links == 0 || ports == 0)
        return false;
    links->span = weft_simulation_now(simulation) - weft_simulation_links_since(simulation);
    if (links->span <= 0)
        return false;
    links->rows =
        WEFT_TAKE(arena, weft_link_row, report == WEFT_LINKS_ALL ? topology->links : WORST);
    for (uint32_t r = 0; r < topology->routers; r++)
        for (uint32_t p = 0; p < ports; p++) {
            if (topology->kind->peer(topology, r, p).router == WEFT_NOWHERE)
                continue;
            weft_link_row row = {.index = (int64_t)r * ports + p,
                                 .busy = weft_simulation_link_busy(simulation, r, p),
                                 .span = links->span};
            total += row.busy;
            double share = (double)row.busy / (double)links->span;
            links->max = share > links->max ? share : links->max;
            if (report == WEFT_LINKS_ALL)
                links->rows[links->count++] = row;
            else
                keep_worst(links, row);
        }
    for (size_t i = 0; i < links->count; i++)
        name_link(topology, (uint32_t)(links->rows[i].index / ports),
                  (uint32_t)(links->rows[i].index % ports), links->rows[i].name,
                  sizeof links->rows[i].name);
    links->mean = (double)total / ((double)links->span * (double)topology->links);
    return true;
}
