/* SPDX-License-Identifier: Apache-2.0 */
/* Packets that follow forwarding tables: what a packet does follows from where it is and where it goes, so one question for every
 * pair of these says all. Destinations are taken in blocks, because tables have the ports of a router side by side. */
#include "base/memory.h"
#include "net/deadlock/walk.h"

#include <string.h>

#define CHEAP 8 /* so many take the time of one step elsewhere */

bool weft_cdg_walk_is_plain(const weft_cdg_walk *walk, uint32_t flow)
{
    const weft_routing_kind *kind = walk->question->routing[flow]->kind;
    return kind->addressed && !kind->turns && !walk->question->committed;
}

static void prepare(weft_cdg_walk *walk)
{
    const weft_topology *topology = walk->question->topology;
    size_t cells = (size_t)topology->routers * WEFT_CDG_BLOCK;
    if (!walk->block) {
        size_t links = (size_t)topology->routers * topology->ports;
        walk->block = weft_alloc(sizeof *walk->block * cells);
        walk->behind = weft_alloc(sizeof *walk->behind * (links + 1));
        for (size_t i = 0; i < links; i++)
            walk->behind[i] = topology->kind
                                  ->peer(topology, (uint32_t)(i / topology->ports),
                                         (uint32_t)(i % topology->ports))
                                  .router;
    }
    memset(walk->block, 0, sizeof *walk->block * cells);
}

static uint16_t *cell_of(const weft_cdg_walk *walk, uint32_t router, uint32_t d)
{
    return &walk->block[(size_t)router * WEFT_CDG_BLOCK + d];
}

static uint32_t next_of(const weft_cdg_walk *walk, uint32_t router, uint32_t set)
{
    const weft_cdg *graph = walk->graph;
    return walk->behind[router * graph->ports + graph->steps[graph->sets[set].first].port];
}

/* A packet at a router for the destination `to`, the d-th of the block. */
static void ask(weft_cdg_walk *walk, uint32_t router, uint32_t to, uint32_t d)
{
    const weft_routing *routing = walk->question->routing[walk->flow];
    weft_here here = {.router = router, .route = to + 1, .port = WEFT_FROM_ENDPOINT};
    weft_hop hop;
    (void)routing->kind->hops(routing, &here, NULL, &hop);
    weft_cdg_step step = {hop.port, (uint16_t)(hop.lanes << walk->question->lane[walk->flow])};
    weft_cdg_known *known = &walk->known[hop.port];
    if (known->lanes != step.lanes)
        *known = (weft_cdg_known){step.lanes, (uint16_t)weft_cdg_find(walk->graph, &step, 1)};
    *cell_of(walk, router, d) = known->set;
}

/* Every home sends; packets may then come through routers that do not. */
static void ask_all(weft_cdg_walk *walk, uint32_t to, uint32_t count)
{
    uint32_t homes = walk->question->topology->homes;
    for (uint32_t r = 0; r < homes; r++)
        for (uint32_t d = 0; d < count; d++)
            if (r != to + d)
                ask(walk, r, to + d, d);
    for (uint32_t r = 0; r < homes && homes < walk->question->topology->routers; r++)
        for (uint32_t d = 0; d < count; d++)
            for (uint32_t at = r; at != to + d;) {
                uint32_t next = next_of(walk, at, *cell_of(walk, at, d));
                if (next < homes || next == to + d || *cell_of(walk, next, d))
                    break;
                ask(walk, next, to + d, d);
                at = next;
            }
}

void weft_cdg_walk_block(weft_cdg_walk *walk, uint32_t flow, uint32_t to, uint32_t count)
{
    weft_cdg *graph = walk->graph;
    walk->flow = flow;
    prepare(walk);
    ask_all(walk, to, count);
    walk->steps += (uint64_t)walk->question->topology->routers * count / CHEAP;
    for (uint32_t r = 0; r < walk->question->topology->routers; r++)
        for (uint32_t d = 0; d < count; d++) {
            uint32_t set = *cell_of(walk, r, d);
            if (set == 0)
                continue;
            const weft_cdg_step *step = &graph->steps[graph->sets[set].first];
            uint32_t next = *cell_of(walk, next_of(walk, r, set), d); /* 0 at the destination */
            for (uint32_t lanes = step->lanes; lanes; lanes &= lanes - 1)
                weft_cdg_add(graph,
                             weft_cdg_channel(graph, r, step->port, (uint32_t)__builtin_ctz(lanes)),
                             next);
        }
}
