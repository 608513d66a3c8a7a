/* SPDX-License-Identifier: Apache-2.0 */
/* How much is looked at. Everything, if that is not too much; destinations come in an order that spreads them, so that
 * what was examined when the budget ends is a sample. On large lattices with routings that go dimension by dimension a
 * circle would have to close within one dimension, and all lines along it are alike: one of each is enough. */
#include "net/deadlock.h"

#include "base/memory.h"
#include "net/deadlock/graph.h"
#include "net/deadlock/walk.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define BUDGET      ((uint64_t)600 << 20)
#define SMALL_PAIRS ((uint64_t)1 << 22)

static bool same_routing(const weft_routing *a, const weft_routing *b)
{
    return a->kind == b->kind && a->settings == b->settings && a->topology == b->topology &&
           a->plan.lanes == b->plan.lanes && a->plan.open == b->plan.open &&
           memcmp(a->plan.class, b->plan.class, sizeof a->plan.class) == 0 &&
           memcmp(a->plan.of, b->plan.of, sizeof a->plan.of) == 0;
}

void weft_deadlock_ask(weft_deadlock_question *question, const weft_network *network,
                       bool committed)
{
    *question = (weft_deadlock_question){
        .topology = &network->topology, .lanes = network->lanes, .committed = committed};
    for (uint32_t f = 0; f < network->flows; f++) {
        const weft_flow *flow = &network->flow[f];
        bool known = false;
        for (uint32_t k = 0; k < question->flows && !known; k++)
            known = question->lane[k] == flow->lane &&
                    same_routing(question->routing[k], &flow->routing);
        if (known)
            continue;
        question->routing[question->flows] = &flow->routing;
        question->lane[question->flows++] = flow->lane;
    }
}

/* Do two kinds of packets meet in some lane? */
static bool overlap(const weft_deadlock_question *q, uint32_t a, uint32_t b)
{
    return q->lane[a] < q->lane[b] + q->routing[b]->plan.lanes &&
           q->lane[b] < q->lane[a] + q->routing[a]->plan.lanes;
}

/* May it be examined line by line? */
static bool by_lines(const weft_deadlock_question *q)
{
    if (q->whole || q->topology->lattice.dims == 0 || q->topology->faults)
        return false;
    for (uint32_t a = 0; a < q->flows; a++) {
        if (!q->routing[a]->kind->by_dimension)
            return false;
        for (uint32_t b = 0; b < a; b++)
            if (overlap(q, a, b))
                return false;
    }
    return true;
}

static uint32_t stride_of(const weft_lattice *lattice, uint32_t dim)
{
    uint32_t stride = 1;
    for (uint32_t d = dim + 1; d < lattice->dims; d++)
        stride *= lattice->size[d];
    return stride;
}

typedef struct examination {
    const weft_deadlock_question *question;
    weft_deadlock *out;
    bool lines;
    uint64_t budget;
    bool (*enough)(void *user); /* asked after every destination; NULL: never */
    void *user;
} examination;

static bool ends(const examination *e, const weft_cdg_walk *walk)
{
    return walk->steps > e->budget || (e->enough && e->enough(e->user));
}

static void walk_lines(const examination *e, weft_cdg_walk *walk)
{
    const weft_lattice *lattice = &e->question->topology->lattice;
    e->out->destinations = e->out->examined = 0;
    for (uint32_t d = 0; d < lattice->dims; d++)
        for (uint32_t i = 0, stride = stride_of(lattice, d); i < lattice->size[d]; i++) {
            e->out->destinations++;
            if (ends(e, walk))
                continue;
            e->out->examined++;
            for (uint32_t f = 0; f < e->question->flows; f++)
                weft_cdg_walk_to(walk, f, i * stride, 0, stride, lattice->size[d]);
        }
}

/* A step that visits all of 0 … count − 1 and spreads. */
static uint32_t spread(uint32_t count)
{
    uint32_t step = (uint32_t)((uint64_t)count * 618 / 1000) | 1;
    for (;; step += 2) {
        uint32_t a = count, b = step % count;
        while (b) {
            uint32_t rest = a % b;
            a = b;
            b = rest;
        }
        if (a == 1)
            return step % count ? step % count : 1;
    }
}

/* Destinations that are looked at together. */
static uint32_t block_of(const examination *e, const weft_cdg_walk *walk)
{
    for (uint32_t f = 0; f < e->question->flows; f++)
        if (weft_cdg_walk_is_plain(walk, f))
            return WEFT_CDG_BLOCK;
    return 1;
}

static void walk_whole(const examination *e, weft_cdg_walk *walk)
{
    const weft_topology *topology = e->question->topology;
    uint32_t homes = topology->homes, each = block_of(e, walk), blocks = (homes + each - 1) / each;
    e->out->destinations = homes;
    e->out->examined = 0;
    for (uint64_t i = 0, step = spread(blocks); i < blocks && !ends(e, walk); i++) {
        uint32_t first = (uint32_t)(i * step % blocks) * each;
        uint32_t count = homes - first < each ? homes - first : each;
        e->out->examined += count;
        for (uint32_t f = 0; f < e->question->flows; f++)
            if (!walk->note && weft_cdg_walk_is_plain(walk, f))
                weft_cdg_walk_block(walk, f, first + topology->exit, count);
            else
                for (uint32_t d = 0; d < count; d++)
                    weft_cdg_walk_to(walk, f, first + d + topology->exit, 0, 1, homes);
    }
}

static void walk_all(const examination *e, weft_cdg_walk *walk)
{
    if (e->lines)
        walk_lines(e, walk);
    else
        walk_whole(e, walk);
}

typedef struct witnesses { /* packets that are still looked for */
    weft_deadlock *out;
    const weft_cdg_wait *wait;
    uint32_t found;
} witnesses;

static void recognize(void *user, const weft_cdg_walk *walk, uint32_t channel, uint32_t set)
{
    witnesses *w = user;
    for (uint32_t i = 0; i < w->out->length; i++) {
        weft_deadlock_packet *packet = &w->out->circle[i];
        if (w->wait[i].channel != channel || w->wait[i].set != set || packet->from != packet->to)
            continue;
        packet->flow = walk->flow;
        packet->from = walk->from;
        packet->to = walk->to;
        w->found++;
    }
}

static bool all_found(void *user)
{
    const witnesses *w = user;
    return w->found == w->out->length;
}

/* The circle, and of every packet in it where it may come from and go to: by going the same ways again. */
static void explain(examination e, bool all)
{
    weft_deadlock *out = e.out;
    weft_cdg_wait *wait = weft_cdg_circle(out->graph, &out->length, &out->packets);
    out->circle = weft_alloc(sizeof *out->circle * out->length);
    for (uint32_t i = 0; i < out->length; i++)
        out->circle[i] = (weft_deadlock_packet){.at = weft_cdg_name(out->graph, wait[i].channel),
                                                .next = weft_cdg_name(out->graph, wait[i].next)};
    witnesses w = {.out = out, .wait = wait};
    uint32_t destinations = out->destinations, examined = out->examined;
    weft_cdg_walk walk;
    weft_cdg_walk_init(&walk, e.question, out->graph, all);
    walk.note = recognize;
    walk.user = &w;
    e.enough = all_found;
    e.user = &w;
    walk_all(&e, &walk);
    weft_cdg_walk_done(&walk);
    out->destinations = destinations;
    out->examined = examined;
    free(wait);
}

/* Builds the graph and reduces it; is there a knot? all: of all candidates, not of the escape ones. */
static bool examine(const examination *e, bool all, bool *marked)
{
    weft_deadlock *out = e->out;
    weft_cdg_walk walk;
    weft_cdg_destroy(out->graph);
    out->graph = weft_cdg_create(e->question->topology, e->question->lanes);
    weft_cdg_walk_init(&walk, e->question, out->graph, all);
    walk_all(e, &walk);
    weft_cdg_walk_done(&walk);
    weft_cdg_reduce(out->graph);
    out->several = walk.several;
    *marked = walk.marked;
    out->channels = out->graph->used_count;
    out->levels = out->graph->levels;
    return out->graph->left > 0;
}

/* Do all packets take minimal ways on a network whose minimal ways follow an order? */
static bool is_tree(const weft_deadlock_question *question)
{
    bool minimal = question->topology->acyclic && !question->topology->faults;
    for (uint32_t f = 0; f < question->flows; f++)
        minimal = minimal && question->routing[f]->kind->minimal;
    return minimal;
}

void weft_deadlock_init(weft_deadlock *out, const weft_deadlock_question *question)
{
    const weft_topology *topology = question->topology;
    uint64_t pairs = (uint64_t)topology->homes * topology->homes;
    *out = (weft_deadlock){.destinations = topology->homes, .verdict = WEFT_DEADLOCK_UNKNOWN};
    examination e = {.question = question,
                     .out = out,
                     .lines = pairs > SMALL_PAIRS && by_lines(question),
                     .budget = question->budget ? question->budget : BUDGET};
    out->by_lines = e.lines;
    if (!e.lines && weft_cdg_too_large(topology, question->lanes))
        return;
    bool marked = false, all = false, knot = examine(&e, false, &marked);
    out->escape = marked;
    if (knot && marked && !e.lines) {
        all = true;
        out->escape = false;
        knot = examine(&e, true, &marked);
    }
    if (knot) {
        out->verdict = out->several ? WEFT_DEADLOCK_UNPROVEN : WEFT_DEADLOCK_FOUND;
        explain(e, all);
    } else if (out->examined == out->destinations) {
        out->verdict = WEFT_DEADLOCK_FREE;
    } else if (is_tree(question)) {
        out->verdict = WEFT_DEADLOCK_FREE;
        out->stated = true;
    }
}

void weft_deadlock_done(weft_deadlock *deadlock)
{
    free(deadlock->circle);
    weft_cdg_destroy(deadlock->graph);
    *deadlock = (weft_deadlock){0};
}

/* By lines: the channel of the line through router 0 that is alike. */
static uint32_t alike(const weft_deadlock *deadlock, weft_channel channel)
{
    const weft_cdg *graph = deadlock->graph;
    if (deadlock->by_lines) {
        const weft_lattice *lattice = &graph->topology->lattice;
        uint32_t dim = lattice->port_dim[channel.port], stride = stride_of(lattice, dim);
        channel.router = channel.router / stride % lattice->size[dim] * stride;
    }
    return weft_cdg_channel(graph, channel.router, channel.port, channel.lane);
}

/* Does any packet wait for such a channel? Not for one that is only taken when it is free, beside an escape path. */
static bool is_waited_for(const weft_cdg *graph, weft_channel channel)
{
    const uint64_t *holds =
        graph->holds + (size_t)(channel.port * graph->lanes + channel.lane) * graph->words;
    uint64_t any = 0;
    for (uint32_t w = 0; w < graph->words; w++)
        any |= holds[w];
    return any != 0;
}

uint32_t weft_deadlock_level(const weft_deadlock *deadlock, weft_channel channel)
{
    const weft_cdg *graph = deadlock->graph;
    const weft_lattice *lattice = &graph->topology->lattice;
    uint32_t level = graph->level[alike(deadlock, channel)];
    if (!deadlock->by_lines || level == 0)
        return level;
    uint32_t later = lattice->dims - 1u - lattice->port_dim[channel.port]; /* dimensions after it */
    return (is_waited_for(graph, channel) ? later : lattice->dims) * deadlock->levels + level;
}

bool weft_deadlock_waits(const weft_deadlock *deadlock, weft_channel at, weft_channel next)
{
    const weft_cdg *graph = deadlock->graph;
    assert(!deadlock->by_lines);
    if (graph->topology->kind->peer(graph->topology, at.router, at.port).router != next.router)
        return false;
    const uint64_t *row =
        graph->rows + (size_t)weft_cdg_channel(graph, at.router, at.port, at.lane) * graph->words;
    const uint64_t *holds =
        graph->holds + (size_t)(next.port * graph->lanes + next.lane) * graph->words;
    uint64_t any = 0;
    for (uint32_t w = 0; w < graph->words; w++)
        any |= row[w] & holds[w];
    return any != 0;
}
