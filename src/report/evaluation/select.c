/* SPDX-License-Identifier: Apache-2.0 */
/* The results file of a study may hold more than its points: some that the study no longer has,
 * some that failed, some whose settings have changed. None of these is shown. */
#include "base/memory.h"
#include "report/axis.h"
#include "report/evaluation/exhibit.h"
#include "report/figure/over.h"
#include "report/measurands.h"
#include "report/table.h"
#include "result/extend.h"
#include "result/key.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEED "seed"

static bool is_text(const char *text, size_t length, const char *other)
{
    return strlen(other) == length && memcmp(text, other, length) == 0;
}

/* The part of a key with this name; false: it has none. */
static bool part_of(const char *key, const char *name, weft_key_part *part)
{
    while (weft_key_next(&key, part))
        if (is_text(part->name, part->name_length, name))
            return true;
    return false;
}

static bool is_shown(const weft_exhibit *exhibit, const char *key)
{
    weft_key_part part;
    bool shown = exhibit->n_scenarios == 0;
    bool named = part_of(key, "scenario", &part);
    for (size_t i = 0; i < exhibit->n_scenarios && named; i++)
        shown = shown || is_text(part.value, part.value_length, exhibit->scenarios[i]);
    for (size_t i = 0; i < exhibit->n_only && shown; i++) {
        const weft_exhibit_only *only = &exhibit->only[i];
        bool among = !part_of(key, only->path, &part);
        for (size_t k = 0; k < only->n_values && !among; k++)
            among = weft_key_is_value(&part, only->values[k], strlen(only->values[k]));
        shown = among;
    }
    return shown;
}

static weft_status new_result(const char *title, weft_result **result, weft_error *err)
{
    return weft_result_create(WEFT_IN_MEMORY, title, "", true, result, err);
}

weft_status weft_exhibit_select(weft_result *from, const weft_exhibit *exhibit,
                                weft_result **selected, weft_error *err)
{
    weft_result *to;
    weft_status status = new_result(exhibit->title ? exhibit->title : exhibit->name, &to, err);
    WEFT_TRY(status);
    for (size_t i = 0; i < weft_result_points(from) && status == WEFT_OK; i++) {
        const weft_point *point;
        if (!is_shown(exhibit, weft_result_key(from, i)))
            continue;
        status = weft_result_read(from, i, &point, err);
        if (status == WEFT_OK)
            status = weft_result_commit(to, point, err);
    }
    if (status == WEFT_OK)
        *selected = to;
    else
        weft_result_close(to);
    return status;
}

/* ---- the points that are there ---- */

static weft_status copy_done(weft_study *study, weft_result *from, weft_result *to, bool *seeds,
                             weft_error *err)
{
    size_t points = weft_study_points(study);
    weft_point_survey *survey = weft_alloc(points * sizeof *survey);
    weft_status status = weft_study_survey(study, survey, err);
    for (size_t i = 0; i < points && status == WEFT_OK; i++) {
        const weft_point *point;
        weft_key_part part;
        const char *key = weft_study_point_key(study, i);
        size_t k = weft_result_find(from, key);
        if (k == weft_result_points(from) || survey[i].state != WEFT_POINT_DONE)
            continue;
        *seeds = *seeds || part_of(key, SEED, &part);
        status = weft_result_read(from, k, &point, err);
        if (status == WEFT_OK)
            status = weft_result_commit(to, point, err);
    }
    free(survey);
    return status;
}

/* Points of several seeds become one; `from` is closed. */
static weft_status combine_seeds(weft_result *from, bool seeds, weft_result **combined,
                                 weft_error *err)
{
    *combined = from;
    if (!seeds)
        return WEFT_OK;
    weft_status status = weft_curves_over(from, SEED, combined, err);
    weft_result_close(from);
    return status;
}

weft_status weft_exhibit_combine(weft_evaluation *evaluation, weft_result **combined,
                                 weft_error *err)
{
    weft_study *study = weft_evaluation_study(evaluation);
    weft_result *from, *done;
    bool seeds = false;
    WEFT_TRY(weft_result_open(weft_study_results(study), &from, err));
    weft_status status = new_result(weft_evaluation_title(evaluation), &done, err);
    if (status == WEFT_OK) {
        status = copy_done(study, from, done, &seeds, err);
        if (status == WEFT_OK)
            status = combine_seeds(done, seeds, combined, err);
        else
            weft_result_close(done);
    }
    weft_result_close(from);
    return status;
}

/* ---- checks before anything is run ---- */

/* All points, without what they will measure. */
static weft_status keys_alone(weft_study *study, weft_result **keys, weft_error *err)
{
    bool seeds = false;
    weft_result *all;
    WEFT_TRY(new_result("", &all, err));
    weft_status status = WEFT_OK;
    const char *key = "";
    for (size_t i = 0; i < weft_study_points(study) && status == WEFT_OK; i++) {
        weft_key_part part;
        key = weft_study_point_key(study, i);
        weft_point point = {.key = key, .settings = "", .verdict = "converged"};
        seeds = seeds || part_of(key, SEED, &part);
        status = weft_result_commit(all, &point, err);
    }
    if (status == WEFT_OK)
        return combine_seeds(all, seeds, keys, err);
    weft_result_close(all);
    (void)weft_fail(err, status,
                    "the values of the point '%.80s…' take %zu bytes, more than results can hold; "
                    "a longer list may be a file: 'file NAME'",
                    key, strlen(key));
    return status;
}

/* Messages of flags are said of the keys of the file. */
static void drop_dashes(weft_error *err)
{
    if (strncmp(err->text, "--", 2) == 0)
        memmove(err->text, err->text + 2, strlen(err->text + 2) + 1);
}

static weft_status locate(const weft_evaluation *evaluation, const char *section,
                          const weft_exhibit *exhibit, const char *key, weft_status status,
                          weft_error *err)
{
    char path[128];
    (void)snprintf(path, sizeof path, "%s.%.48s.%s", section, exhibit->name, key);
    if (status != WEFT_OK)
        drop_dashes(err);
    status = weft_evaluation_locate(evaluation, path, status, err);
    return status == WEFT_BAD_USAGE ? WEFT_BAD_INPUT : status;
}

static weft_status check_y(const char *y, weft_error *err)
{
    const weft_measurand *found;
    const char *of;
    weft_arena arena;
    weft_arena_init(&arena);
    weft_status status = y ? weft_measurands_choose("--y", y, &arena, &found, &of, err) : WEFT_OK;
    weft_arena_done(&arena);
    return status;
}

static weft_status check_x(weft_result *points, const char *x, weft_error *err)
{
    weft_axis *axis = weft_axis_create(&points, NULL, 1);
    weft_status status = x ? weft_axis_choose(axis, x, err) : WEFT_OK;
    weft_axis_destroy(axis);
    return status;
}

/* A path that no point has would choose all of them. */
static weft_status check_only(weft_result *keys, const weft_exhibit *exhibit, weft_error *err)
{
    for (size_t i = 0; i < exhibit->n_only; i++) {
        weft_key_part part;
        size_t k = 0;
        while (k < weft_result_points(keys) &&
               !part_of(weft_result_key(keys, k), exhibit->only[i].path, &part))
            k++;
        if (k == weft_result_points(keys))
            return weft_fail(err, WEFT_BAD_INPUT, "nothing varies '%.100s'", exhibit->only[i].path);
    }
    return WEFT_OK;
}

static weft_status check_points(weft_result *keys, const weft_exhibit *exhibit, bool figure,
                                const char **key, weft_error *err)
{
    weft_result *points;
    weft_status status = WEFT_OK;
    *key = "only";
    WEFT_TRY(check_only(keys, exhibit, err));
    WEFT_TRY(weft_exhibit_select(keys, exhibit, &points, err));
    if (weft_result_points(points) == 0) {
        status = weft_fail(err, WEFT_BAD_INPUT, "no point has these values");
    } else if (figure) {
        *key = "x";
        status = check_x(points, exhibit->x, err);
    }
    weft_result_close(points);
    return status;
}

static weft_status check_all(weft_evaluation *evaluation, weft_result *keys, weft_error *err)
{
    const weft_exhibit *figures, *tables;
    const char *key = NULL;
    size_t n_figures = weft_evaluation_figures(evaluation, &figures);
    size_t n_tables = weft_evaluation_tables(evaluation, &tables);
    for (size_t i = 0; i < n_figures; i++) {
        WEFT_TRY(locate(evaluation, "figures", &figures[i], "y", check_y(figures[i].y, err), err));
        weft_status status = check_points(keys, &figures[i], true, &key, err);
        WEFT_TRY(locate(evaluation, "figures", &figures[i], key, status, err));
    }
    for (size_t i = 0; i < n_tables; i++) {
        weft_status status = weft_report_table_check(tables[i].columns, err);
        WEFT_TRY(locate(evaluation, "tables", &tables[i], "columns", status, err));
        status = check_points(keys, &tables[i], false, &key, err);
        WEFT_TRY(locate(evaluation, "tables", &tables[i], key, status, err));
    }
    return WEFT_OK;
}

weft_status weft_exhibit_check(weft_evaluation *evaluation, weft_error *err)
{
    weft_result *keys;
    weft_status status = keys_alone(weft_evaluation_study(evaluation), &keys, err);
    if (status != WEFT_OK)
        return weft_evaluation_locate(evaluation, "vary", status, err);
    status = check_all(evaluation, keys, err);
    weft_result_close(keys);
    return status;
}
