/* SPDX-License-Identifier: Apache-2.0 */
/* Slabs of at least 64 KiB in a list; an allocation larger than that gets a slab of its own. */
#include "base/arena.h"

#include "base/digits.h"
#include "base/memory.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct weft_arena_slab {
    struct weft_arena_slab *next;
    size_t used, capacity;
    max_align_t data[];
};

#define SLAB_BYTES ((size_t)65536)

void weft_arena_init(weft_arena *arena)
{
    *arena = (weft_arena){0};
}

void weft_arena_done(weft_arena *arena)
{
    struct weft_arena_slab *slab = arena->slabs;
    while (slab) {
        struct weft_arena_slab *next = slab->next;
        free(slab);
        slab = next;
    }
    *arena = (weft_arena){0};
}

void *weft_arena_take(weft_arena *arena, size_t bytes)
{
    size_t need = (bytes + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    struct weft_arena_slab *slab = arena->slabs;
    if (!slab || slab->capacity - slab->used < need) {
        size_t capacity = need > SLAB_BYTES ? need : SLAB_BYTES;
        slab = weft_alloc(sizeof *slab + capacity);
        slab->capacity = capacity;
        slab->next = arena->slabs;
        arena->slabs = slab;
    }
    void *data = (char *)slab->data + slab->used;
    slab->used += need;
    arena->used += need;
    return data;
}

char *weft_arena_copy(weft_arena *arena, const char *text, size_t length)
{
    char *copy = weft_arena_take(arena, length + 1);
    if (length)
        memcpy(copy, text, length);
    return copy;
}

char *weft_arena_format(weft_arena *arena, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = weft_digits_vprint(NULL, 0, format, args);
    va_end(args);
    char *text = weft_arena_take(arena, (size_t)(length > 0 ? length : 0) + 1);
    weft_digits_vprint(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}
