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
    cables->at[cables->count++] =
        (weft_cable){.end = {from, to}, .class = topology->port_class[from.port]};
}

void weft_cables_init(weft_cables *cables, const weft_topology *topology)
{
    const weft_weftnet *net = weft_weftnet_of(topology);
    size_t links = net ? net->n_cables : topology->links;
    *cables = (weft_cables){.at = weft_alloc(sizeof *cables->at * links + 1)};
    if (net) {
        memcpy(cables->at, net->cables, sizeof *cables->at * net->n_cables);
        cables->count = net->n_cables;
        return;
    }
    cables->one_way = !weft_topology_bidirectional(topology);
    for (uint32_t r = 0; r < topology->routers; r++)
        for (uint32_t p = 0; p < topology->ports; p++)
            look(cables, topology, (weft_end){r, p});
}

void weft_cables_done(weft_cables *cables)
{
    free(cables->at);
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
