/* SPDX-License-Identifier: Apache-2.0 */
/* Settings that differ: over all points that match, the leaves of their settings as understood. */
#include "base/memory.h"
#include "compare/internal.h"
#include "compare/settings.h"

#include <stdlib.h>
#include <string.h>

#define SEVERAL "…"

typedef struct leaf {
    const char *path;
    const char *values[WEFT_COMPARE_SIDES]; /* NULL: no point was seen; SEVERAL: they differ */
    const char *now[WEFT_COMPARE_SIDES];    /* of the point in hand */
    bool differs;
} leaf;

typedef struct leaves {
    weft_compare_book *book;
    leaf *at;
    size_t count, capacity;
    size_t side; /* being read */
} leaves;

static leaf *leaf_of(leaves *all, const char *path)
{
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->at[i].path, path) == 0)
            return &all->at[i];
    if (all->count == all->capacity) {
        all->capacity = all->capacity ? 2 * all->capacity : 64;
        all->at = weft_realloc(all->at, all->capacity, sizeof *all->at);
    }
    all->at[all->count] = (leaf){.path = weft_arena_copy(&all->book->arena, path, strlen(path))};
    return &all->at[all->count++];
}

static void note_leaf(void *user, const char *path, const char *value)
{
    leaves *all = user;
    if (strcmp(path, "title") != 0 && strcmp(path, "interweft") != 0)
        leaf_of(all, path)->now[all->side] =
            weft_arena_copy(&all->book->arena, value, strlen(value));
}

/* Compares the leaves of a point with the baseline's, and with those of the points before. */
static void settle(leaves *all, const weft_compare_point *point)
{
    for (size_t i = 0; i < all->count; i++) {
        leaf *l = &all->at[i];
        for (size_t s = 0; s < all->book->sheet.n_sides; s++) {
            if (point->at[s] == WEFT_COMPARE_NONE)
                continue;
            const char *value = l->now[s] ? l->now[s] : "", *first = l->now[0] ? l->now[0] : "";
            l->differs = l->differs || strcmp(value, first) != 0;
            if (!l->values[s])
                l->values[s] = value;
            else if (strcmp(l->values[s], value) != 0)
                l->values[s] = SEVERAL;
        }
        memset(l->now, 0, sizeof l->now);
    }
}

static bool is_matched(const weft_compare_sheet *sheet, const weft_compare_point *point)
{
    size_t there = 0;
    for (size_t s = 0; s < sheet->n_sides; s++)
        there += point->at[s] != WEFT_COMPARE_NONE;
    return point->at[0] != WEFT_COMPARE_NONE && there > 1;
}

static weft_status look_at(leaves *all, const weft_compare_point *point, weft_error *err)
{
    for (size_t s = 0; s < all->book->sheet.n_sides; s++) {
        const weft_point *read;
        if (point->at[s] == WEFT_COMPARE_NONE)
            continue;
        WEFT_TRY(weft_result_read(all->book->sides[s], point->at[s], &read, err));
        weft_arena scratch;
        weft_arena_init(&scratch);
        all->side = s;
        weft_compare_settings_leaves(weft_compare_settings_read(read->settings, &scratch), &scratch,
                                     note_leaf, all);
        weft_arena_done(&scratch);
    }
    settle(all, point);
    return WEFT_OK;
}

static void keep_differing(const leaves *all)
{
    weft_compare_sheet *sheet = &all->book->sheet;
    weft_compare_setting *kept = WEFT_TAKE(&all->book->arena, weft_compare_setting, all->count + 1);
    for (size_t i = 0; i < all->count; i++) {
        if (!all->at[i].differs)
            continue;
        const char **values = WEFT_TAKE(&all->book->arena, const char *, sheet->n_sides);
        for (size_t s = 0; s < sheet->n_sides; s++)
            values[s] = all->at[i].values[s] ? all->at[i].values[s] : "";
        kept[sheet->n_settings++] = (weft_compare_setting){all->at[i].path, values};
    }
    sheet->settings = kept;
}

weft_status weft_compare_find_settings(weft_compare_book *book, weft_error *err)
{
    leaves all = {.book = book};
    weft_status status = WEFT_OK;
    for (size_t p = 0; p < book->sheet.n_points && status == WEFT_OK; p++)
        if (is_matched(&book->sheet, &book->sheet.points[p]))
            status = look_at(&all, &book->sheet.points[p], err);
    if (status == WEFT_OK)
        keep_differing(&all);
    free(all.at);
    return status;
}
