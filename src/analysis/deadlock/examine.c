/* SPDX-License-Identifier: Apache-2.0 */
/* Destinations are visited in a spread order, so that those examined when the budget ends are a
 * sample. */
#include "analysis/deadlock/examine.h"

#include "analysis/deadlock/block.h"
#include "analysis/deadlock/legs.h"
#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

static bool ends(const weft_examination *e, const weft_cdg_walk *walk)
{
    return walk->steps > e->budget || (e->enough && e->enough(e->user));
}

uint32_t weft_deadlock_stride(const weft_lattice *lattice, uint32_t dim)
{
    uint32_t stride = 1;
    for (uint32_t d = dim + 1; d < lattice->dims; d++)
        stride *= lattice->size[d];
    return stride;
}

static void walk_lines(const weft_examination *e, weft_cdg_walk *walk)
{
    const weft_lattice *lattice = &e->question->topology->lattice;
    e->out->destinations = e->out->examined = 0;
    for (uint32_t d = 0; d < lattice->dims; d++)
        for (uint32_t i = 0, stride = weft_deadlock_stride(lattice, d); i < lattice->size[d]; i++) {
            e->out->destinations++;
            if (ends(e, walk))
                continue;
            e->out->examined++;
            for (uint32_t f = 0; f < e->question->traffic_classes; f++) {
                weft_cdg_walk_to(walk, f, i * stride);
                weft_cdg_walk_from(walk, 0, stride, lattice->size[d]);
            }
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

/* Flows that follow tables, each with a block of its own; how many there are. */
static uint32_t open_blocks(const weft_examination *e, const weft_cdg_walk *walk,
                            weft_cdg_block **block)
{
    uint32_t count = 0;
    for (uint32_t f = 0; f < e->question->traffic_classes; f++) {
        bool suits = !walk->note && weft_cdg_block_suits(e->question, f);
        block[f] = suits ? weft_cdg_block_create(e->question, f) : NULL;
        count += suits;
    }
    return count;
}

static void close_blocks(const weft_examination *e, weft_cdg *graph, weft_cdg_block **block)
{
    for (uint32_t f = 0; f < e->question->traffic_classes; f++) {
        if (block[f])
            weft_cdg_block_add(block[f], graph);
        weft_cdg_block_destroy(block[f]);
    }
}

/* Where packets of a class start: at edge routers. A phase may also begin at a router without
 * endpoints: where a packet enters the group in between, or leaves the minimal way after a hop. */
static uint32_t count_sources(const weft_deadlock_question *q, uint32_t traffic_class,
                              uint32_t homes)
{
    bool all = q->topology->edge_routers == q->topology->routers;
    return !all && weft_cdg_leg_of(q->routing[traffic_class]) ? q->topology->routers : homes;
}

/* From all homes, or those of the first group. */
static void walk_whole(const weft_examination *e, weft_cdg_walk *walk)
{
    const weft_topology *topology = e->question->topology;
    weft_cdg_block *block[WEFT_CLASSES_MAX];
    uint32_t homes = topology->edge_routers,
             each = open_blocks(e, walk, block) ? WEFT_TABLE_COLUMNS : 1;
    uint32_t sources = e->period < homes ? e->period : homes, blocks = (homes + each - 1) / each;
    e->out->destinations = homes;
    e->out->examined = 0;
    for (uint64_t i = 0, step = spread(blocks); i < blocks && !ends(e, walk); i++) {
        uint32_t first = (uint32_t)(i * step % blocks) * each;
        uint32_t count = homes - first < each ? homes - first : each;
        e->out->examined += count;
        for (uint32_t f = 0; f < e->question->traffic_classes; f++) {
            if (block[f])
                walk->steps += weft_cdg_block_look(block[f], first, count);
            for (uint32_t d = 0; d < count && !block[f]; d++) {
                weft_cdg_walk_to(walk, f, first + d + topology->egress_offset);
                weft_cdg_walk_from(walk, 0, 1, count_sources(e->question, f, sources));
            }
        }
    }
    close_blocks(e, walk->graph, block);
}

/* A plane of the outermost lattice: two of its dimensions, and where it is. */
typedef struct plane {
    uint32_t size[2], stride[2]; /* strides of groups */
    uint32_t corner;             /* the group whose coordinates are 0 in both */
} plane;

static plane plane_of(const weft_lattice *lattice, uint32_t a, uint32_t b, uint32_t group)
{
    plane it = {.size = {lattice->size[a], lattice->size[b]},
                .stride = {weft_deadlock_stride(lattice, a), weft_deadlock_stride(lattice, b)}};
    for (int i = 0; i < 2; i++)
        group -= group / it.stride[i] % it.size[i] * it.stride[i];
    it.corner = group;
    return it;
}

static uint32_t group_in(const plane *it, uint32_t x, uint32_t y)
{
    return it->corner + x * it->stride[0] + y * it->stride[1];
}

/* All packets from within a plane to a router of it. */
static void walk_to_in_plane(const weft_examination *e, weft_cdg_walk *walk, const plane *it,
                             uint32_t to)
{
    for (uint32_t f = 0; f < e->question->traffic_classes; f++) {
        weft_cdg_walk_to(walk, f, to);
        for (uint32_t x = 0; x < it->size[0]; x++)
            for (uint32_t y = 0; y < it->size[1]; y++)
                weft_cdg_walk_from(walk, group_in(it, x, y) * e->period, 1, e->period);
    }
}

static void walk_plane(const weft_examination *e, weft_cdg_walk *walk, const plane *it)
{
    for (uint32_t x = 0; x < it->size[0]; x++)
        for (uint32_t y = 0; y < it->size[1]; y++)
            for (uint32_t i = 0; i < e->period; i++) {
                e->out->destinations++;
                if (ends(e, walk))
                    continue;
                e->out->examined++;
                walk_to_in_plane(e, walk, it, group_in(it, x, y) * e->period + i);
            }
}

void weft_examination_planes(const weft_examination *e, weft_cdg_walk *walk, uint32_t router)
{
    const weft_lattice *lattice = &weft_cdg_outermost(e->question->topology)->lattice;
    for (uint32_t b = 1; b < lattice->dims; b++)
        for (uint32_t a = 0; a < b; a++) {
            plane it = plane_of(lattice, a, b, router / e->period);
            walk_plane(e, walk, &it);
        }
}

/* Where the planes along two dimensions are: groups whose coordinates are 0 in both; malloc'ed. */
static uint32_t *list_corners(const weft_topology *outermost, const plane *it, uint32_t *count)
{
    uint32_t *corners = weft_alloc(sizeof *corners * outermost->routers);
    *count = 0;
    for (uint32_t g = 0; g < outermost->routers; g++)
        if (g / it->stride[0] % it->size[0] == 0 && g / it->stride[1] % it->size[1] == 0)
            corners[(*count)++] = g;
    return corners;
}

/* What was found in one plane holds in all that are like it. */
static void copy_plane(const weft_examination *e, const weft_cdg *found, const plane *it,
                       weft_cdg *graph)
{
    const weft_topology *outermost = weft_cdg_outermost(e->question->topology);
    uint32_t count, *corners = list_corners(outermost, it, &count);
    uint32_t *set = weft_alloc(sizeof *set * found->n_sets), each = found->ports * found->vcs;
    for (uint32_t s = 0; s < found->n_sets; s++)
        set[s] = weft_cdg_translate(graph, found, s);
    for (uint32_t i = 0; i < found->n_used; i++) {
        const uint64_t *row = found->rows + (size_t)found->used[i] * found->words;
        for (uint32_t w = 0; w < found->words; w++)
            for (uint64_t sets = row[w]; sets; sets &= sets - 1)
                for (uint32_t c = 0; c < count; c++)
                    weft_cdg_add(graph, found->used[i] + corners[c] * e->period * each,
                                 set[64 * w + (uint32_t)__builtin_ctzll(sets)]);
    }
    free(set);
    free(corners);
}

/* Plane by plane through router 0, each for all that are parallel to it. */
static void walk_planes(const weft_examination *e, weft_cdg_walk *walk)
{
    const weft_lattice *lattice = &weft_cdg_outermost(e->question->topology)->lattice;
    weft_cdg *graph = walk->graph;
    assert(!walk->note);
    e->out->destinations = e->out->examined = 0;
    for (uint32_t b = 1; b < lattice->dims; b++)
        for (uint32_t a = 0; a < b; a++) {
            plane it = plane_of(lattice, a, b, 0);
            walk->graph = weft_cdg_create(graph->topology, graph->period, graph->vcs);
            walk_plane(e, walk, &it);
            copy_plane(e, walk->graph, &it, graph);
            weft_cdg_destroy(walk->graph);
        }
    walk->graph = graph;
}

void weft_examination_walk(const weft_examination *e, weft_cdg_walk *walk)
{
    switch (e->method) {
    case WEFT_CDG_LINES:
        walk_lines(e, walk);
        return;
    case WEFT_CDG_PLANES:
        walk_planes(e, walk);
        return;
    case WEFT_CDG_WHOLE:
    case WEFT_CDG_ORBITS:
        walk_whole(e, walk);
    }
}
