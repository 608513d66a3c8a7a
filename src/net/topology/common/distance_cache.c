/* SPDX-License-Identifier: Apache-2.0 */
/* A direct-mapped cache: every target has one place, shared with others; the last one queried
 * stays. */
#include "net/topology/common/distance_cache.h"

#include "base/memory.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define BYTES_KEPT ((size_t)1 << 28)

struct weft_distance_cache {
    atomic_flag busy;
    uint32_t routers, places;
    uint32_t last;  /* the first router of the last pair that was asked for, + 1 */
    uint32_t *kept; /* [place]: the target whose distances are there, + 1 */
    uint8_t *hops;  /* [place × routers + router] */
    uint32_t *queue;
};

weft_distance_cache *weft_distance_cache_create(const weft_adjacency *table)
{
    weft_distance_cache *it = weft_alloc(sizeof *it);
    size_t places = BYTES_KEPT / table->routers;
    it->routers = table->routers;
    it->places = places == 0 ? 1 : places < table->targets ? (uint32_t)places : table->targets;
    it->kept = weft_alloc(sizeof *it->kept * it->places);
    it->hops = weft_region_create((size_t)it->places * it->routers);
    it->queue = weft_alloc(sizeof *it->queue * it->routers);
    atomic_flag_clear(&it->busy);
    return it;
}

void weft_distance_cache_destroy(weft_distance_cache *it)
{
    if (!it)
        return;
    weft_region_destroy(it->hops, (size_t)it->places * it->routers);
    free(it->kept);
    free(it->queue);
    free(it);
}

/* Breadth first from the target; nothing is farther than WEFT_ADJACENCY_FAR − 1. */
static void search(weft_distance_cache *it, const weft_adjacency *table, uint32_t target,
                   uint8_t *hops)
{
    uint32_t found = 1;
    memset(hops, WEFT_ADJACENCY_FAR, it->routers);
    hops[target] = 0;
    it->queue[0] = target;
    for (uint32_t i = 0; i < found; i++) {
        const uint32_t *to = table->to + (size_t)it->queue[i] * table->ports;
        uint8_t next = (uint8_t)(hops[it->queue[i]] + 1);
        for (uint32_t p = 0; p < table->ports; p++)
            if (to[p] != WEFT_NOWHERE && hops[to[p]] == WEFT_ADJACENCY_FAR) {
                hops[to[p]] = next;
                it->queue[found++] = to[p];
            }
    }
}

static void hold(weft_distance_cache *it)
{
    while (atomic_flag_test_and_set_explicit(&it->busy, memory_order_acquire))
        continue;
}

static void release(weft_distance_cache *it)
{
    atomic_flag_clear_explicit(&it->busy, memory_order_release);
}

static bool is_kept(const weft_distance_cache *it, uint32_t target)
{
    return it->kept[target % it->places] == target + 1;
}

/* The distances to a target. */
static const uint8_t *row_of(weft_distance_cache *it, const weft_adjacency *table, uint32_t target)
{
    uint8_t *row = it->hops + (size_t)(target % it->places) * it->routers;
    if (!is_kept(it, target)) {
        search(it, table, target, row);
        it->kept[target % it->places] = target + 1;
    }
    return row;
}

uint8_t weft_distance_cache_distance(weft_distance_cache *it, const weft_adjacency *table,
                                     uint32_t a, uint32_t b)
{
    hold(it);
    bool known = b < table->targets && is_kept(it, b);
    /* who asks for a router a second time may go on doing so */
    bool turn = a < table->targets && !known && (is_kept(it, a) || it->last == a + 1);
    bool to_a = turn || b >= table->targets;
    it->last = a + 1;
    uint8_t hops = row_of(it, table, to_a ? a : b)[to_a ? b : a];
    release(it);
    return hops;
}

void weft_distance_cache_ask(weft_distance_cache *it, const weft_adjacency *table, uint32_t target,
                             const uint32_t *routers, uint32_t count, uint8_t *hops)
{
    hold(it);
    const uint8_t *row = row_of(it, table, target);
    for (uint32_t i = 0; i < count; i++)
        hops[i] = routers[i] == WEFT_NOWHERE ? WEFT_ADJACENCY_FAR : row[routers[i]];
    release(it);
}
