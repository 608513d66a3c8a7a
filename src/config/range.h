/* SPDX-License-Identifier: Apache-2.0 */
/* {from, to, step}: values in exact decimals, so that 0.05, 0.1, 0.15 … print as such. */
#ifndef WEFT_CONFIG_RANGE_H
#define WEFT_CONFIG_RANGE_H

#include "config/tree.h"

typedef struct weft_range {
    int64_t from, step; /* times 10^−scale */
    int scale;
    const char *unit; /* "" or "ns" … */
    size_t count;
    const weft_node *at;
} weft_range;

/* Reads a range of at most `most` values; path names it in messages. */
WEFT_MUST_USE weft_status weft_range_read(const weft_node *map, const char *path, size_t most,
                                          weft_arena *arena, weft_range *range, weft_error *err);
/* Value i as a scalar at the place of the range. */
const weft_node *weft_range_value(const weft_range *range, size_t i, weft_arena *arena);

#endif
