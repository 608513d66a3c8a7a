/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/deadlock/graph.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define BYTES_MAX ((uint64_t)3 << 30)

bool weft_cdg_too_large(const weft_topology *topology, uint32_t period, uint32_t vcs)
{
    uint64_t each = (uint64_t)topology->ports * vcs;
    uint64_t words = 1 + each / 64; /* a guess: sets of one channel each */
    return topology->routers * each >= UINT32_MAX || period * each * (words * 16 + 8) > BYTES_MAX;
}

weft_cdg *weft_cdg_create(const weft_topology *topology, uint32_t period, uint32_t vcs)
{
    assert(topology->routers % period == 0);
    weft_cdg *graph = weft_alloc(sizeof *graph);
    graph->topology = topology;
    graph->ports = topology->ports;
    graph->vcs = vcs;
    graph->period = period;
    graph->copies = topology->routers / period;
    graph->channels = period * topology->ports * vcs;
    graph->words = 1;
    graph->row_bytes = sizeof *graph->rows * ((size_t)graph->channels + 1);
    graph->rows = weft_region_create(graph->row_bytes);
    graph->index_size = 64;
    graph->index = weft_alloc(sizeof *graph->index * graph->index_size);
    uint32_t none = weft_cdg_find(graph, NULL, 0);
    assert(none == 0);
    (void)none;
    return graph;
}

void weft_cdg_destroy(weft_cdg *graph)
{
    if (!graph)
        return;
    weft_region_destroy(graph->rows, graph->row_bytes);
    if (graph->alive)
        weft_region_destroy(graph->alive, graph->row_bytes);
    if (graph->level)
        weft_region_destroy(graph->level, sizeof *graph->level * ((size_t)graph->channels + 1));
    free(graph->used);
    free(graph->sets);
    free(graph->steps);
    free(graph->index);
    free(graph->holds);
    free(graph);
}

weft_channel weft_cdg_name(const weft_cdg *graph, uint32_t channel)
{
    uint32_t link = channel / graph->vcs;
    return (weft_channel){.router = link / graph->ports,
                          .port = (uint16_t)(link % graph->ports),
                          .vc = (uint16_t)(channel % graph->vcs)};
}

/* By port, those of the same port as one; returns how many are left. */
static unsigned put_in_order(weft_cdg_step *steps, unsigned count)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < count; i++) {
        weft_cdg_step step = steps[i];
        unsigned at = 0;
        while (at < kept && steps[at].port < step.port)
            at++;
        if (at < kept && steps[at].port == step.port) {
            steps[at].vcs |= step.vcs;
            continue;
        }
        memmove(steps + at + 1, steps + at, sizeof *steps * (kept - at));
        steps[at] = step;
        kept++;
    }
    return kept;
}

static uint32_t hash_of(const weft_cdg_step *steps, unsigned count)
{
    uint32_t hash = 2166136261u;
    for (unsigned i = 0; i < count; i++)
        hash = (hash ^ ((uint32_t)steps[i].port << 16 | steps[i].vcs)) * 2654435769u;
    return hash ^ hash >> 15;
}

static void widen(weft_cdg *graph)
{
    uint32_t words = 2 * graph->words;
    size_t bytes = sizeof *graph->rows * words * ((size_t)graph->channels + 1);
    uint64_t *rows = weft_region_create(bytes);
    for (uint32_t i = 0; i < graph->n_used; i++) {
        size_t c = graph->used[i];
        memcpy(rows + c * words, graph->rows + c * graph->words, sizeof *rows * graph->words);
    }
    weft_region_destroy(graph->rows, graph->row_bytes);
    graph->rows = rows;
    graph->row_bytes = bytes;
    graph->words = words;
}

static void index_again(weft_cdg *graph)
{
    graph->index_size *= 2;
    free(graph->index);
    graph->index = weft_alloc(sizeof *graph->index * graph->index_size);
    for (uint32_t s = 0; s < graph->n_sets; s++) {
        const weft_cdg_set *set = &graph->sets[s];
        uint32_t at = hash_of(graph->steps + set->first, set->count) & (graph->index_size - 1);
        while (graph->index[at])
            at = (at + 1) & (graph->index_size - 1);
        graph->index[at] = s + 1;
    }
}

static uint32_t add_set(weft_cdg *graph, const weft_cdg_step *steps, unsigned count)
{
    if (graph->n_sets == graph->set_room) {
        graph->set_room = graph->set_room ? 2 * graph->set_room : 64;
        graph->sets = weft_realloc(graph->sets, graph->set_room, sizeof *graph->sets);
    }
    while (graph->n_steps + count > graph->step_room) {
        graph->step_room = graph->step_room ? 2 * graph->step_room : 64;
        graph->steps = weft_realloc(graph->steps, graph->step_room, sizeof *graph->steps);
    }
    graph->sets[graph->n_sets] = (weft_cdg_set){graph->n_steps, count};
    for (unsigned i = 0; i < count; i++)
        graph->steps[graph->n_steps++] = steps[i];
    if (graph->n_sets == 64 * graph->words)
        widen(graph);
    return graph->n_sets++;
}

uint32_t weft_cdg_find(weft_cdg *graph, weft_cdg_step *steps, unsigned count)
{
    if (count > 1)
        count = put_in_order(steps, count);
    uint32_t at = hash_of(steps, count) & (graph->index_size - 1);
    for (; graph->index[at]; at = (at + 1) & (graph->index_size - 1)) {
        const weft_cdg_set *set = &graph->sets[graph->index[at] - 1];
        if (set->count == count &&
            (count == 0 || memcmp(graph->steps + set->first, steps, sizeof *steps * count) == 0))
            return graph->index[at] - 1;
    }
    uint32_t set = add_set(graph, steps, count);
    graph->index[at] = set + 1;
    if (2 * graph->n_sets > graph->index_size)
        index_again(graph);
    return set;
}

void weft_cdg_add(weft_cdg *graph, uint32_t channel, uint32_t set)
{
    channel = weft_cdg_kept(graph, channel);
    uint64_t *row = graph->rows + (size_t)channel * graph->words;
    uint64_t bit = (uint64_t)1 << set % 64;
    if (row[set / 64] & bit)
        return;
    bool fresh = true;
    for (uint32_t w = 0; w < graph->words && fresh; w++)
        fresh = row[w] == 0;
    row[set / 64] |= bit;
    if (!fresh)
        return;
    if (graph->n_used == graph->used_room) {
        graph->used_room = graph->used_room ? 2 * graph->used_room : 1024;
        graph->used = weft_realloc(graph->used, graph->used_room, sizeof *graph->used);
    }
    graph->used[graph->n_used++] = channel;
}

uint32_t weft_cdg_translate(weft_cdg *graph, const weft_cdg *from, uint32_t set)
{
    weft_cdg_step steps[WEFT_MINIMAL_PORTS_MAX];
    uint32_t count = from->sets[set].count;
    assert(count <= WEFT_MINIMAL_PORTS_MAX);
    if (count)
        memcpy(steps, from->steps + from->sets[set].first, sizeof *steps * count);
    return weft_cdg_find(graph, steps, count);
}
