/* SPDX-License-Identifier: Apache-2.0 */
/* A depth-first search from every new state lists states behind all those that follow them; taken
 * backwards, every state comes before its successors, so one pass moves all flows to the end. */
#include "analysis/bounds/inflow.h"

#include "base/memory.h"
#include "net/routing.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define STATES_MAX ((uint32_t)1 << 26)

void weft_inflow_init(weft_inflow *inflow, const weft_routing *routing, weft_walk_mode mode,
                      uint32_t n_classes)
{
    uint32_t routers = routing->topology->routers;
    assert(mode == WEFT_WALK_FIXED || mode == WEFT_WALK_EVEN);
    *inflow = (weft_inflow){.routing = routing,
                            .mode = mode,
                            .n_classes = n_classes,
                            .head = weft_alloc(sizeof(uint32_t) * routers),
                            .stamp = weft_alloc(sizeof(uint32_t) * routers)};
}

void weft_inflow_done(weft_inflow *inflow)
{
    free(inflow->head);
    free(inflow->stamp);
    free(inflow->states);
    free(inflow->ways);
    free(inflow->flow);
    free(inflow->order);
    free(inflow->stack);
    free(inflow->words);
}

void weft_inflow_begin(weft_inflow *inflow, uint32_t to, uint32_t host)
{
    inflow->to = to;
    inflow->host = host;
    inflow->turn++;
    inflow->n_states = inflow->n_ways = inflow->n_order = 0;
}

static void grow_states(weft_inflow *inflow)
{
    uint32_t room = inflow->state_room ? 2 * inflow->state_room : 1024;
    inflow->state_room = room;
    inflow->states = weft_realloc(inflow->states, room, sizeof *inflow->states);
    inflow->flow = weft_realloc(inflow->flow, (size_t)room * inflow->n_classes, sizeof(double));
    inflow->order = weft_realloc(inflow->order, room, sizeof *inflow->order);
    inflow->stack = weft_realloc(inflow->stack, room, sizeof *inflow->stack);
}

/* The ways of a state, all with the same part of its packets; returns how many. */
static unsigned ask(weft_inflow *inflow, uint32_t router, uint32_t header, weft_candidate *out)
{
    const weft_routing *routing = inflow->routing;
    const weft_topology *topology = routing->topology;
    weft_minimal_port ports[WEFT_MINIMAL_PORTS_MAX];
    unsigned count;
    if (inflow->mode == WEFT_WALK_EVEN || (routing->straight && !topology->faults)) {
        unsigned most = inflow->mode == WEFT_WALK_EVEN ? WEFT_MINIMAL_PORTS_MAX : 1;
        count = topology->kind->minimal_ports(topology, router, header, most, ports);
        for (unsigned i = 0; i < count; i++)
            out[i] = (weft_candidate){.port = ports[i].port, .next_header = ports[i].next_header};
        return count;
    }
    weft_route_context here = {.router = router, .header = header, .port = WEFT_FROM_ENDPOINT};
    count = weft_routing_candidates(routing, &here, NULL, out);
    inflow->failed = inflow->failed || count != 1;
    return count;
}

/* The state of packets with a header at a router; *fresh: it is new, and its ways are listed. */
static uint32_t find(weft_inflow *inflow, uint32_t router, uint32_t header, bool *fresh)
{
    uint32_t at = inflow->stamp[router] == inflow->turn ? inflow->head[router] : WEFT_NOWHERE;
    uint32_t head = at;
    for (; at != WEFT_NOWHERE; at = inflow->states[at].other)
        if (inflow->states[at].header == header) {
            *fresh = false;
            return at;
        }
    *fresh = true;
    if (inflow->n_states == inflow->state_room)
        grow_states(inflow);
    at = inflow->n_states++;
    inflow->states[at] = (weft_inflow_state){
        .router = router, .header = header, .other = head, .first = inflow->n_ways};
    memset(inflow->flow + (size_t)at * inflow->n_classes, 0, sizeof(double) * inflow->n_classes);
    inflow->head[router] = at;
    inflow->stamp[router] = inflow->turn;
    inflow->steps++;
    return at;
}

/* Lists the ways of a new state; their states follow. */
static void expand(weft_inflow *inflow, uint32_t at)
{
    const weft_topology *topology = inflow->routing->topology;
    weft_candidate out[WEFT_MINIMAL_PORTS_MAX];
    weft_inflow_state *state = &inflow->states[at];
    state->n_ways = ask(inflow, state->router, state->header, out);
    state->first = inflow->n_ways;
    while (inflow->n_ways + state->n_ways > inflow->way_room) {
        inflow->way_room = inflow->way_room ? 2 * inflow->way_room : 4096;
        inflow->ways = weft_realloc(inflow->ways, inflow->way_room, sizeof *inflow->ways);
    }
    for (uint32_t i = 0; i < state->n_ways; i++)
        inflow->ways[inflow->n_ways++] = (weft_inflow_way){
            .port = out[i].port,
            .class = (uint8_t)weft_topology_link_class(topology, state->router, out[i].port),
            .state = out[i].next_header}; /* its header, until it is followed */
}

/* Follows a new state and all behind it that are new too. */
static void follow(weft_inflow *inflow, uint32_t root)
{
    const weft_topology *topology = inflow->routing->topology;
    expand(inflow, root);
    inflow->depth = 0;
    inflow->stack[inflow->depth++] = root;
    while (inflow->depth > 0 && !inflow->failed) {
        uint32_t at = inflow->stack[inflow->depth - 1];
        weft_inflow_state *state = &inflow->states[at];
        if (state->visited == state->n_ways) {
            inflow->order[inflow->n_order++] = at;
            inflow->depth--;
            continue;
        }
        weft_inflow_way *way = &inflow->ways[state->first + state->visited++];
        if (way->state == 0) {
            way->state = WEFT_NOWHERE;
            continue;
        }
        bool fresh;
        uint32_t next = topology->kind->peer(topology, state->router, way->port).router;
        uint32_t behind = find(inflow, next, way->state, &fresh);
        way->state = behind;
        if (!fresh)
            continue;
        expand(inflow, behind);
        inflow->stack[inflow->depth++] = behind;
        inflow->failed = inflow->failed || inflow->n_states > STATES_MAX;
    }
}

static void take_word(void *user, uint32_t word)
{
    weft_inflow *inflow = user;
    if (inflow->n_words == inflow->word_room) {
        inflow->word_room = inflow->word_room ? 2 * inflow->word_room : 64;
        inflow->words = weft_realloc(inflow->words, inflow->word_room, sizeof *inflow->words);
    }
    inflow->words[inflow->n_words++] = word;
}

void weft_inflow_add(weft_inflow *inflow, uint32_t from, uint32_t came, double flow)
{
    const weft_routing *routing = inflow->routing;
    uint32_t class = came < inflow->n_classes ? came : 0;
    inflow->n_words = 0;
    if (from == inflow->to)
        take_word(inflow, 0);
    else
        (void)weft_routing_starts(routing, from, inflow->to, take_word, inflow);
    for (uint32_t i = 0; i < inflow->n_words && !inflow->failed; i++) {
        uint32_t word = inflow->words[i];
        word = word ? weft_routing_header_for_host(routing, word, inflow->host) : 0;
        inflow->steps++;
        if (!word) {
            inflow->arrive(inflow->user, came, flow / inflow->n_words);
            continue;
        }
        bool fresh;
        uint32_t at = find(inflow, from, word, &fresh);
        if (fresh)
            follow(inflow, at);
        inflow->flow[(size_t)at * inflow->n_classes + class] += flow / inflow->n_words;
    }
}

static void move(weft_inflow *inflow, const weft_inflow_state *state, const double *flow)
{
    for (uint32_t i = 0; i < state->n_ways; i++) {
        const weft_inflow_way *way = &inflow->ways[state->first + i];
        uint32_t class = way->class < inflow->n_classes ? way->class : 0;
        double all = 0;
        for (uint32_t came = 0; came < inflow->n_classes; came++) {
            double part = flow[came] / state->n_ways;
            if (!(part > 0))
                continue;
            inflow->pass(inflow->user, state->router, way->port, came, part);
            all += part;
        }
        if (way->state == WEFT_NOWHERE)
            inflow->arrive(inflow->user, class, all);
        else
            inflow->flow[(size_t)way->state * inflow->n_classes + class] += all;
    }
}

bool weft_inflow_run(weft_inflow *inflow)
{
    for (uint32_t i = inflow->n_order; i-- > 0 && !inflow->failed;) {
        uint32_t at = inflow->order[i];
        move(inflow, &inflow->states[at], inflow->flow + (size_t)at * inflow->n_classes);
    }
    return !inflow->failed;
}
