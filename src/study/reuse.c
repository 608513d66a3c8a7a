/* SPDX-License-Identifier: Apache-2.0 */
/* Every point of the file is bound anew, with the values that its key names, and compared with
 * the settings it was run with.
 *
 * 1. A point whose goal was less precise, or that a limit ended which is another one now, is run
 *    anew; one that is more precise than wanted stays.
 * 2. Anything else that differs makes it a point of another scenario: no file holds both.
 * 3. Its seed follows from its key, so a grid over other settings has no points in common. */
#include "study/reuse.h"

#include "base/digits.h"
#include "base/memory.h"
#include "config/change.h"
#include "result/extend.h"
#include "result/key.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIFFERENCES_MOST 64

typedef struct reuse {
    weft_study *study;
    weft_result *result;
    bool same; /* the text of the scenario is, so only precision is looked at */
    const char *paths;
    bool *stale;
    bool foreign;  /* points of another grid: those of a search or of a sensitivity */
    size_t others; /* points of another scenario */
    char why[512]; /* the first of them */
} reuse;

/* The settings that a key names, "routing.selection, traffic.all.rho". */
static const char *paths_of(const char *key, weft_arena *arena)
{
    const char *paths = "";
    for (weft_key_part part; weft_key_next(&key, &part);)
        paths = weft_arena_format(arena, "%s%s%.*s", paths, *paths ? ", " : "",
                                  (int)part.name_length, part.name);
    return paths;
}

/* "path=value" of every part of a key. */
static const char **settings_of(const char *key, weft_arena *arena, size_t *count)
{
    const char **settings = WEFT_TAKE(arena, const char *, strlen(key) / 2 + 1);
    *count = 0;
    for (weft_key_part part; weft_key_next(&key, &part);)
        settings[(*count)++] = weft_arena_format(arena, "%.*s=%.*s", (int)part.name_length,
                                                 part.name, (int)part.value_length, part.value);
    return settings;
}

/* The point of the grid with this key; as many as there are: none. */
static size_t on_grid(const weft_study *study, const char *key)
{
    size_t i = 0, points = weft_plan_points(study->plan);
    while (i < points && strcmp(weft_plan_key(study->plan, i), key) != 0)
        i++;
    return i;
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Does a difference only say how precise the point is? *again: not precise enough. */
static bool of_precision(const weft_change *d, const char *verdict, bool *again)
{
    if (strcmp(d->path, "measure.half-width") == 0 && d->one && d->other) {
        *again |= weft_digits_read(d->other, NULL) < weft_digits_read(d->one, NULL);
        return true;
    }
    if (begins(d->path, "measure.limit")) {
        *again |= begins(verdict, "limit");
        return true;
    }
    return false;
}

static void refuse(reuse *r, const char *format, const char *a, const char *b, const char *c)
{
    if (r->others++ == 0)
        (void)snprintf(r->why, sizeof r->why, format, a, b, c);
}

static void judge(reuse *r, const weft_point *point, const weft_change *found, size_t count)
{
    bool again = false;
    for (size_t k = 0; k < count; k++) {
        const weft_change *d = &found[k];
        if (of_precision(d, point->verdict, &again) || r->same)
            continue;
        refuse(r, "with %.160s %.120s, this scenario has %.120s", d->path,
               d->one ? d->one : "not set", d->other ? d->other : "none");
        return;
    }
    size_t i = again ? on_grid(r->study, point->key) : weft_plan_points(r->study->plan);
    if (i < weft_plan_points(r->study->plan))
        r->stale[i] = true;
}

static weft_status look_at(reuse *r, const weft_point *point, weft_arena *arena, weft_error *err)
{
    weft_scenario scenario;
    weft_change found[DIFFERENCES_MOST];
    size_t n_settings, count;
    const char *paths = paths_of(point->key, arena);
    if (strcmp(paths, r->paths) != 0) {
        refuse(r, "in a grid over %.200s, this one is over %.200s and has other seeds%s",
               *paths ? paths : "nothing", *r->paths ? r->paths : "nothing", "");
        r->foreign = true;
        return WEFT_OK;
    }
    const char **settings = settings_of(point->key, arena, &n_settings);
    weft_status status =
        weft_plan_point_with(r->study->plan, settings, n_settings, arena, &scenario, err);
    if (status != WEFT_OK) { /* this scenario has no such point */
        refuse(r, "as %.300s, which this scenario cannot have%s%s", point->key, "", "");
        return WEFT_OK;
    }
    WEFT_TRY(weft_change_find(point->settings, scenario.text, arena, found, DIFFERENCES_MOST,
                              &count, err));
    judge(r, point, found, count);
    return WEFT_OK;
}

static weft_status look_at_all(reuse *r, weft_error *err)
{
    weft_status status = WEFT_OK;
    for (size_t k = 0; k < weft_result_points(r->result) && status == WEFT_OK; k++) {
        const weft_point *point;
        weft_arena arena;
        weft_arena_init(&arena);
        status = weft_result_head(r->result, k, &point, err);
        if (status == WEFT_OK)
            status = look_at(r, point, &arena, err);
        weft_arena_done(&arena);
    }
    return status;
}

/* A search keeps its points under the same settings, and says so in a line of its own. */
static weft_status check_kind(const weft_result *result, weft_error *err)
{
    if (!strstr(weft_result_scenario(result), "\nsaturate: "))
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT,
                     "%s holds a search for saturation; --results FILE starts another file beside "
                     "it, --new starts this one anew",
                     weft_result_path(result));
}

/* Points of studies are told by their settings; but a file of runs is none of a study, nor of a
 * sensitivity, whose keys begin with another name. */
static weft_status check_joint(const reuse *r, weft_error *err)
{
    size_t length = strcspn(r->paths, ",");
    for (size_t k = 0; k < weft_result_points(r->result); k++) {
        const weft_point *point;
        weft_key_part part = {.name_length = 0};
        WEFT_TRY(weft_result_head(r->result, k, &point, err));
        const char *rest = point->key;
        if (weft_key_next(&rest, &part) && part.name_length == length &&
            memcmp(part.name, r->paths, length) == 0)
            continue;
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%s has points of something else, '%.200s' for one, and these are told by "
                         "their %.*s; --results FILE starts another file beside it",
                         r->study->results, *point->key ? point->key : "a run", (int)length,
                         r->paths);
    }
    return WEFT_OK;
}

static weft_status adopt(reuse *r, const char *scenario, weft_error *err)
{
    weft_study *study = r->study;
    WEFT_TRY(check_kind(r->result, err));
    if (weft_plan_is_joint(study->plan)) {
        WEFT_TRY(check_joint(r, err));
        WEFT_TRY(weft_reuse_joint(study, r->stale, r->result, err));
        return weft_result_adopt(r->result, weft_plan_title(study->plan), scenario, err);
    }
    r->same = strcmp(weft_result_scenario(r->result), scenario) == 0;
    WEFT_TRY(look_at_all(r, err));
    size_t all = weft_result_points(r->result);
    if (r->others > 0 && (!r->same || r->foreign))
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%s: %zu of its %zu point%s w%s run %s; --results FILE starts another "
                         "file beside it, --new starts this one anew",
                         study->results, r->others, all, all == 1 ? "" : "s",
                         r->others == 1 ? "as" : "ere", r->why);
    if (r->same)
        return WEFT_OK;
    return weft_result_adopt(r->result, weft_plan_title(study->plan), scenario, err);
}

/* The results file, or what is in memory. */
static weft_status open_results(weft_study *study, const char *scenario, weft_result **result,
                                weft_error *err)
{
    *result = study->kept;
    if (study->kept)
        return WEFT_OK;
    WEFT_TRY(weft_result_extend(study->results, weft_plan_title(study->plan), scenario,
                                study->options.fresh, result, err));
    if (weft_study_in_memory(study))
        study->kept = *result;
    return WEFT_OK;
}

weft_status weft_reuse_open(weft_study *study, bool *stale, weft_result **result, weft_error *err)
{
    weft_text scenario;
    weft_arena arena;
    weft_text_init(&scenario);
    weft_arena_init(&arena);
    weft_status status = weft_plan_identity(study->plan, &scenario, err);
    if (status == WEFT_OK)
        status = open_results(study, scenario.at, result, err);
    if (status == WEFT_OK) {
        reuse r = {.study = study,
                   .result = *result,
                   .paths = paths_of(weft_plan_key(study->plan, 0), &arena),
                   .stale = stale};
        status = adopt(&r, scenario.at, err);
        if (status != WEFT_OK) {
            if (!study->kept)
                weft_result_close(*result);
            *result = NULL;
        }
    }
    weft_arena_done(&arena);
    weft_text_done(&scenario);
    return status;
}
