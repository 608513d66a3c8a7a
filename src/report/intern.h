/* SPDX-License-Identifier: Apache-2.0 */
/* A pool of byte strings without repeats: equal bytes have the same number, from 0 in the order of
 * their first occurrence. */
#ifndef WEFT_REPORT_INTERN_H
#define WEFT_REPORT_INTERN_H

#include "base/arena.h"

#include <stdint.h>

typedef struct weft_intern_item {
    const void *bytes; /* aligned for any type */
    size_t length;
    uint64_t hash;
} weft_intern_item;

typedef struct weft_intern {
    weft_arena arena;
    size_t n_items, capacity;
    weft_intern_item *items;
    uint32_t *slots; /* item + 1; 0 is free; a power of two, at most half full */
    size_t n_slots;
} weft_intern;

void weft_intern_init(weft_intern *pool);
void weft_intern_done(weft_intern *pool);
uint32_t weft_intern_add(weft_intern *pool, const void *bytes, size_t length);
uint32_t weft_intern_text(weft_intern *pool, const char *text);

#endif
