/* SPDX-License-Identifier: Apache-2.0 */
/* Points of a joint plan are told by their settings, which end with what files held. So a study may
 * change in any way: scenarios and series may be renamed, axes added; only points whose settings no
 * stored point has are run.
 *
 * Points that the study no longer has stay in the file: they may come back. */
#include "study/reuse.h"

#include "base/memory.h"
#include "config/change.h"
#include "config/files.h"
#include "result/extend.h"
#include "result/packed_rows.h"

#include <stdlib.h>
#include <string.h>

/* The lines of files that a text of settings ends with; "" if there are none. */
static const char *files_of(const char *settings)
{
    const char *at = strstr(settings, "\n" WEFT_FILES_LINE);
    return at ? at + 1 : "";
}

static bool is_failed(const weft_point *point)
{
    return strncmp(point->verdict, WEFT_REUSE_FAILED, strlen(WEFT_REUSE_FAILED)) == 0;
}

weft_status weft_reuse_same(const weft_study *study, size_t i, const weft_point *point, bool *same,
                            weft_error *err)
{
    weft_arena arena;
    weft_scenario scenario;
    weft_change found;
    size_t count = 0;
    weft_arena_init(&arena);
    weft_status status = weft_plan_point(study->plan, i, &arena, &scenario, err);
    *same = status == WEFT_OK && strcmp(scenario.text, point->settings) == 0;
    if (status == WEFT_OK && !*same &&
        strcmp(files_of(scenario.text), files_of(point->settings)) == 0) {
        status = weft_change_find(point->settings, scenario.text, &arena, &found, 1, &count, err);
        *same = status == WEFT_OK && count == 0;
    }
    weft_arena_done(&arena);
    return status;
}

/* Which points of the grid are there, and which of them hold. */
static weft_status compare_all(weft_study *study, bool *stale, weft_result *result, bool *holds,
                               weft_error *err)
{
    for (size_t i = 0; i < weft_plan_points(study->plan); i++) {
        const weft_point *point;
        bool same;
        size_t k = weft_result_find(result, weft_plan_key(study->plan, i));
        if (k == weft_result_points(result))
            continue;
        WEFT_TRY(weft_result_head(result, k, &point, err));
        WEFT_TRY(weft_reuse_same(study, i, point, &same, err));
        stale[i] = !same || is_failed(point);
        holds[k] = same;
    }
    return WEFT_OK;
}

typedef struct stored { /* a point of the file that no point of the grid has */
    char *settings;
    size_t number;
} stored;

static int by_settings(const void *a, const void *b)
{
    return strcmp(((const stored *)a)->settings, ((const stored *)b)->settings);
}

typedef struct moved { /* a row under its new key */
    size_t point;
    void *row;
    size_t bytes;
} moved;

typedef struct mover {
    weft_study *study;
    weft_result *result;
    stored *stored;
    size_t n_stored;
    moved *moved;
    size_t n_moved;
} mover;

/* Rows are read before any is written: two names may have been exchanged. */
static weft_status look_for(mover *m, size_t i, weft_error *err)
{
    weft_arena arena;
    weft_scenario scenario;
    const weft_point *point;
    weft_arena_init(&arena);
    weft_status status = weft_plan_point(m->study->plan, i, &arena, &scenario, err);
    const stored *found = NULL;
    if (status == WEFT_OK) {
        stored wanted = {.settings = (char *)(uintptr_t)scenario.text};
        found = bsearch(&wanted, m->stored, m->n_stored, sizeof wanted, by_settings);
    }
    if (found)
        status = weft_result_read(m->result, found->number, &point, err);
    if (found && status == WEFT_OK) {
        weft_point copy = *point;
        moved *to = &m->moved[m->n_moved++];
        copy.key = scenario.key;
        to->point = i;
        to->row = weft_packed_rows_write(&copy, &to->bytes);
    }
    weft_arena_done(&arena);
    return status;
}

static weft_status write_moved(mover *m, bool *stale, weft_error *err)
{
    for (size_t k = 0; k < m->n_moved; k++) {
        weft_arena arena;
        weft_point point;
        weft_arena_init(&arena);
        weft_status status =
            weft_packed_rows_read(m->moved[k].row, m->moved[k].bytes, &arena, &point, err);
        if (status == WEFT_OK)
            status = weft_result_replace(m->result, &point, err);
        weft_arena_done(&arena);
        WEFT_TRY(status);
        stale[m->moved[k].point] = false;
    }
    return WEFT_OK;
}

static weft_status list_stored(mover *m, const bool *holds, weft_error *err)
{
    for (size_t k = 0; k < weft_result_points(m->result); k++) {
        const weft_point *point;
        if (holds[k])
            continue;
        WEFT_TRY(weft_result_head(m->result, k, &point, err));
        if (!is_failed(point))
            m->stored[m->n_stored++] =
                (stored){.settings = weft_text_copy(point->settings), .number = k};
    }
    qsort(m->stored, m->n_stored, sizeof *m->stored, by_settings);
    return WEFT_OK;
}

static weft_status move_all(mover *m, bool *stale, const bool *holds, weft_error *err)
{
    WEFT_TRY(list_stored(m, holds, err));
    for (size_t i = 0; i < weft_plan_points(m->study->plan) && m->n_stored > 0; i++)
        if (stale[i] || !weft_result_has(m->result, weft_plan_key(m->study->plan, i)))
            WEFT_TRY(look_for(m, i, err));
    return write_moved(m, stale, err);
}

weft_status weft_reuse_joint(weft_study *study, bool *stale, weft_result *result, weft_error *err)
{
    size_t there = weft_result_points(result);
    bool *holds = weft_alloc(there * sizeof *holds + 1);
    mover m = {.study = study,
               .result = result,
               .stored = weft_alloc((there + 1) * sizeof *m.stored),
               .moved = weft_alloc((weft_plan_points(study->plan) + 1) * sizeof *m.moved)};
    weft_status status = compare_all(study, stale, result, holds, err);
    if (status == WEFT_OK)
        status = move_all(&m, stale, holds, err);
    for (size_t k = 0; k < m.n_stored; k++)
        free(m.stored[k].settings);
    for (size_t k = 0; k < m.n_moved; k++)
        free(m.moved[k].row);
    free(m.stored);
    free(m.moved);
    free(holds);
    return status;
}
