/* SPDX-License-Identifier: Apache-2.0 */
/* A binary heap. */
#include "program/heap.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

void weft_heap_done(weft_heap *heap)
{
    free(heap->entries);
    *heap = (weft_heap){0};
}

void weft_heap_push(weft_heap *heap, weft_heap_entry entry)
{
    if (heap->count == heap->room) {
        heap->room = heap->room ? 2 * heap->room : 4;
        heap->entries = weft_realloc(heap->entries, heap->room, sizeof *heap->entries);
    }
    uint32_t at = heap->count++;
    for (; at > 0 && weft_heap_less(&entry, &heap->entries[(at - 1) / 2]); at = (at - 1) / 2)
        heap->entries[at] = heap->entries[(at - 1) / 2];
    heap->entries[at] = entry;
}

weft_heap_entry weft_heap_pop(weft_heap *heap)
{
    assert(heap->count > 0);
    weft_heap_entry *entries = heap->entries, least = entries[0];
    weft_heap_entry moved = entries[--heap->count];
    uint32_t at = 0, child;
    while ((child = 2 * at + 1) < heap->count) {
        if (child + 1 < heap->count && weft_heap_less(&entries[child + 1], &entries[child]))
            child++;
        if (!weft_heap_less(&entries[child], &moved))
            break;
        entries[at] = entries[child];
        at = child;
    }
    entries[at] = moved;
    return least;
}
