/* SPDX-License-Identifier: Apache-2.0 */
/* Open addressing over the numbers of the items, which themselves never move. */
#include "report/intern.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void weft_intern_init(weft_intern *pool)
{
    *pool = (weft_intern){0};
    weft_arena_init(&pool->arena);
}

void weft_intern_done(weft_intern *pool)
{
    weft_arena_done(&pool->arena);
    free(pool->items);
    free(pool->slots);
    *pool = (weft_intern){0};
}

/* Eight bytes at a time: columns of numbers are long. */
static uint64_t hash_of(const void *bytes, size_t length)
{
    const unsigned char *at = bytes;
    uint64_t hash = 0x9e3779b97f4a7c15u ^ length;
    for (; length > 0; length -= length < 8 ? length : 8, at += 8) {
        uint64_t word = 0;
        memcpy(&word, at, length < 8 ? length : 8);
        hash = (hash ^ word) * 0xff51afd7ed558ccdu;
        hash ^= hash >> 29;
    }
    return hash;
}

/* The slot that holds these bytes, or the free one where they belong. */
static size_t slot_of(const weft_intern *pool, const void *bytes, size_t length, uint64_t hash)
{
    size_t mask = pool->n_slots - 1, slot = (size_t)hash & mask;
    for (; pool->slots[slot]; slot = (slot + 1) & mask) {
        const weft_intern_item *item = &pool->items[pool->slots[slot] - 1];
        if (item->hash == hash && item->length == length &&
            (length == 0 || memcmp(item->bytes, bytes, length) == 0))
            break;
    }
    return slot;
}

static void grow(weft_intern *pool)
{
    free(pool->slots);
    pool->n_slots = pool->n_slots ? 2 * pool->n_slots : 256;
    pool->slots = weft_alloc(pool->n_slots * sizeof *pool->slots); /* zeroed */
    for (size_t i = 0; i < pool->n_items; i++) {
        const weft_intern_item *item = &pool->items[i];
        pool->slots[slot_of(pool, item->bytes, item->length, item->hash)] = (uint32_t)i + 1;
    }
    pool->capacity = pool->n_slots / 2;
    pool->items = weft_realloc(pool->items, pool->capacity, sizeof *pool->items);
}

uint32_t weft_intern_add(weft_intern *pool, const void *bytes, size_t length)
{
    assert(pool->n_items < UINT32_MAX / 2);
    if (pool->n_items == pool->capacity)
        grow(pool);
    uint64_t hash = hash_of(bytes, length);
    size_t slot = slot_of(pool, bytes, length, hash);
    if (!pool->slots[slot]) {
        void *copy = weft_arena_take(&pool->arena, length + 1);
        if (length)
            memcpy(copy, bytes, length);
        pool->items[pool->n_items] = (weft_intern_item){copy, length, hash};
        pool->slots[slot] = (uint32_t)++pool->n_items;
    }
    return pool->slots[slot] - 1;
}

uint32_t weft_intern_text(weft_intern *pool, const char *text)
{
    return weft_intern_add(pool, text, strlen(text));
}
