/* SPDX-License-Identifier: Apache-2.0 */
/* The keys of all points say what varies; that decides the axis, and what is left names the
 * curves. */
#include "report/axis.h"

#include "base/arena.h"
#include "base/memory.h"
#include "report/plain.h"
#include "result/key.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LABEL_MAX 48
#define PATHS_MAX 64

/* The loads a scenario can vary, and what the axis is then called. */
typedef struct load_axis {
    const char *last, *metric, *label;
} load_axis;

static const load_axis loads[] = {
    {"rho", "offered rho", "offered load ρ (mean utilisation of the links)"},
    {"load", "offered load", "offered load (fraction of injection bandwidth)"},
    {"rate", "offered rate", "offered rate (%s per endpoint)"},
};
#define LOADS (sizeof loads / sizeof *loads)

/* One setting that varies, over all points. */
typedef struct setting {
    const char *first; /* its value where it was met first */
    bool numeric, varies;
} setting;

struct weft_axis {
    weft_arena arena;
    size_t n_settings;
    setting settings[PATHS_MAX];
    const char *paths[PATHS_MAX];
    size_t chosen;         /* of settings; PATHS_MAX: none */
    const load_axis *load; /* NULL: the axis is the value of the setting */
    const char **prefixes; /* of each results' curves; "" */
};

static size_t setting_of(const weft_axis *axis, const weft_key_part *part)
{
    size_t i = 0;
    while (i < axis->n_settings && (strlen(axis->paths[i]) != part->name_length ||
                                    memcmp(axis->paths[i], part->name, part->name_length) != 0))
        i++;
    return i;
}

static void note_part(weft_axis *axis, const weft_key_part *part)
{
    double number;
    size_t i = setting_of(axis, part);
    if (i == PATHS_MAX)
        return;
    setting *s = &axis->settings[i];
    if (i == axis->n_settings) {
        axis->paths[i] = weft_arena_copy(&axis->arena, part->name, part->name_length);
        *s = (setting){.first = weft_arena_copy(&axis->arena, part->value, part->value_length),
                       .numeric = true};
        axis->n_settings++;
    }
    s->numeric = s->numeric && weft_key_number(part->value, part->value_length, &number);
    s->varies = s->varies || strlen(s->first) != part->value_length ||
                memcmp(s->first, part->value, part->value_length) != 0;
}

static const load_axis *load_of(const char *path)
{
    const char *last = strrchr(path, '.');
    last = last ? last + 1 : path;
    for (size_t i = 0; i < LOADS; i++)
        if (strcmp(loads[i].last, last) == 0)
            return &loads[i];
    return NULL;
}

static void choose(weft_axis *axis)
{
    axis->chosen = PATHS_MAX;
    axis->load = &loads[1];
    for (int want_load = 1; want_load >= 0; want_load--)
        for (size_t i = 0; i < axis->n_settings; i++) {
            const load_axis *load = load_of(axis->paths[i]);
            const setting *s = &axis->settings[i];
            if (!s->varies || (want_load ? !load : !s->numeric))
                continue;
            axis->chosen = i;
            axis->load = want_load ? load : NULL;
            return;
        }
}

static bool all_distinct(const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            if (strcmp(texts[i], texts[j]) == 0)
                return false;
    return true;
}

/* "a/b/torus.weft" is "torus". */
static const char *stem(weft_arena *arena, const char *file)
{
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    size_t length = strlen(name);
    if (length > 5 && strcmp(name + length - 5, ".weft") == 0)
        length -= 5;
    return weft_arena_copy(arena, name, length);
}

/* Titles if they tell the files apart, else the files' names, else their paths. */
static void name_results(weft_axis *axis, weft_result *const *results, const char *const *names,
                         size_t count)
{
    const char **texts = (const char **)weft_arena_take(&axis->arena, count * sizeof *texts);
    axis->prefixes = texts;
    for (size_t r = 0; r < count; r++)
        texts[r] = weft_result_title(results[r]);
    if (names && !all_distinct(texts, count)) {
        for (size_t r = 0; r < count; r++)
            texts[r] = stem(&axis->arena, names[r]);
        if (!all_distinct(texts, count))
            memcpy(texts, names, count * sizeof *texts);
    }
    bool same = true;
    for (size_t r = 1; r < count; r++)
        same = same && strcmp(texts[r], texts[0]) == 0;
    for (size_t r = 0; r < count; r++)
        texts[r] = same ? "" : weft_plain_text(&axis->arena, texts[r], strlen(texts[r]), LABEL_MAX);
}

weft_axis *weft_axis_create(weft_result *const *results, const char *const *names, size_t count)
{
    assert(results && count > 0);
    weft_axis *axis = weft_alloc(sizeof *axis);
    weft_arena_init(&axis->arena);
    for (size_t r = 0; r < count; r++)
        for (size_t i = 0; i < weft_result_points(results[r]); i++) {
            weft_key_part part;
            for (const char *rest = weft_result_key(results[r], i); weft_key_next(&rest, &part);)
                note_part(axis, &part);
        }
    choose(axis);
    name_results(axis, results, names, count);
    return axis;
}

void weft_axis_destroy(weft_axis *axis)
{
    if (!axis)
        return;
    weft_arena_done(&axis->arena);
    free(axis);
}

bool weft_axis_place(const weft_axis *axis, const weft_point *point, double *x)
{
    if (axis->load) {
        const weft_metric *m = weft_point_metric(point, axis->load->metric, "", "", 0);
        *x = m ? m->value : (double)NAN;
        if (isfinite(*x))
            return true;
    }
    weft_key_part part;
    for (const char *rest = point->key; weft_key_next(&rest, &part);)
        if (setting_of(axis, &part) == axis->chosen)
            return weft_key_number(part.value, part.value_length, x) && isfinite(*x);
    return false;
}

/* "diagonal", or "vcs 4, diagonal": the values of what varies besides the axis. */
const char *weft_axis_curve(weft_axis *axis, size_t r, const weft_point *point)
{
    const char *label = axis->prefixes[r];
    weft_key_part part;
    for (const char *rest = point->key; weft_key_next(&rest, &part);) {
        size_t i = setting_of(axis, &part);
        if (i == axis->chosen || i >= axis->n_settings || !axis->settings[i].varies)
            continue;
        const char *name = weft_plain_path(axis->paths, axis->n_settings, i);
        bool named = axis->settings[i].numeric;
        const char *value =
            weft_plain_value(&axis->arena, part.value, part.value_length, LABEL_MAX);
        label = weft_arena_format(
            &axis->arena, "%s%s%s%s%s", label, *label ? ", " : "",
            named ? weft_plain_text(&axis->arena, name, strlen(name), LABEL_MAX) : "",
            named ? " " : "", value);
    }
    return weft_plain_text(&axis->arena, label, strlen(label), 2 * LABEL_MAX);
}

const char *weft_axis_label(weft_axis *axis, const char *rate_unit)
{
    if (!axis->load) {
        const char *path = axis->paths[axis->chosen];
        return weft_plain_text(&axis->arena, path, strlen(path), LABEL_MAX);
    }
    if (!strstr(axis->load->label, "%s"))
        return axis->load->label;
    const char *unit = rate_unit ? rate_unit : "messages";
    return weft_arena_format(&axis->arena, "offered rate (%s per endpoint)",
                             weft_plain_text(&axis->arena, unit, strlen(unit), LABEL_MAX));
}
