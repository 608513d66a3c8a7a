/* SPDX-License-Identifier: Apache-2.0 */
#include "report/figure/over.h"

#include "base/arena.h"
#include "base/memory.h"
#include "base/numeric.h"
#include "base/text.h"
#include "result/key.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CONFIDENCE 0.95
#define NAMES_MOST 8 /* settings listed where a name is that of several */

typedef struct sum { /* of a metric */
    weft_metric metric;
    int64_t runs, observations;
    double mean, squares;
} sum;

typedef struct group {
    const char *key, *settings, *verdict;
    bool saturated;
    sum *sums;
    size_t n_sums, room;
} group;

typedef struct merger {
    weft_arena arena;
    const char *setting, *path; /* as it was asked for, and whole */
    group *groups;
    size_t n_groups;
} merger;

/* "traffic.all.rho" is named by itself, "all.rho" and "rho". */
static bool is_named(const weft_key_part *part, const char *name)
{
    size_t length = strlen(name);
    if (part->name_length < length ||
        memcmp(part->name + part->name_length - length, name, length) != 0)
        return false;
    return part->name_length == length || part->name[part->name_length - length - 1] == '.';
}

static bool is_path(const weft_key_part *part, const char *path)
{
    return part->name_length == strlen(path) && memcmp(part->name, path, part->name_length) == 0;
}

/* Adds a path that is not among them yet. */
static void note_path(merger *m, const weft_key_part *part, const char **paths, size_t *count)
{
    for (size_t i = 0; i < *count; i++)
        if (is_path(part, paths[i]))
            return;
    if (*count < NAMES_MOST)
        paths[(*count)++] = weft_arena_copy(&m->arena, part->name, part->name_length);
}

/* The setting of exactly this name, else the only one whose path ends with it. */
static weft_status find_path(merger *m, weft_result *from, weft_error *err)
{
    const char *paths[NAMES_MOST], *known = "";
    size_t count = 0;
    weft_key_part part;
    for (size_t i = 0; i < weft_result_points(from); i++)
        for (const char *rest = weft_result_key(from, i); weft_key_next(&rest, &part);) {
            if (is_path(&part, m->setting)) {
                m->path = m->setting;
                return WEFT_OK;
            }
            if (is_named(&part, m->setting))
                note_path(m, &part, paths, &count);
        }
    if (count == 0)
        return weft_fail(err, WEFT_BAD_USAGE, "--over: '%.64s' does not vary in %s", m->setting,
                         weft_result_path(from));
    m->path = paths[0];
    for (size_t i = 0; i < count; i++)
        known = weft_arena_format(&m->arena, "%s%s%s", known, i ? ", " : "", paths[i]);
    return count == 1 ? WEFT_OK
                      : weft_fail(err, WEFT_BAD_USAGE,
                                  "--over: '%.64s' is the name of several settings (%.400s)",
                                  m->setting, known);
}

/* A key without the setting. */
static const char *rest_of(merger *m, const char *key)
{
    weft_key_part part;
    weft_text text;
    weft_text_init(&text);
    for (const char *rest = key; weft_key_next(&rest, &part);) {
        if (is_path(&part, m->path))
            continue;
        weft_text_add(&text, "%s%.*s=%.*s", text.length ? " " : "", (int)part.name_length,
                      part.name, (int)part.value_length, part.value);
    }
    const char *copy = weft_arena_copy(&m->arena, text.length ? text.at : "", text.length);
    weft_text_done(&text);
    return copy;
}

static const char *keep(merger *m, const char *text)
{
    return weft_arena_copy(&m->arena, text, strlen(text));
}

static group *find_group(merger *m, const weft_point *point)
{
    const char *key = rest_of(m, point->key);
    for (size_t g = 0; g < m->n_groups; g++)
        if (strcmp(m->groups[g].key, key) == 0)
            return &m->groups[g];
    m->groups = weft_realloc(m->groups, m->n_groups + 1, sizeof *m->groups);
    m->groups[m->n_groups] = (group){
        .key = key, .settings = keep(m, point->settings), .verdict = keep(m, point->verdict)};
    return &m->groups[m->n_groups++];
}

/* Metrics of points come in the same order, most often. */
static sum *find_sum(merger *m, group *g, size_t guess, const weft_metric *metric)
{
    for (size_t k = 0; k < g->n_sums; k++) {
        sum *s = &g->sums[(guess + k) % g->n_sums];
        if (s->metric.index == metric->index && strcmp(s->metric.name, metric->name) == 0 &&
            strcmp(s->metric.of, metric->of) == 0 && strcmp(s->metric.by, metric->by) == 0)
            return s;
    }
    if (g->n_sums == g->room) {
        g->room = g->room ? 2 * g->room : 64;
        g->sums = weft_realloc(g->sums, g->room, sizeof *g->sums);
    }
    sum *s = &g->sums[g->n_sums++];
    *s = (sum){.metric = {.name = keep(m, metric->name),
                          .of = keep(m, metric->of),
                          .by = keep(m, metric->by),
                          .index = metric->index,
                          .lo = metric->lo,
                          .hi = metric->hi,
                          .n = metric->n,
                          .unit = keep(m, metric->unit),
                          .method = keep(m, metric->method)}};
    return s;
}

static weft_status add_point(merger *m, const weft_point *point, weft_error *err)
{
    group *g = find_group(m, point);
    g->saturated = g->saturated || point->saturated;
    if (strcmp(point->verdict, "converged") != 0 && strcmp(point->verdict, "completed") != 0)
        g->verdict = keep(m, point->verdict);
    for (size_t i = 0; i < point->n_metrics; i++) {
        sum *s = find_sum(m, g, i, &point->metrics[i]);
        if (strcmp(s->metric.unit, point->metrics[i].unit) != 0)
            return weft_fail(err, WEFT_BAD_USAGE,
                             "--over: with values of '%.64s' %.64s is in %.16s and in %.16s, "
                             "which have no mean",
                             m->setting, s->metric.name, s->metric.unit, point->metrics[i].unit);
        double off = point->metrics[i].value - s->mean;
        s->observations += point->metrics[i].n;
        s->mean += off / (double)++s->runs;
        s->squares += off * (point->metrics[i].value - s->mean);
    }
    return WEFT_OK;
}

static weft_metric close_sum(const merger *m, const sum *s, weft_arena *arena)
{
    weft_metric metric = s->metric;
    metric.value = s->mean;
    bool theory = strcmp(metric.by, "model") == 0 || strcmp(metric.by, "bound") == 0;
    if (s->runs < 2 || theory)
        return metric; /* with the interval of its run, or the name of its model */
    /* which percentiles are shown is decided by the packets of a run */
    metric.n = strcmp(metric.by, "percentile") == 0 ? s->observations / s->runs : s->runs;
    double error = weft_sqrt(s->squares / (double)(s->runs - 1) / (double)s->runs);
    double half = error * weft_student_quantile((1 + CONFIDENCE) / 2, (double)(s->runs - 1));
    metric.lo = s->mean - half;
    metric.hi = s->mean + half;
    metric.method = weft_arena_format(arena, "Student's t over %s", m->setting);
    return metric;
}

static weft_status commit(merger *m, const group *g, weft_result *to, weft_error *err)
{
    weft_metric *metrics = WEFT_TAKE(&m->arena, weft_metric, g->n_sums + 1);
    for (size_t i = 0; i < g->n_sums; i++)
        metrics[i] = close_sum(m, &g->sums[i], &m->arena);
    weft_point point = {.key = g->key,
                        .settings = g->settings,
                        .verdict = g->verdict,
                        .saturated = g->saturated,
                        .n_metrics = g->n_sums,
                        .metrics = metrics};
    return weft_result_commit(to, &point, err);
}

static weft_status merge(merger *m, weft_result *from, weft_result *to, weft_error *err)
{
    WEFT_TRY(find_path(m, from, err));
    for (size_t i = 0; i < weft_result_points(from); i++) {
        const weft_point *point;
        WEFT_TRY(weft_result_read(from, i, &point, err));
        WEFT_TRY(add_point(m, point, err));
    }
    for (size_t g = 0; g < m->n_groups; g++)
        WEFT_TRY(commit(m, &m->groups[g], to, err));
    return WEFT_OK;
}

weft_status weft_curves_over(weft_result *from, const char *setting, weft_result **combined,
                             weft_error *err)
{
    merger m = {.setting = setting};
    weft_result *to;
    WEFT_TRY(weft_result_create(WEFT_IN_MEMORY, weft_result_title(from), weft_result_scenario(from),
                                true, &to, err));
    weft_arena_init(&m.arena);
    weft_status status = merge(&m, from, to, err);
    for (size_t g = 0; g < m.n_groups; g++)
        free(m.groups[g].sums);
    free(m.groups);
    weft_arena_done(&m.arena);
    if (status == WEFT_OK)
        *combined = to;
    else
        weft_result_close(to);
    return status;
}
