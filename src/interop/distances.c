/* SPDX-License-Identifier: Apache-2.0 */
#include "interop/distances.h"

#include "base/memory.h"

#include <stdlib.h>

#define STEPS_MAX ((uint64_t)1 << 28) /* along cables, in all */

typedef struct walk {
    uint32_t routers;
    size_t *start; /* [routers + 2] */
    uint32_t *to;  /* the neighbours of router r are to[start[r]] … */
    uint32_t *hops, *queue;
} walk;

static void walk_init(walk *w, uint32_t routers, const weft_cables *cables)
{
    int ways = cables->one_way ? 1 : 2;
    *w = (walk){.routers = routers,
                .start = weft_alloc(sizeof *w->start * ((size_t)routers + 2)),
                .to = weft_alloc(sizeof *w->to * 2 * cables->count + 1),
                .hops = weft_alloc(sizeof *w->hops * routers),
                .queue = weft_alloc(sizeof *w->queue * routers)};
    for (size_t c = 0; c < cables->count; c++)
        for (int e = 0; e < ways; e++)
            w->start[cables->at[c].end[e].router + 2]++;
    for (uint32_t r = 0; r < routers; r++)
        w->start[r + 2] += w->start[r + 1];
    for (size_t c = 0; c < cables->count; c++)
        for (int e = 0; e < ways; e++)
            w->to[w->start[cables->at[c].end[e].router + 1]++] = cables->at[c].end[1 - e].router;
}

static void walk_done(walk *w)
{
    free(w->start);
    free(w->to);
    free(w->hops);
    free(w->queue);
}

/* Fills hops, UINT32_MAX: no way. */
static void walk_from(walk *w, uint32_t from)
{
    uint32_t first = 0, last = 0;
    for (uint32_t r = 0; r < w->routers; r++)
        w->hops[r] = UINT32_MAX;
    w->hops[from] = 0;
    w->queue[last++] = from;
    while (first < last) {
        uint32_t at = w->queue[first++];
        for (size_t i = w->start[at]; i < w->start[at + 1]; i++)
            if (w->hops[w->to[i]] == UINT32_MAX) {
                w->hops[w->to[i]] = w->hops[at] + 1;
                w->queue[last++] = w->to[i];
            }
    }
}

weft_distances weft_distances_walk(const weft_topology *topology, const weft_cables *cables)
{
    uint64_t homes = topology->edge_routers, sum = 0,
             most = STEPS_MAX / (topology->routers + 2 * (uint64_t)cables->count);
    uint64_t walks = homes <= most ? homes : most > 0 ? most : 1, step = homes / walks;
    weft_distances found = {.exact = walks == homes};
    walk w;
    walk_init(&w, topology->routers, cables);
    for (uint64_t i = 0; i < walks && !found.cut; i++) {
        walk_from(&w, (uint32_t)(i * step));
        for (uint32_t to = 0; to < homes; to++) {
            uint32_t hops = w.hops[to + topology->egress_offset];
            if (i * step == to)
                continue;
            if (hops == UINT32_MAX) {
                found.cut = true;
                found.from = (uint32_t)(i * step);
                found.to = to + topology->egress_offset;
                break;
            }
            found.most = hops > found.most ? hops : found.most;
            sum += hops;
        }
    }
    walk_done(&w);
    if (homes > 1)
        found.mean = (double)sum / ((double)walks * (double)(homes - 1));
    return found;
}
