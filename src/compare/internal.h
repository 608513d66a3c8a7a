/* SPDX-License-Identifier: Apache-2.0 */
/* A sheet while it is filled: match.c finds points, differences.c the settings that differ,
 * compare.c the rows. */
#ifndef WEFT_COMPARE_INTERNAL_H
#define WEFT_COMPARE_INTERNAL_H

#include "base/arena.h"
#include "interweft/compare.h"

typedef struct weft_compare_book {
    weft_compare_sheet sheet; /* first: a pointer to it is one to the book */
    weft_arena arena;
    weft_result **sides;
} weft_compare_book;

/* Axes and points. */
WEFT_MUST_USE weft_status weft_compare_match(weft_compare_book *book, weft_error *err);
/* Settings that differ between points that match. */
WEFT_MUST_USE weft_status weft_compare_find_settings(weft_compare_book *book, weft_error *err);

#endif
