/* SPDX-License-Identifier: Apache-2.0 */
/* A question is answered by the first applicable method: by construction, phase by phase, by a part
 * of the packets that determines the rest, by all packets. Small networks are always examined
 * whole. */
#include "analysis/deadlock/deadlock.h"

#include "analysis/deadlock/block.h"
#include "analysis/deadlock/explain.h"
#include "analysis/deadlock/legs.h"
#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define BUDGET      ((uint64_t)600 << 20)
#define SMALL_PAIRS ((uint64_t)1 << 22)

static bool same_routing(const weft_routing *a, const weft_routing *b)
{
    return a->kind == b->kind && a->settings == b->settings && a->topology == b->topology &&
           a->has_sl == b->has_sl && a->sl == b->sl && a->plan.n_vcs == b->plan.n_vcs &&
           a->plan.open == b->plan.open &&
           memcmp(a->plan.dateline, b->plan.dateline, sizeof a->plan.dateline) == 0 &&
           memcmp(a->plan.by_class, b->plan.by_class, sizeof a->plan.by_class) == 0;
}

void weft_deadlock_ask(weft_deadlock_question *question, const weft_network *network,
                       bool committed)
{
    *question = (weft_deadlock_question){
        .topology = &network->topology, .vcs = network->vcs, .committed = committed};
    uint32_t managing = 0; /* packets of VL 15 wait for no credits */
    for (uint32_t f = 0; f < network->n_traffic_classes; f++)
        managing += weft_network_manages(network, f);
    for (uint32_t f = 0; f < network->n_traffic_classes; f++) {
        const weft_traffic_class *traffic_class = &network->traffic_classes[f];
        bool known = weft_network_manages(network, f) && managing < network->n_traffic_classes;
        for (uint32_t k = 0; k < question->traffic_classes && !known; k++)
            known = question->vc[k] == traffic_class->vc &&
                    same_routing(question->routing[k], &traffic_class->routing);
        if (known)
            continue;
        question->routing[question->traffic_classes] = &traffic_class->routing;
        question->vc[question->traffic_classes++] = traffic_class->vc;
    }
}

/* Are there too many packets to follow all without need? */
static bool is_large(const weft_deadlock_question *question)
{
    uint64_t homes = question->topology->edge_routers, pairs = 0;
    for (uint32_t f = 0; f < question->traffic_classes; f++)
        pairs += homes * homes * (question->routing[f]->kind->proof.n_phases ? homes : 1) *
                 weft_routing_hosts(question->routing[f]);
    return question->parts || pairs > SMALL_PAIRS;
}

/* VCs of the graph: one stands for all where everybody uses all alike. */
static uint32_t count_vcs(const weft_deadlock_question *question)
{
    bool alike = question->traffic_classes == 1 && weft_cdg_block_suits(question, 0);
    return alike ? 1 : question->vcs;
}

/* Routers whose channels the graph keeps. */
static uint32_t count_kept(const weft_examination *e)
{
    return e->method == WEFT_CDG_ORBITS ? e->period : e->question->topology->routers;
}

static bool is_too_large(const weft_examination *e)
{
    return e->method != WEFT_CDG_LINES &&
           weft_cdg_too_large(e->question->topology, count_kept(e), count_vcs(e->question));
}

static void note_method(const weft_examination *e)
{
    weft_deadlock *out = e->out;
    const weft_deadlock_question *question = e->question;
    out->by_lines = e->method == WEFT_CDG_LINES;
    out->by_planes = e->method == WEFT_CDG_PLANES;
    out->by_symmetry = e->method == WEFT_CDG_ORBITS;
    out->sources = e->method == WEFT_CDG_ORBITS ? e->period : question->topology->edge_routers;
    out->merged = 1;
    if (count_vcs(question) < question->vcs)
        out->merged = question->routing[0]->plan.n_vcs;
}

/* Builds the graph and reduces it; is there a knot? all: of all candidates, not of the escape
 * ones. */
static bool examine(const weft_examination *e, bool all, bool *marked)
{
    weft_deadlock *out = e->out;
    weft_cdg_walk walk;
    weft_cdg_destroy(out->graph);
    note_method(e);
    out->graph = weft_cdg_create(e->question->topology, count_kept(e), count_vcs(e->question));
    weft_cdg_walk_init(&walk, e->question, out->graph, all);
    weft_examination_walk(e, &walk);
    weft_cdg_walk_done(&walk);
    weft_cdg_reduce(out->graph);
    out->several = walk.several;
    out->drawn = out->drawn || walk.drawn;
    *marked = walk.marked;
    out->channels = (uint64_t)out->graph->n_used * out->graph->copies * out->merged;
    out->levels = out->graph->levels;
    return out->graph->left > 0;
}

static bool is_complete(const weft_deadlock *out)
{
    return out->examined == out->destinations;
}

/* There is a knot of the escape candidates. Is there one of all of them? These are not of one
 * dimension, so they are looked at as a whole; where that is too much, the knot stands, and *e
 * with it. */
static bool examine_all(weft_examination *e, bool *all)
{
    bool marked, part = e->method == WEFT_CDG_LINES || e->method == WEFT_CDG_PLANES;
    weft_examination whole = *e;
    if (part) {
        whole.method = WEFT_CDG_WHOLE;
        whole.period = e->question->topology->routers;
    }
    *all = true;
    if (!is_too_large(&whole)) {
        bool knot = examine(&whole, true, &marked);
        if (knot || !part || is_complete(e->out)) {
            *e = whole;
            return knot;
        }
    }
    *all = false;
    return examine(e, false, &marked);
}

static void judge(weft_deadlock *out, const weft_deadlock_question *question, bool large)
{
    weft_examination e = {
        .question = question, .out = out, .budget = question->budget ? question->budget : BUDGET};
    *out = (weft_deadlock){.destinations = question->topology->edge_routers,
                           .verdict = WEFT_DEADLOCK_UNKNOWN};
    weft_examination_choose(&e, large);
    if (is_too_large(&e))
        return;
    bool marked = false, all = false, knot = examine(&e, false, &marked);
    out->escape = marked;
    if (knot && marked) {
        knot = examine_all(&e, &all);
        out->escape = !all;
    }
    if (knot) {
        out->verdict = out->several ? WEFT_DEADLOCK_UNPROVEN : WEFT_DEADLOCK_FOUND;
        weft_deadlock_explain(&e, all);
    } else if (is_complete(out)) {
        out->verdict = WEFT_DEADLOCK_FREE;
    }
}

static bool is_free_by_construction(weft_deadlock *out, const weft_deadlock_question *question)
{
    *out = (weft_deadlock){.destinations = question->topology->edge_routers,
                           .verdict = WEFT_DEADLOCK_FREE,
                           .reason = weft_cdg_reason(question)};
    return out->reason != WEFT_DEADLOCK_EXAMINED;
}

/* Leg by leg. True if that is an answer: a knot of legs may be none of packets, which cannot
 * always go from one into another. */
static bool judge_legs(weft_deadlock *out, const weft_deadlock_question *question)
{
    weft_cdg_legs legs;
    if (!weft_cdg_legs_init(&legs, question))
        return false;
    if (!is_free_by_construction(out, &legs.question))
        judge(out, &legs.question, true);
    out->by_legs = true;
    for (uint32_t vc = 0; vc < question->vcs; vc++) {
        const weft_phase *leg;
        out->vc[vc].behind = (uint8_t)weft_cdg_legs_behind(question, vc, &leg);
        out->vc[vc].last = leg && leg->last;
        out->vc[vc].once = leg && leg->once;
    }
    if (out->verdict == WEFT_DEADLOCK_FREE || out->verdict == WEFT_DEADLOCK_UNKNOWN)
        return true;
    weft_deadlock_done(out);
    return false;
}

void weft_deadlock_init(weft_deadlock *out, const weft_deadlock_question *question)
{
    bool large = is_large(question);
    assert(question->vcs <= 16);
    if (large && !question->whole &&
        (is_free_by_construction(out, question) || judge_legs(out, question)))
        return;
    judge(out, question, large);
}

void weft_deadlock_done(weft_deadlock *deadlock)
{
    free(deadlock->circle);
    weft_cdg_destroy(deadlock->graph);
    *deadlock = (weft_deadlock){0};
}

/* The channel of the graph that stands for this one; by lines: that of the line through router
 * 0. */
static uint32_t alike(const weft_deadlock *deadlock, weft_channel channel)
{
    const weft_cdg *graph = deadlock->graph;
    if (deadlock->by_lines) {
        const weft_lattice *lattice = &graph->topology->lattice;
        uint32_t dim = lattice->port_dim[channel.port];
        uint32_t stride = weft_deadlock_stride(lattice, dim);
        channel.router = channel.router / stride % lattice->size[dim] * stride;
    }
    if (deadlock->merged > 1)
        channel.vc = 0;
    return weft_cdg_kept(graph, weft_cdg_channel(graph, channel.router, channel.port, channel.vc));
}

/* Does any packet wait for such a channel? Not for one that is only taken when it is free,
 * beside an escape path. */
static bool is_waited_for(const weft_cdg *graph, weft_channel channel)
{
    const uint64_t *holds =
        graph->holds + (size_t)(channel.port * graph->vcs + channel.vc) * graph->words;
    uint64_t any = 0;
    for (uint32_t w = 0; w < graph->words; w++)
        any |= holds[w];
    return any != 0;
}

/* By lines: dimensions come in order, and behind all what is waited for. */
static uint32_t level_by_lines(const weft_deadlock *deadlock, weft_channel channel, uint32_t level)
{
    const weft_lattice *lattice = &deadlock->graph->topology->lattice;
    uint32_t dim = lattice->port_dim[channel.port];
    uint32_t later = deadlock->vc[channel.vc].last ? dim : lattice->dims - 1u - dim;
    return (is_waited_for(deadlock->graph, channel) ? later : lattice->dims) * deadlock->levels +
           level;
}

uint32_t weft_deadlock_level(const weft_deadlock *deadlock, weft_channel channel)
{
    const weft_cdg *graph = deadlock->graph;
    assert(deadlock->verdict == WEFT_DEADLOCK_FREE && !deadlock->reason);
    bool once = deadlock->vc[channel.vc].once;
    uint32_t level = once ? 1 : graph->level[alike(deadlock, channel)], all = deadlock->levels;
    if (level == 0)
        return 0;
    if (deadlock->by_lines) {
        level = once ? level : level_by_lines(deadlock, channel, level);
        all *= graph->topology->lattice.dims + 1;
    }
    return deadlock->vc[channel.vc].behind * all + level;
}

bool weft_deadlock_waits(const weft_deadlock *deadlock, weft_channel at, weft_channel next)
{
    const weft_cdg *graph = deadlock->graph;
    assert(!deadlock->by_lines && !deadlock->by_legs);
    if (deadlock->merged > 1)
        at.vc = next.vc = 0;
    if (graph->topology->kind->peer(graph->topology, at.router, at.port).router != next.router)
        return false;
    uint32_t channel = weft_cdg_channel(graph, at.router, at.port, at.vc);
    const uint64_t *row = graph->rows + (size_t)weft_cdg_kept(graph, channel) * graph->words;
    const uint64_t *holds =
        graph->holds + (size_t)(next.port * graph->vcs + next.vc) * graph->words;
    uint64_t any = 0;
    for (uint32_t w = 0; w < graph->words; w++)
        any |= row[w] & holds[w];
    return any != 0;
}
