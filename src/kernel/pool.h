/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays of events in powers of two, recycled through a free list per size. Memory comes in slabs
 * on huge pages and is given back only with the pool. */
#ifndef WEFT_KERNEL_POOL_H
#define WEFT_KERNEL_POOL_H

#include "kernel/kernel.h"

#define WEFT_POOL_LEAST 2 /* log2 of the smallest array */
#define WEFT_POOL_SIZES 28

typedef struct weft_pool {
    weft_event *free[WEFT_POOL_SIZES]; /* next pointer in the first bytes of each */
    char *cursor, *end;                /* of the newest slab */
    struct weft_pool_slab *slabs;
    int64_t bytes; /* of all slabs */
} weft_pool;

void weft_pool_done(weft_pool *pool);
/* An array of 2^size events from a slab; the slow path of weft_pool_take. */
weft_event *weft_pool_carve(weft_pool *pool, unsigned size);

static inline weft_event *weft_pool_take(weft_pool *pool, unsigned size)
{
    weft_event *array = pool->free[size];
    if (!array)
        return weft_pool_carve(pool, size);
    pool->free[size] = *(weft_event **)(void *)array;
    return array;
}

static inline void weft_pool_give(weft_pool *pool, weft_event *array, unsigned size)
{
    *(weft_event **)(void *)array = pool->free[size];
    pool->free[size] = array;
}

#endif
