/* SPDX-License-Identifier: Apache-2.0 */
/* A priority queue: the least entry by time, then by order. */
#ifndef WEFT_PROGRAM_HEAP_H
#define WEFT_PROGRAM_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct weft_heap_entry {
    uint64_t time, order;
    uint32_t what;
    uint32_t next; /* for those that keep entries in lists */
} weft_heap_entry;

typedef struct weft_heap {
    weft_heap_entry *entries; /* the least one first */
    uint32_t count, room;
} weft_heap;

static inline bool weft_heap_less(const weft_heap_entry *a, const weft_heap_entry *b)
{
    return a->time != b->time ? a->time < b->time : a->order < b->order;
}

void weft_heap_done(weft_heap *heap);
void weft_heap_push(weft_heap *heap, weft_heap_entry entry);
/* Takes the least entry; there is one. */
weft_heap_entry weft_heap_pop(weft_heap *heap);

#endif
