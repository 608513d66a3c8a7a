/* SPDX-License-Identifier: Apache-2.0 */
/* An arena: many small allocations that are freed together. Aborts only when out of memory. */
#ifndef WEFT_BASE_ARENA_H
#define WEFT_BASE_ARENA_H

#include <stddef.h>

typedef struct weft_arena {
    struct weft_arena_slab *slabs;
    size_t used; /* bytes handed out, for tests and limits */
} weft_arena;

void weft_arena_init(weft_arena *arena);
void weft_arena_done(weft_arena *arena);
/* Zeroed, aligned for any type; never NULL. */
void *weft_arena_take(weft_arena *arena, size_t bytes);
char *weft_arena_copy(weft_arena *arena, const char *text, size_t length); /* adds the \0 */
char *weft_arena_format(weft_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#define WEFT_TAKE(arena, type, count) ((type *)weft_arena_take((arena), sizeof(type) * (count)))

#endif
