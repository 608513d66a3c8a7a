/* SPDX-License-Identifier: Apache-2.0 */
#include "interop/graph.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define LEAF  4u /* vertices that are not worth a cut */
#define SEEDS 8

static int by_ends(const void *a, const void *b)
{
    const weft_graph_edge *x = a, *y = b;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    return x->b < y->b ? -1 : x->b > y->b;
}

/* One edge for all between the same vertices; returns how many are left. */
static size_t merge(weft_graph_edge *edges, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (edges[i].a > edges[i].b) {
            uint32_t a = edges[i].a;
            edges[i].a = edges[i].b;
            edges[i].b = a;
        }
    qsort(edges, count, sizeof *edges, by_ends);
    for (size_t i = 0; i < count; i++)
        if (kept > 0 && by_ends(&edges[kept - 1], &edges[i]) == 0)
            edges[kept - 1].weight += edges[i].weight;
        else
            edges[kept++] = edges[i];
    return kept;
}

void weft_graph_init(weft_graph *graph, uint32_t vertices, weft_graph_edge *edges, size_t count)
{
    assert(count <= WEFT_GRAPH_EDGES_MAX);
    count = merge(edges, count);
    *graph = (weft_graph){.vertices = vertices,
                          .start = weft_alloc(sizeof(int32_t) * ((size_t)vertices + 1)),
                          .to = weft_alloc(sizeof(int32_t) * 2 * count + 1),
                          .weight = weft_alloc(sizeof(int32_t) * 2 * count + 1)};
    for (size_t i = 0; i < count; i++) {
        graph->start[edges[i].a]++;
        graph->start[edges[i].b]++;
    }
    int32_t sum = 0;
    for (uint32_t v = 0; v <= vertices; v++) { /* the end of every row, for now */
        sum += graph->start[v];
        graph->start[v] = sum;
    }
    for (size_t i = count; i-- > 0;) {
        uint32_t ends[2] = {edges[i].a, edges[i].b};
        for (int e = 0; e < 2; e++) {
            int32_t at = --graph->start[ends[e]];
            graph->to[at] = (int32_t)ends[1 - e];
            graph->weight[at] = (int32_t)edges[i].weight;
        }
    }
}

void weft_graph_done(weft_graph *graph)
{
    free(graph->start);
    free(graph->to);
    free(graph->weight);
    *graph = (weft_graph){0};
}

/* ---- an order ---- */

typedef struct sorter {
    const weft_graph *graph;
    int32_t *inside; /* number of a vertex in the part that is being cut; −1: not in it */
    uint32_t *spare; /* room for a part */
} sorter;

/* The part of the graph with these vertices. */
static weft_graph extract(sorter *s, const uint32_t *vertices, uint32_t count)
{
    size_t ends = 0, used = 0;
    for (uint32_t i = 0; i < count; i++) {
        s->inside[vertices[i]] = (int32_t)i;
        ends += (size_t)(s->graph->start[vertices[i] + 1] - s->graph->start[vertices[i]]);
    }
    weft_graph part = {.vertices = count,
                       .start = weft_alloc(sizeof(int32_t) * ((size_t)count + 1)),
                       .to = weft_alloc(sizeof(int32_t) * ends + 1),
                       .weight = weft_alloc(sizeof(int32_t) * ends + 1)};
    for (uint32_t i = 0; i < count; i++) {
        for (int32_t e = s->graph->start[vertices[i]]; e < s->graph->start[vertices[i] + 1]; e++) {
            int32_t other = s->inside[s->graph->to[e]];
            if (other < 0)
                continue;
            part.to[used] = other;
            part.weight[used++] = s->graph->weight[e];
        }
        part.start[i + 1] = (int32_t)used;
    }
    for (uint32_t i = 0; i < count; i++)
        s->inside[vertices[i]] = -1;
    return part;
}

/* Puts the side of the first vertex first, each in its old order; returns how many those are. */
static uint32_t split(sorter *s, uint32_t *vertices, uint32_t count, const int32_t *part)
{
    uint32_t kept = 0, moved = 0;
    for (uint32_t i = 0; i < count; i++)
        if (part[i] == part[0])
            vertices[kept++] = vertices[i];
        else
            s->spare[moved++] = vertices[i];
    memcpy(vertices + kept, s->spare, moved * sizeof *vertices);
    return kept;
}

static weft_status sort(sorter *s, uint32_t *vertices, uint32_t count, weft_error *err)
{
    if (count <= LEAF)
        return WEFT_OK;
    weft_graph graph = extract(s, vertices, count);
    int32_t *part = weft_alloc(sizeof *part * count), weight;
    weft_status status = weft_graph_halve(&graph, NULL, 1, &weight, part, err);
    uint32_t kept = status == WEFT_OK ? split(s, vertices, count, part) : 0;
    weft_graph_done(&graph);
    free(part);
    if (status != WEFT_OK)
        return status;
    if (kept == count)
        return WEFT_OK; /* there is nothing to cut */
    WEFT_TRY(sort(s, vertices, kept, err));
    return sort(s, vertices + kept, count - kept, err);
}

weft_status weft_graph_order(const weft_graph *graph, uint32_t *order, weft_error *err)
{
    sorter s = {.graph = graph,
                .inside = weft_alloc(sizeof *s.inside * graph->vertices),
                .spare = weft_alloc(sizeof *s.spare * graph->vertices)};
    for (uint32_t v = 0; v < graph->vertices; v++) {
        order[v] = v;
        s.inside[v] = -1;
    }
    weft_status status = sort(&s, order, graph->vertices, err);
    free(s.inside);
    free(s.spare);
    return status;
}

/* ---- a bisection ---- */

static uint64_t unevenness(const weft_graph_cut *cut)
{
    return cut->load[0] > cut->load[1] ? cut->load[0] - cut->load[1] : cut->load[1] - cut->load[0];
}

weft_status weft_graph_bisect(const weft_graph *graph, const uint32_t *load, weft_graph_cut *cut,
                              uint32_t *side, weft_error *err)
{
    int32_t *part = weft_alloc(sizeof *part * graph->vertices);
    int32_t *loads = weft_alloc(sizeof *loads * graph->vertices);
    weft_status status = WEFT_OK;
    *cut = (weft_graph_cut){.weight = UINT64_MAX, .load = {0, UINT64_MAX}};
    for (uint32_t v = 0; v < graph->vertices; v++)
        loads[v] = (int32_t)load[v];
    for (int seed = 1; seed <= SEEDS && status == WEFT_OK; seed++) {
        weft_graph_cut found = {0};
        int32_t weight = 0;
        status = weft_graph_halve(graph, loads, seed, &weight, part, err);
        found.weight = (uint64_t)weight;
        for (uint32_t v = 0; v < graph->vertices && status == WEFT_OK; v++)
            found.load[part[v]] += load[v];
        uint64_t uneven = unevenness(&found), best = unevenness(cut);
        if (status != WEFT_OK || uneven > best || (uneven == best && found.weight >= cut->weight))
            continue;
        *cut = found;
        for (uint32_t v = 0; side && v < graph->vertices; v++)
            side[v] = (uint32_t)part[v];
    }
    free(part);
    free(loads);
    return status;
}
