/* SPDX-License-Identifier: Apache-2.0 */
/* The packets of a cycle are found by following the same routes again, until all have been met. */
#include "analysis/deadlock/explain.h"

#include "analysis/deadlock/block.h"
#include "base/memory.h"

#include <stdlib.h>

typedef struct witnesses { /* packets that are still looked for */
    weft_deadlock *out;
    const weft_cdg_wait *wait;
    uint32_t found;
} witnesses;

static void tell(witnesses *w, uint32_t i, uint32_t traffic_class, uint32_t from, uint32_t to)
{
    weft_deadlock_packet *packet = &w->out->circle[i];
    packet->traffic_class = traffic_class;
    packet->from = from;
    packet->to = to;
    w->found++;
}

static bool is_told(const witnesses *w, uint32_t i)
{
    return w->out->circle[i].from != w->out->circle[i].to;
}

static void recognize(void *user, const weft_cdg_walk *walk, uint32_t channel, uint32_t set)
{
    witnesses *w = user;
    for (uint32_t i = 0; i < w->out->length; i++)
        if (w->wait[i].channel == channel && w->wait[i].set == set && !is_told(w, i))
            tell(w, i, walk->traffic_class, walk->from, walk->to);
}

static bool all_found(void *user)
{
    const witnesses *w = user;
    return w->found == w->out->length;
}

/* Of packets that follow tables: these say who goes by a link and on by a port. */
static void ask_tables(const weft_examination *e, witnesses *w)
{
    const weft_cdg *graph = e->out->graph;
    const weft_topology *topology = e->question->topology;
    weft_cdg_block *block = weft_cdg_block_create(e->question, 0);
    for (uint32_t to = 0; to < topology->edge_routers && !all_found(w); to += WEFT_TABLE_COLUMNS) {
        uint32_t left = topology->edge_routers - to, from, at;
        (void)weft_cdg_block_look(block, to, left < WEFT_TABLE_COLUMNS ? left : WEFT_TABLE_COLUMNS);
        for (uint32_t i = 0; i < w->out->length; i++)
            if (!is_told(w, i) &&
                weft_cdg_block_find(block, w->wait[i].channel / graph->vcs,
                                    weft_cdg_name(graph, w->wait[i].next).port, &from, &at))
                tell(w, i, 0, from, at);
    }
    weft_cdg_block_destroy(block);
}

/* Of all others. */
static void walk_again(weft_examination e, bool all, witnesses *w)
{
    weft_cdg_walk walk;
    weft_cdg_walk_init(&walk, e.question, e.out->graph, all);
    walk.note = recognize;
    walk.user = w;
    e.enough = all_found;
    e.user = w;
    if (e.method == WEFT_CDG_PLANES) {
        for (uint32_t i = 0; i < e.out->length; i++)
            if (!is_told(w, i))
                weft_examination_planes(&e, &walk, e.out->circle[i].at.router);
    } else {
        if (e.method == WEFT_CDG_ORBITS) { /* the packets themselves, not others like them */
            e.method = WEFT_CDG_WHOLE;
            e.period = e.question->topology->routers;
        }
        weft_examination_walk(&e, &walk);
    }
    weft_cdg_walk_done(&walk);
}

void weft_deadlock_explain(const weft_examination *examination, bool all)
{
    weft_examination e = *examination;
    weft_deadlock *out = e.out;
    uint32_t destinations = out->destinations, examined = out->examined;
    weft_cdg_wait *wait = weft_cdg_circle(out->graph, &out->length, &out->packets);
    out->packets *= out->merged;
    out->circle = weft_alloc(sizeof *out->circle * out->length);
    for (uint32_t i = 0; i < out->length; i++)
        out->circle[i] = (weft_deadlock_packet){.at = weft_cdg_name(out->graph, wait[i].channel),
                                                .next = weft_cdg_name(out->graph, wait[i].next)};
    witnesses w = {.out = out, .wait = wait};
    e.budget = UINT64_MAX;
    if (e.question->traffic_classes == 1 && weft_cdg_block_suits(e.question, 0))
        ask_tables(&e, &w);
    else
        walk_again(e, all, &w);
    if (out->merged > 1) /* one VC stands for all: the first of the flow's */
        for (uint32_t i = 0; i < out->length; i++)
            out->circle[i].at.vc = out->circle[i].next.vc = (uint16_t)e.question->vc[0];
    out->destinations = destinations;
    out->examined = examined;
    free(wait);
}
