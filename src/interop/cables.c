/* SPDX-License-Identifier: Apache-2.0 */
#include "interop/cables.h"

#include "base/memory.h"

#include <stdlib.h>

static void look(weft_cables *cables, const weft_topology *topology, weft_end from)
{
    weft_end to = topology->kind->peer(topology, from.router, from.port);
    if (to.router == WEFT_NOWHERE)
        return;
    /* From its other end a cable with both directions is in the list already. */
    bool listed = to.router < from.router || (to.router == from.router && to.port < from.port);
    if (listed && !cables->one_way)
        return;
    if (!weft_topology_alive(topology, from.router, from.port)) {
        cables->down++;
        return;
    }
    cables->at[cables->count++] =
        (weft_cable){.end = {from, to}, .class = topology->port_class[from.port]};
}

static void list_fabric(weft_cables *cables, const weft_topology *topology, const weft_weftnet *net)
{
    if (topology->faults)
        cables->number = weft_alloc(sizeof *cables->number * net->n_cables + 1);
    for (uint32_t c = 0; c < net->n_cables; c++) {
        weft_end end = net->cables[c].end[0];
        if (!weft_topology_alive(topology, end.router, end.port)) {
            cables->down++;
            continue;
        }
        if (cables->number)
            cables->number[cables->count] = c;
        cables->at[cables->count++] = net->cables[c];
    }
}

static void find_gone(weft_cables *cables, const weft_topology *topology)
{
    uint32_t exits = topology->egress_offset;
    cables->gone = weft_alloc(topology->routers);
    for (uint32_t r = topology->edge_routers; r < topology->routers; r++)
        cables->gone[r] = r < exits || r >= exits + topology->edge_routers;
    for (size_t c = 0; c < cables->count; c++)
        for (int e = 0; e < 2; e++)
            cables->gone[cables->at[c].end[e].router] = false;
}

void weft_cables_init(weft_cables *cables, const weft_topology *topology)
{
    const weft_weftnet *net = weft_weftnet_of(topology);
    size_t links = net ? net->n_cables : topology->links;
    *cables = (weft_cables){.at = weft_alloc(sizeof *cables->at * links + 1)};
    cables->one_way = !net && !weft_topology_bidirectional(topology);
    if (net)
        list_fabric(cables, topology, net);
    for (uint32_t r = 0; !net && r < topology->routers; r++)
        for (uint32_t p = 0; p < topology->ports; p++)
            look(cables, topology, (weft_end){r, p});
    if (topology->faults)
        find_gone(cables, topology);
}

uint32_t weft_cables_routers(const weft_cables *cables, const weft_topology *topology)
{
    uint32_t routers = topology->routers;
    for (uint32_t r = 0; cables->gone && r < topology->routers; r++)
        routers -= cables->gone[r];
    return routers;
}

void weft_cables_done(weft_cables *cables)
{
    free(cables->at);
    free(cables->number);
    free(cables->gone);
    *cables = (weft_cables){0};
}

const char *weft_cables_class(uint32_t class)
{
    static const char *const names[WEFT_LINK_CLASSES] = {[WEFT_LINK_LOCAL] = "local",
                                                         [WEFT_LINK_GLOBAL] = "global",
                                                         [WEFT_LINK_HOST] = "host",
                                                         [WEFT_LINK_REGIONAL] = "regional"};
    return names[class];
}
