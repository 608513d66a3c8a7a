/* SPDX-License-Identifier: Apache-2.0 */
/* Routes depend on a packet's router and destination only, so a table of the port for every pair
 * determines them. Destinations are taken in blocks: the ports of a router to all of a block are
 * one cache line, and those of its few neighbours are others. For every link the next ports of its
 * packets are recorded; all VCs are equivalent. */
#include "analysis/deadlock/block.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NONE  UINT8_MAX
#define CHEAP 32 /* so many take the time of one step elsewhere */

typedef struct spot { /* where packets come that no home sends */
    uint32_t router, nth;
} spot;

struct weft_cdg_block {
    const weft_topology *topology;
    const weft_routing *routing;
    uint32_t vc;      /* the first that is the flow's own */
    uint32_t words;   /* of a link's ports */
    uint32_t *behind; /* [link = router × ports + port]: the router there */
    uint64_t
        *onward;   /* [link × words]: bit p: packets go on by port p, bit ports: they are there */
    uint8_t *port; /* [router × WEFT_TABLE_COLUMNS + nth destination] */
    uint64_t *reached;  /* [router]: of which destinations packets come here; NULL: all are homes */
    uint32_t to, count; /* destinations in port */
    spot *stack;
    uint32_t stacked, room;
};

bool weft_cdg_block_suits(const weft_deadlock_question *question, uint32_t traffic_class)
{
    const weft_routing_kind *kind = question->routing[traffic_class]->kind;
    return kind->proof.table_columns && !question->routing[traffic_class]->by_host &&
           !kind->proof.reroute_outcomes && !question->committed;
}

weft_cdg_block *weft_cdg_block_create(const weft_deadlock_question *question,
                                      uint32_t traffic_class)
{
    const weft_topology *topology = question->topology;
    size_t links = (size_t)topology->routers * topology->ports;
    weft_cdg_block *block = weft_alloc(sizeof *block);
    *block = (weft_cdg_block){.topology = topology,
                              .routing = question->routing[traffic_class],
                              .vc = question->vc[traffic_class],
                              .words = topology->ports / 64 + 1};
    block->behind = weft_alloc(sizeof *block->behind * (links + 1));
    block->onward = weft_alloc(sizeof *block->onward * (links * block->words + 1));
    block->port = weft_alloc((size_t)topology->routers * WEFT_TABLE_COLUMNS);
    if (topology->edge_routers < topology->routers)
        block->reached = weft_alloc(sizeof *block->reached * topology->routers);
    for (size_t i = 0; i < links; i++) {
        uint32_t router = (uint32_t)(i / topology->ports), port = (uint32_t)(i % topology->ports);
        block->behind[i] = topology->kind->peer(topology, router, port).router;
    }
    return block;
}

void weft_cdg_block_destroy(weft_cdg_block *block)
{
    if (!block)
        return;
    free(block->behind);
    free(block->onward);
    free(block->port);
    free(block->reached);
    free(block->stack);
    free(block);
}

/* A packet for a destination comes to a router: is it the first one there, where no home is? */
static void reach(weft_cdg_block *block, uint32_t router, uint32_t nth)
{
    uint64_t bit = (uint64_t)1 << nth;
    if (router < block->topology->edge_routers || block->reached[router] & bit)
        return;
    block->reached[router] |= bit;
    if (block->stacked == block->room) {
        block->room = block->room ? 2 * block->room : 256;
        block->stack = weft_realloc(block->stack, block->room, sizeof *block->stack);
    }
    block->stack[block->stacked++] = (spot){router, nth};
}

static uint32_t next_of(const weft_cdg_block *block, uint32_t router, uint32_t nth)
{
    uint8_t port = block->port[(size_t)router * WEFT_TABLE_COLUMNS + nth];
    return port == NONE ? WEFT_NOWHERE
                        : block->behind[(size_t)router * block->topology->ports + port];
}

/* Finds out through which routers without endpoints packets come. */
static void reach_all(weft_cdg_block *block, uint32_t count)
{
    const weft_topology *topology = block->topology;
    memset(block->reached + topology->edge_routers, 0,
           sizeof *block->reached * (topology->routers - topology->edge_routers));
    for (uint32_t home = 0; home < topology->edge_routers; home++) {
        for (uint32_t nth = 0; nth < count; nth++) {
            uint32_t next = next_of(block, home, nth);
            if (next != WEFT_NOWHERE)
                reach(block, next, nth);
        }
        while (block->stacked > 0) {
            spot at = block->stack[--block->stacked];
            uint32_t next = next_of(block, at.router, at.nth);
            if (next != WEFT_NOWHERE)
                reach(block, next, at.nth);
        }
    }
}

/* The packets that are at a router, and those of them that are for the destinations in `who`. */
static void look_from(weft_cdg_block *block, uint32_t router, uint64_t who)
{
    uint32_t ports = block->topology->ports, words = block->words;
    const uint8_t *row = block->port + (size_t)router * WEFT_TABLE_COLUMNS;
    const uint32_t *behind = block->behind + (size_t)router * ports;
    uint64_t *onward = block->onward + (size_t)router * ports * words;
    for (; who; who &= who - 1) {
        uint32_t nth = (uint32_t)__builtin_ctzll(who);
        if (row[nth] == NONE)
            continue;
        uint8_t next = block->port[(size_t)behind[row[nth]] * WEFT_TABLE_COLUMNS + nth];
        uint32_t bit = next == NONE ? ports : next;
        onward[row[nth] * words + bit / 64] |= (uint64_t)1 << bit % 64;
    }
}

uint64_t weft_cdg_block_look(weft_cdg_block *block, uint32_t to, uint32_t count)
{
    const weft_topology *topology = block->topology;
    uint64_t all = count < 64 ? ((uint64_t)1 << count) - 1 : UINT64_MAX;
    assert(count > 0 && count <= WEFT_TABLE_COLUMNS);
    block->to = to;
    block->count = count;
    block->routing->kind->proof.table_columns(block->routing, to, count, block->port);
    if (block->reached)
        reach_all(block, count);
    for (uint32_t r = 0; r < topology->routers; r++)
        look_from(block, r,
                  r < topology->edge_routers || !block->reached ? all : block->reached[r]);
    return (uint64_t)topology->routers * count / CHEAP;
}

/* Does a packet from a home for the nth destination come through a router? */
static bool comes_through(const weft_cdg_block *block, uint32_t home, uint32_t nth, uint32_t router)
{
    uint32_t at = home;
    while (at != WEFT_NOWHERE && at != router)
        at = next_of(block, at, nth);
    return at == router;
}

bool weft_cdg_block_find(const weft_cdg_block *block, uint32_t link, uint32_t next, uint32_t *from,
                         uint32_t *to)
{
    uint32_t ports = block->topology->ports, router = link / ports;
    const uint8_t *row = block->port + (size_t)router * WEFT_TABLE_COLUMNS;
    const uint8_t *row_behind = block->port + (size_t)block->behind[link] * WEFT_TABLE_COLUMNS;
    for (uint32_t nth = 0; nth < block->count; nth++) {
        if (row[nth] != link % ports || row_behind[nth] != next)
            continue;
        for (uint32_t home = router < block->topology->edge_routers ? router : 0;
             home < block->topology->edge_routers; home++)
            if (comes_through(block, home, nth, router)) {
                *from = home;
                *to = block->to + nth;
                return true;
            }
    }
    return false;
}

/* The VCs that packets use, which are the same at every hop; 0: nobody goes anywhere. */
static uint16_t vcs_of(const weft_cdg_block *block)
{
    const weft_routing *routing = block->routing;
    if (block->topology->edge_routers < 2)
        return 0;
    weft_route_context here = {
        .router = 0, .header = 2, .port = WEFT_FROM_ENDPOINT}; /* to router 1 */
    weft_candidate hop;
    (void)routing->kind->candidates(routing, &here, NULL, &hop);
    return hop.vcs;
}

static void add_link(const weft_cdg_block *block, weft_cdg *graph, uint32_t link, uint32_t vcs)
{
    uint32_t ports = block->topology->ports;
    const uint64_t *onward = block->onward + (size_t)link * block->words;
    for (uint32_t w = 0; w < block->words; w++)
        for (uint64_t left = onward[w]; left; left &= left - 1) {
            uint32_t port = 64 * w + (uint32_t)__builtin_ctzll(left);
            weft_cdg_step step = {(uint16_t)port, (uint16_t)vcs};
            uint32_t set = weft_cdg_find(graph, &step, port < ports);
            for (uint32_t some = vcs; some; some &= some - 1)
                weft_cdg_add(graph, link * graph->vcs + (uint32_t)__builtin_ctz(some), set);
        }
}

void weft_cdg_block_add(const weft_cdg_block *block, weft_cdg *graph)
{
    uint32_t links = block->topology->routers * block->topology->ports;
    uint32_t vcs = graph->vcs == 1 ? 1 : (uint32_t)vcs_of(block) << block->vc;
    for (uint32_t link = 0; link < links; link++)
        add_link(block, graph, link, vcs);
}
