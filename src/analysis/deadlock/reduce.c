/* SPDX-License-Identifier: Apache-2.0 */
/* Removes channels that cannot be in a knot: those without a packet all of whose alternatives are
 * among the remaining channels. Removing a channel invalidates the sets that contain it, for the
 * channels that lead to its router. The remainder is the greatest knot. */
#include "analysis/deadlock/graph.h"
#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct links { /* that lead to a router, of those that are used */
    uint32_t *first;   /* per router, and one more */
    uint32_t *link;    /* router × ports + port */
} links;

static uint32_t behind(const weft_cdg *graph, uint32_t link)
{
    const weft_topology *topology = graph->topology;
    return topology->kind->peer(topology, link / graph->ports, link % graph->ports).router %
           graph->period;
}

/* Used links, each once: channels of a link may have come into use apart from each other. */
static uint32_t list_links(const weft_cdg *graph, uint32_t **out)
{
    size_t all = (size_t)graph->period * graph->ports;
    uint8_t *met = weft_region_create(all / 8 + 1);
    uint32_t count = 0;
    *out = weft_alloc(sizeof **out * (graph->n_used + 1));
    for (uint32_t i = 0; i < graph->n_used; i++) {
        uint32_t link = graph->used[i] / graph->vcs;
        if (!(met[link / 8] >> link % 8 & 1))
            (*out)[count++] = link;
        met[link / 8] |= (uint8_t)(1u << link % 8);
    }
    weft_region_destroy(met, all / 8 + 1);
    return count;
}

static links links_open(const weft_cdg *graph)
{
    uint32_t routers = graph->period, *list, count = list_links(graph, &list);
    links in = {.first = weft_alloc(sizeof *in.first * (routers + 2)),
                .link = weft_alloc(sizeof *in.link * (count + 1))};
    for (uint32_t i = 0; i < count; i++)
        in.first[behind(graph, list[i]) + 2]++;
    for (uint32_t r = 0; r < routers; r++)
        in.first[r + 2] += in.first[r + 1];
    for (uint32_t i = 0; i < count; i++)
        in.link[in.first[behind(graph, list[i]) + 1]++] = list[i];
    free(list);
    return in;
}

static void links_close(links *in)
{
    free(in->first);
    free(in->link);
}

static void find_holds(weft_cdg *graph)
{
    size_t words = graph->words;
    graph->holds = weft_alloc(sizeof *graph->holds * (graph->ports * graph->vcs + 1) * words);
    for (uint32_t s = 1; s < graph->n_sets; s++)
        for (uint32_t i = 0; i < graph->sets[s].count; i++) {
            const weft_cdg_step *step = &graph->steps[graph->sets[s].first + i];
            for (uint32_t vcs = step->vcs; vcs; vcs &= vcs - 1) {
                uint32_t vc = (uint32_t)__builtin_ctz(vcs);
                graph->holds[(step->port * graph->vcs + vc) * words + s / 64] |= (uint64_t)1
                                                                                 << s % 64;
            }
        }
}

/* Nothing is alive in a row any more. */
static bool is_dead(const weft_cdg *graph, uint32_t channel)
{
    const uint64_t *row = graph->alive + (size_t)channel * graph->words;
    uint64_t rest = 0;
    for (uint32_t w = 0; w < graph->words; w++)
        rest |= row[w];
    return rest == 0;
}

/* Spoils the sets of a channel that have one which left. */
static void spoil(const weft_cdg *graph, uint32_t channel, uint32_t left)
{
    uint64_t *row = graph->alive + (size_t)channel * graph->words;
    uint32_t local = left % (graph->ports * graph->vcs);
    const uint64_t *holds = graph->holds + (size_t)local * graph->words;
    for (uint32_t w = 0; w < graph->words; w++)
        row[w] &= ~holds[w];
}

static void begin(weft_cdg *graph)
{
    graph->alive = weft_region_create(graph->row_bytes);
    graph->level = weft_region_create(sizeof *graph->level * ((size_t)graph->channels + 1));
    find_holds(graph);
    for (uint32_t i = 0; i < graph->n_used; i++) {
        size_t row = (size_t)graph->used[i] * graph->words;
        memcpy(graph->alive + row, graph->rows + row, sizeof *graph->rows * graph->words);
        graph->alive[row] &= ~(uint64_t)1; /* who arrives waits for nothing */
    }
}

/* A queue of channels that left. */
typedef struct leaving {
    uint32_t *at, count;
} leaving;

/* Channels that lead to the router of one that left; level: when it did. */
static void spoil_before(weft_cdg *graph, const links *in, uint32_t left, leaving *queue)
{
    uint32_t router = left / (graph->ports * graph->vcs);
    for (uint32_t i = in->first[router]; i < in->first[router + 1]; i++)
        for (uint32_t vc = 0; vc < graph->vcs; vc++) {
            uint32_t channel = in->link[i] * graph->vcs + vc;
            if (is_dead(graph, channel)) /* or never used */
                continue;
            spoil(graph, channel, left);
            if (!is_dead(graph, channel))
                continue;
            graph->level[channel] = graph->level[left] + 1;
            queue->at[queue->count++] = channel;
        }
}

void weft_cdg_reduce(weft_cdg *graph)
{
    begin(graph);
    links in = links_open(graph);
    leaving queue = {.at = weft_alloc(sizeof *queue.at * (graph->n_used + 1))};
    for (uint32_t i = 0; i < graph->n_used; i++)
        if (is_dead(graph, graph->used[i])) {
            graph->level[graph->used[i]] = 1;
            queue.at[queue.count++] = graph->used[i];
        }
    for (uint32_t i = 0; i < queue.count; i++) {
        assert(graph->level[queue.at[i]] >= graph->levels);
        graph->levels = graph->level[queue.at[i]];
        spoil_before(graph, &in, queue.at[i], &queue);
    }
    graph->left = graph->n_used - queue.count;
    free(queue.at);
    links_close(&in);
}
