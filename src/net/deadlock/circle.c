/* SPDX-License-Identifier: Apache-2.0 */
/* A short circle in what the reduction left: breadth first from many of its channels. */
#include "base/memory.h"
#include "net/deadlock/graph.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define STEPS_MAX ((uint64_t)1 << 26)

typedef struct search {
    const weft_cdg *graph;
    uint32_t *knot; /* its channels */
    uint32_t count;
    uint32_t *place; /* per channel: where it is in knot, + 1 */
    uint32_t *mark, turn;
    weft_cdg_wait *by; /* per place: how it was come to */
    uint32_t *queue, queued;
    uint64_t steps;
} search;

static void open_search(search *s, const weft_cdg *graph)
{
    *s = (search){.graph = graph};
    s->knot = weft_alloc(sizeof *s->knot * (graph->left + 1));
    s->place = weft_region_create(sizeof *s->place * graph->channels);
    for (uint32_t i = 0; i < graph->used_count; i++)
        if (graph->level[graph->used[i]] == 0) {
            s->knot[s->count++] = graph->used[i];
            s->place[graph->used[i]] = s->count;
        }
    assert(s->count == graph->left);
    s->mark = weft_alloc(sizeof *s->mark * (s->count + 1));
    s->by = weft_alloc(sizeof *s->by * (s->count + 1));
    s->queue = weft_alloc(sizeof *s->queue * (s->count + 1));
}

static void close_search(search *s)
{
    weft_region_destroy(s->place, sizeof *s->place * s->graph->channels);
    free(s->knot);
    free(s->mark);
    free(s->by);
    free(s->queue);
}

/* Calls each for all that a packet in this channel can wait for, within the knot; ends when it returns true. */
static bool each_wait(const weft_cdg *graph, uint32_t channel,
                      bool (*each)(search *s, weft_cdg_wait wait), search *s)
{
    weft_channel at = weft_cdg_name(graph, channel);
    uint32_t router = graph->topology->kind->peer(graph->topology, at.router, at.port).router;
    const uint64_t *row = graph->alive + (size_t)channel * graph->words;
    for (uint32_t w = 0; w < graph->words; w++)
        for (uint64_t sets = row[w]; sets; sets &= sets - 1) {
            uint32_t set = 64 * w + (uint32_t)__builtin_ctzll(sets);
            for (uint32_t i = 0; i < graph->sets[set].count; i++) {
                const weft_cdg_step *step = &graph->steps[graph->sets[set].first + i];
                for (uint32_t lanes = step->lanes; lanes; lanes &= lanes - 1) {
                    uint32_t next =
                        weft_cdg_channel(graph, router, step->port, (uint32_t)__builtin_ctz(lanes));
                    if (each(s, (weft_cdg_wait){channel, set, next}))
                        return true;
                }
            }
        }
    return false;
}

static uint32_t place_of(const search *s, uint32_t channel)
{
    assert(s->place[channel] > 0);
    return s->place[channel] - 1;
}

/* The queue grows; by[] of its first is how it was come back to. */
static bool step(search *s, weft_cdg_wait wait)
{
    uint32_t place = place_of(s, wait.next);
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

/* The shortest circle through a channel; its length, or 0. */
static uint32_t circle_through(search *s, uint32_t channel, uint32_t best)
{
    s->turn++;
    s->queue[0] = channel;
    s->queued = 1;
    bool closed = false;
    for (uint32_t i = 0; i < s->queued && !closed; i++)
        closed = each_wait(s->graph, s->queue[i], step, s);
    if (!closed)
        return 0;
    uint32_t length = 0, at = channel;
    do {
        at = s->by[place_of(s, at)].channel;
        length++;
    } while (at != channel && length <= best);
    return length;
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
    uint32_t place = place_of(s, wait.next);
    if (wait.set != s->turn) /* the one set that was chosen */
        return false;
    if (s->mark[place] != UINT32_MAX) {
        s->mark[place] = UINT32_MAX;
        s->queue[s->queued++] = wait.next;
    }
    return false;
}

/* All that must be full, too: the other channels that packets of the circle could take, and so on. */
static uint64_t count_packets(search *s, const weft_cdg_wait *circle, uint32_t length)
{
    const weft_cdg *graph = s->graph;
    memset(s->mark, 0, sizeof *s->mark * (s->count + 1));
    s->queued = 0;
    for (uint32_t i = 0; i < length; i++) {
        s->mark[place_of(s, circle[i].channel)] = UINT32_MAX;
        s->queue[s->queued++] = circle[i].channel;
    }
    for (uint32_t i = 0; i < s->queued; i++) {
        const uint64_t *row = graph->alive + (size_t)s->queue[i] * graph->words;
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
    weft_cdg_wait *best = weft_alloc(sizeof *best * (s.count + 1));
    *length = UINT32_MAX;
    for (uint32_t i = 0; i < s.count && (s.steps < STEPS_MAX || *length > s.count); i++) {
        uint32_t found = circle_through(&s, s.knot[i], *length);
        if (found == 0 || found >= *length)
            continue;
        *length = found;
        write_circle(&s, s.knot[i], found, best);
    }
    assert(*length <= s.count);
    *packets = count_packets(&s, best, *length);
    close_search(&s);
    return best;
}
