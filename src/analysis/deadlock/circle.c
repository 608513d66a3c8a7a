/* SPDX-License-Identifier: Apache-2.0 */
/* A short cycle in the knot that the reduction left: breadth-first search from many of its
 * channels. It is a cycle of channels of the network, also where the graph keeps one of several
 * equivalent channels: all copies of the channels left are a knot. */
#include "analysis/deadlock/graph.h"
#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

#define STEPS_MAX ((uint64_t)1 << 26)

typedef struct search {
    const weft_cdg *graph;
    uint32_t *knot; /* its channels, of those that are kept */
    uint32_t count;
    size_t all;      /* with their copies */
    uint32_t *place; /* per channel that is kept: where it is in knot, + 1 */
    uint32_t *mark, turn;
    weft_cdg_wait *by; /* per place: how it was come to */
    uint32_t *queue, queued;
    uint64_t steps;
} search;

static void open_search(search *s, const weft_cdg *graph)
{
    *s = (search){.graph = graph};
    s->knot = weft_alloc(sizeof *s->knot * (graph->left + 1));
    s->place = weft_region_create(sizeof *s->place * ((size_t)graph->channels + 1));
    for (uint32_t i = 0; i < graph->n_used; i++)
        if (graph->level[graph->used[i]] == 0) {
            s->knot[s->count++] = graph->used[i];
            s->place[graph->used[i]] = s->count;
        }
    assert(s->count == graph->left);
    s->all = (size_t)s->count * graph->copies;
    s->mark = weft_region_create(sizeof *s->mark * (s->all + 1));
    s->by = weft_region_create(sizeof *s->by * (s->all + 1));
    s->queue = weft_region_create(sizeof *s->queue * (s->all + 1));
}

static void close_search(search *s)
{
    weft_region_destroy(s->place, sizeof *s->place * ((size_t)s->graph->channels + 1));
    weft_region_destroy(s->mark, sizeof *s->mark * (s->all + 1));
    weft_region_destroy(s->by, sizeof *s->by * (s->all + 1));
    weft_region_destroy(s->queue, sizeof *s->queue * (s->all + 1));
    free(s->knot);
}

static const uint64_t *row_of(const weft_cdg *graph, uint32_t channel)
{
    return graph->alive + (size_t)weft_cdg_kept(graph, channel) * graph->words;
}

/* Calls each for all that a packet in this channel can wait for, within the knot; ends when it
 * returns true. */
static bool each_wait(const weft_cdg *graph, uint32_t channel,
                      bool (*each)(search *s, weft_cdg_wait wait), search *s)
{
    weft_channel at = weft_cdg_name(graph, channel);
    uint32_t router = graph->topology->kind->peer(graph->topology, at.router, at.port).router;
    const uint64_t *row = row_of(graph, channel);
    for (uint32_t w = 0; w < graph->words; w++)
        for (uint64_t sets = row[w]; sets; sets &= sets - 1) {
            uint32_t set = 64 * w + (uint32_t)__builtin_ctzll(sets);
            for (uint32_t i = 0; i < graph->sets[set].count; i++) {
                const weft_cdg_step *step = &graph->steps[graph->sets[set].first + i];
                for (uint32_t vcs = step->vcs; vcs; vcs &= vcs - 1) {
                    uint32_t next =
                        weft_cdg_channel(graph, router, step->port, (uint32_t)__builtin_ctz(vcs));
                    if (each(s, (weft_cdg_wait){channel, set, next}))
                        return true;
                }
            }
        }
    return false;
}

/* Those of one copy side by side. */
static size_t place_of(const search *s, uint32_t channel)
{
    uint32_t place = s->place[weft_cdg_kept(s->graph, channel)];
    assert(place > 0);
    return (size_t)(channel / s->graph->channels) * s->count + place - 1;
}

/* The queue grows; by[] of its first is how it was come back to. */
static bool step(search *s, weft_cdg_wait wait)
{
    size_t place = place_of(s, wait.next);
    s->steps++;
    if (wait.next == s->queue[0]) {
        s->by[place] = wait;
        return true;
    }
    if (s->mark[place] != s->turn) {
        s->mark[place] = s->turn;
        s->by[place] = wait;
        s->queue[s->queued++] = wait.next;
    }
    return false;
}

/* The shortest circle through a channel, if it is shorter than the best so far; its length, or
 * 0. */
static uint32_t circle_through(search *s, uint32_t channel, uint32_t best)
{
    s->turn++;
    s->queue[0] = channel;
    s->queued = 1;
    uint32_t length = 1; /* of a circle that closes now */
    for (uint32_t i = 0, end = 1; i < s->queued && length < best; length++, end = s->queued)
        for (; i < end; i++)
            if (each_wait(s->graph, s->queue[i], step, s))
                return length;
    return 0;
}

static void write_circle(const search *s, uint32_t start, uint32_t length, weft_cdg_wait *out)
{
    for (uint32_t i = length, at = start; i-- > 0;) {
        out[i] = s->by[place_of(s, at)];
        at = out[i].channel;
    }
}

static bool take(search *s, weft_cdg_wait wait)
{
    size_t place = place_of(s, wait.next);
    if (wait.set != s->turn) /* the one set that was chosen */
        return false;
    if (s->mark[place] != UINT32_MAX) {
        s->mark[place] = UINT32_MAX;
        s->queue[s->queued++] = wait.next;
    }
    return false;
}

/* All that must be full, too: the other channels that packets of the circle could take, and so
 * on. */
static uint64_t count_packets(search *s, const weft_cdg_wait *circle, uint32_t length)
{
    const weft_cdg *graph = s->graph;
    s->queued = 0; /* no mark of a turn is UINT32_MAX */
    for (uint32_t i = 0; i < length; i++) {
        s->mark[place_of(s, circle[i].channel)] = UINT32_MAX;
        s->queue[s->queued++] = circle[i].channel;
    }
    for (uint32_t i = 0; i < s->queued; i++) {
        const uint64_t *row = row_of(graph, s->queue[i]);
        uint32_t w = 0;
        while (!row[w])
            w++;
        s->turn = i < length ? circle[i].set : 64 * w + (uint32_t)__builtin_ctzll(row[w]);
        (void)each_wait(graph, s->queue[i], take, s);
    }
    return s->queued;
}

weft_cdg_wait *weft_cdg_circle(const weft_cdg *graph, uint32_t *length, uint64_t *packets)
{
    search s;
    open_search(&s, graph);
    weft_cdg_wait *best = NULL;
    *length = UINT32_MAX;
    for (uint32_t i = 0; i < s.count && (s.steps < STEPS_MAX || !best); i++) {
        uint32_t found = circle_through(&s, s.knot[i], *length);
        if (found == 0 || found >= *length)
            continue;
        *length = found;
        best = weft_realloc(best, found, sizeof *best);
        write_circle(&s, s.knot[i], found, best);
    }
    assert(best);
    *packets = count_packets(&s, best, *length);
    close_search(&s);
    return best;
}
