/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/deadlock/walk.h"

#include "base/memory.h"
#include "net/routing.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define DRAWS 32 /* that are compared, of candidates that use their random stream */

void weft_cdg_walk_init(weft_cdg_walk *walk, const weft_deadlock_question *question,
                        weft_cdg *graph, bool all)
{
    *walk = (weft_cdg_walk){.question = question, .graph = graph, .all = all};
    walk->met_size = 1024;
    walk->met = weft_alloc(sizeof *walk->met * walk->met_size);
}

void weft_cdg_walk_done(weft_cdg_walk *walk)
{
    free(walk->met);
    free(walk->stack);
}

/* Entries of earlier turns count as empty. */
static weft_cdg_met *look_up(const weft_cdg_walk *walk, uint64_t key)
{
    uint64_t hash = key * 0x9e3779b97f4a7c15u;
    uint32_t mask = walk->met_size - 1, at = (uint32_t)(hash >> 32) & mask;
    while (walk->met[at].turn == walk->turn && walk->met[at].key != key)
        at = (at + 1) & mask;
    return &walk->met[at];
}

static void grow(weft_cdg_walk *walk)
{
    weft_cdg_met *old = walk->met;
    uint32_t size = walk->met_size;
    walk->met_size *= 2;
    walk->met = weft_alloc(sizeof *walk->met * walk->met_size);
    for (uint32_t i = 0; i < size; i++)
        if (old[i].turn == walk->turn)
            *look_up(walk, old[i].key) = old[i];
    free(old);
}

/* Was it met in this turn? Then what was noted there; else notes the set. */
static bool meet(weft_cdg_walk *walk, uint32_t index, uint32_t word, uint32_t **set)
{
    if (2 * walk->n_met >= walk->met_size)
        grow(walk);
    uint64_t key = (uint64_t)index << 32 | word;
    weft_cdg_met *met = look_up(walk, key);
    *set = &met->set;
    if (met->turn == walk->turn)
        return true;
    *met = (weft_cdg_met){.key = key, .turn = walk->turn};
    walk->n_met++;
    return false;
}

static void push(weft_cdg_walk *walk, uint32_t channel, uint32_t word)
{
    if (walk->stacked == walk->stack_room) {
        walk->stack_room = walk->stack_room ? 2 * walk->stack_room : 256;
        walk->stack = weft_realloc(walk->stack, walk->stack_room, sizeof *walk->stack);
    }
    walk->stack[walk->stacked++] = (weft_cdg_place){channel, word};
}

static const weft_routing *routing_of(const weft_cdg_walk *walk)
{
    return walk->question->routing[walk->traffic_class];
}

/* What a packet may do follows from router and word alone, so each of these is looked at once. */
static bool is_blind(const weft_cdg_walk *walk)
{
    const weft_routing_kind *kind = routing_of(walk)->kind;
    bool blind = kind->proof.input_independent ||
                 (kind->proof.dimension_ordered && walk->question->topology->lattice.dims == 0);
    return blind && !walk->question->committed;
}

static void record(weft_cdg_walk *walk, uint32_t channel, uint32_t set)
{
    if (walk->note)
        walk->note(walk->user, walk, channel, set);
    else
        weft_cdg_add(walk->graph, channel, set);
}

/* A packet leaves by a VC of a candidate. */
static void go(weft_cdg_walk *walk, uint32_t router, const weft_candidate *hop, uint32_t vc)
{
    uint32_t channel = weft_cdg_channel(walk->graph, router, hop->port, vc), *set;
    walk->steps++;
    if (hop->next_header == 0)
        record(walk, channel, 0);
    else if (is_blind(walk) || !meet(walk, channel, hop->next_header, &set))
        push(walk, channel, hop->next_header);
}

/* True if the candidates of a packet are the same with other draws, in whatever order. */
static bool is_same(const weft_routing *routing, const weft_route_context *here, unsigned count,
                    const weft_candidate *hops)
{
    weft_candidate other[WEFT_MINIMAL_PORTS_MAX];
    for (uint32_t draw = 1; draw <= DRAWS; draw++) {
        weft_random random = weft_random_stream(draw, here->header, here->router, 0);
        unsigned same = 0, found = weft_routing_candidates(routing, here, &random, other);
        for (unsigned i = 0; i < found; i++)
            for (unsigned j = 0; j < count; j++)
                same += other[i].port == hops[j].port && other[i].vcs == hops[j].vcs &&
                        other[i].next_header == hops[j].next_header;
        if (found != count || same < count)
            return false;
    }
    return true;
}

static unsigned ask(weft_cdg_walk *walk, const weft_route_context *here, weft_candidate *hops)
{
    const weft_routing *routing = routing_of(walk);
    weft_random start = weft_random_stream(0, here->header, here->router, 0), random = start;
    unsigned count = weft_routing_candidates(routing, here, &random, hops);
    if (routing->kind->base.foreign && !walk->drawn && memcmp(&start, &random, sizeof start) != 0)
        walk->drawn = !is_same(routing, here, count, hops);
    bool one = walk->graph->vcs < walk->question->vcs; /* stands for all */
    for (unsigned i = 0; i < count; i++) {
        assert(hops[i].vcs);
        hops[i].vcs = one ? 1 : (uint16_t)(hops[i].vcs << walk->question->vc[walk->traffic_class]);
        walk->several |= i > 0;
        walk->marked |= hops[i].escape;
    }
    return count;
}

/* The alternatives among candidates: the escape ones, if there are such. */
static unsigned choose(const weft_cdg_walk *walk, const weft_candidate *hops, unsigned count,
                       weft_cdg_step *steps)
{
    bool escape = false;
    for (unsigned i = 0; i < count && !walk->all; i++)
        escape |= hops[i].escape;
    unsigned kept = 0;
    for (unsigned i = 0; i < count; i++)
        if (!escape || hops[i].escape)
            steps[kept++] = (weft_cdg_step){hops[i].port, hops[i].vcs};
    return kept;
}

/* Who has to choose a VC before there is room waits for that one alone: a set for each. */
static void record_each(weft_cdg_walk *walk, uint32_t channel, const weft_cdg_step *steps,
                        unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        for (uint32_t vcs = steps[i].vcs; vcs; vcs &= vcs - 1) {
            weft_cdg_step one = {steps[i].port, (uint16_t)(vcs & (0u - vcs))};
            record(walk, channel, weft_cdg_find(walk->graph, &one, 1));
        }
}

/* A packet that is settled at a router, in this channel (WEFT_NOWHERE: at its endpoint). */
static void settled(weft_cdg_walk *walk, const weft_route_context *here, uint32_t channel)
{
    bool committed = walk->question->committed;
    uint32_t *known = NULL;
    if (is_blind(walk) && meet(walk, here->router, here->header, &known)) {
        if (channel != WEFT_NOWHERE)
            record(walk, channel, *known);
        return;
    }
    weft_candidate hops[WEFT_MINIMAL_PORTS_MAX];
    weft_cdg_step steps[WEFT_MINIMAL_PORTS_MAX];
    unsigned count = ask(walk, here, hops), kept = choose(walk, hops, count, steps);
    if (committed && channel != WEFT_NOWHERE) {
        record_each(walk, channel, steps, kept);
    } else if (!committed) {
        uint32_t set = weft_cdg_find(walk->graph, steps, kept);
        if (known)
            *known = set;
        if (channel != WEFT_NOWHERE)
            record(walk, channel, set);
    }
    for (unsigned i = 0; i < count; i++)
        for (uint32_t vcs = hops[i].vcs; vcs; vcs &= vcs - 1)
            go(walk, here->router, &hops[i], (uint32_t)__builtin_ctz(vcs));
}

typedef struct arrival { /* of a packet whose word may still change */
    weft_cdg_walk *walk;
    weft_route_context here;
    uint32_t channel;
} arrival;

static void turn(void *user, uint32_t word)
{
    arrival *at = user;
    weft_route_context here = at->here;
    here.header = word;
    settled(at->walk, &here, at->channel);
}

static void arrive(weft_cdg_walk *walk, const weft_route_context *here, uint32_t channel)
{
    const weft_routing *routing = routing_of(walk);
    arrival at = {walk, *here, channel};
    if (routing->kind->proof.reroute_outcomes)
        (void)routing->kind->proof.reroute_outcomes(routing, here, turn, &at);
    else
        settled(walk, here, channel);
}

static void follow(weft_cdg_walk *walk)
{
    const weft_topology *topology = walk->question->topology;
    while (walk->stacked > 0) {
        weft_cdg_place place = walk->stack[--walk->stacked];
        weft_channel at = weft_cdg_name(walk->graph, place.channel);
        weft_end end = topology->kind->peer(topology, at.router, at.port);
        assert(end.router != WEFT_NOWHERE);
        weft_route_context here = {.router = end.router,
                                   .header = place.word,
                                   .port = (uint16_t)end.port,
                                   .vc =
                                       (uint16_t)(at.vc - walk->question->vc[walk->traffic_class])};
        arrive(walk, &here, place.channel);
    }
}

static void start(void *user, uint32_t word)
{
    weft_cdg_walk *walk = user;
    const weft_routing *routing = routing_of(walk);
    for (uint32_t host = 0; host < weft_routing_hosts(routing); host++) {
        weft_route_context here = {.router = walk->from,
                                   .header = weft_routing_header_for_host(routing, word, host),
                                   .port = WEFT_FROM_ENDPOINT};
        arrive(walk, &here, WEFT_NOWHERE);
        follow(walk);
    }
}

void weft_cdg_walk_to(weft_cdg_walk *walk, uint32_t traffic_class, uint32_t to)
{
    walk->traffic_class = traffic_class;
    walk->to = to;
    walk->turn++;
    walk->n_met = 0;
}

void weft_cdg_walk_from(weft_cdg_walk *walk, uint32_t first, uint32_t stride, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        walk->from = first + i * stride;
        if (walk->from != walk->to)
            (void)weft_routing_starts(routing_of(walk), walk->from, walk->to, start, walk);
    }
}
