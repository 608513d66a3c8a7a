/* SPDX-License-Identifier: Apache-2.0 */
/* Slabs grow with the pool (a quarter of what it holds, 32 KiB … 4 MiB), so that a small network
 * stays small and a large one gets huge pages. */
#include "kernel/pool.h"

#include "base/memory.h"

#include <assert.h>

struct weft_pool_slab {
    struct weft_pool_slab *next;
    size_t bytes;
};

#define SLAB_LEAST ((int64_t)32 << 10)
#define SLAB_MOST  ((int64_t)4 << 20)
#define HEADER     ((size_t)64) /* keeps arrays aligned to cache lines */

static void add_slab(weft_pool *pool, size_t need)
{
    int64_t bytes = pool->bytes / 4;
    if (bytes < SLAB_LEAST)
        bytes = SLAB_LEAST;
    if (bytes > SLAB_MOST)
        bytes = SLAB_MOST;
    size_t size = (size_t)bytes > need + HEADER ? (size_t)bytes : need + HEADER;
    struct weft_pool_slab *slab = weft_region_create(size);
    slab->bytes = size;
    slab->next = pool->slabs;
    pool->slabs = slab;
    pool->cursor = (char *)slab + HEADER;
    pool->end = (char *)slab + size;
    pool->bytes += (int64_t)size;
}

weft_event *weft_pool_carve(weft_pool *pool, unsigned size)
{
    assert(size < WEFT_POOL_SIZES);
    size_t need = sizeof(weft_event) << size;
    if ((size_t)(pool->end - pool->cursor) < need) {
        /* what is left of the old slab becomes small arrays */
        while ((size_t)(pool->end - pool->cursor) >= sizeof(weft_event) << WEFT_POOL_LEAST) {
            weft_pool_give(pool, (weft_event *)(void *)pool->cursor, WEFT_POOL_LEAST);
            pool->cursor += sizeof(weft_event) << WEFT_POOL_LEAST;
        }
        add_slab(pool, need);
    }
    weft_event *array = (weft_event *)(void *)pool->cursor;
    pool->cursor += need;
    return array;
}

void weft_pool_done(weft_pool *pool)
{
    struct weft_pool_slab *slab = pool->slabs;
    while (slab) {
        struct weft_pool_slab *next = slab->next;
        weft_region_destroy(slab, slab->bytes);
        slab = next;
    }
    *pool = (weft_pool){0};
}
