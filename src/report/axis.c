/* SPDX-License-Identifier: Apache-2.0 */
/* What varies (vary.c) decides the axis, and what is left of it names the curves. */
#include "report/axis.h"

#include "base/arena.h"
#include "base/file.h"
#include "base/memory.h"
#include "report/plain.h"
#include "result/key.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LABEL_MAX 48

/* The quantities a point offers or gets, and what the axis is then called. The first three are what
 * a scenario can vary. */
typedef struct load_axis {
    const char *name, *metric, *label;
} load_axis;

static const load_axis loads[] = {
    {"rho", "offered rho", "offered load ρ (mean utilisation of the links)"},
    {"load", "offered load", "offered load (fraction of injection bandwidth)"},
    {"rate", "offered rate", "offered rate (%s per endpoint)"},
    {"accepted", "accepted", "accepted load (fraction of injection bandwidth)"},
};
#define LOADS   (sizeof loads / sizeof *loads)
#define OFFERED 3

struct weft_axis {
    weft_arena arena;
    weft_vary *vary;
    size_t chosen;         /* of the settings; n_settings: none */
    const load_axis *load; /* NULL: the axis is the value of the setting */
    const char **prefixes; /* of each results' curves; "" */
};

static const load_axis *load_called(const char *name, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(loads[i].name, name) == 0)
            return &loads[i];
    return NULL;
}

static const load_axis *load_of(const char *path)
{
    const char *last = strrchr(path, '.');
    return strncmp(path, "links.", 6) == 0 ? NULL : load_called(last ? last + 1 : path, OFFERED);
}

const char *weft_axis_offered(const char *path)
{
    const load_axis *load = load_of(path);
    return load ? load->name : NULL;
}

static void choose(weft_axis *axis)
{
    const weft_vary *vary = axis->vary;
    axis->chosen = vary->n_settings;
    axis->load = &loads[1];
    for (int want_load = 1; want_load >= 0; want_load--)
        for (size_t i = 0; i < vary->n_settings; i++) {
            const load_axis *load = load_of(vary->paths[i]);
            const weft_vary_setting *s = &vary->settings[i];
            if (!s->varies || (want_load ? !load : !s->numeric))
                continue;
            axis->chosen = i;
            axis->load = want_load ? load : NULL;
            return;
        }
}

static weft_status refuse(weft_axis *axis, const char *name, weft_error *err)
{
    const weft_vary *vary = axis->vary;
    const char *known = "load, rho, rate, accepted";
    for (size_t i = 0; i < vary->n_settings; i++)
        if (vary->settings[i].varies)
            known = weft_arena_format(&axis->arena, "%s, %s", known, vary->paths[i]);
    return weft_fail(err, WEFT_BAD_USAGE, "--x: '%.60s' does not vary here (there are %.400s)",
                     name, known);
}

weft_status weft_axis_choose(weft_axis *axis, const char *name, weft_error *err)
{
    const weft_vary *vary = axis->vary;
    for (size_t i = 0; i < vary->n_settings; i++) {
        bool wanted = name
                          ? strcmp(name, vary->paths[i]) == 0 ||
                                strcmp(name, weft_plain_path(vary->paths, vary->n_settings, i)) == 0
                          : axis->chosen == vary->n_settings;
        if (!wanted || !vary->settings[i].varies)
            continue;
        axis->chosen = i;
        axis->load = name && strchr(name, '.') ? NULL : load_of(vary->paths[i]);
        return WEFT_OK;
    }
    const load_axis *load = name ? load_called(name, LOADS) : axis->load;
    if (name && !load)
        return refuse(axis, name, err);
    axis->load = load;
    return WEFT_OK;
}

const weft_vary *weft_axis_vary(const weft_axis *axis)
{
    return axis->vary;
}

size_t weft_axis_setting(const weft_axis *axis)
{
    return axis->chosen;
}

bool weft_axis_is_load(const weft_axis *axis)
{
    return axis->load != NULL;
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
    const char *name = weft_bytes_name(file);
    size_t length = strlen(name);
    if (length > 5 && strcmp(name + length - 5, ".weft") == 0)
        length -= 5;
    return weft_arena_copy(arena, name, length);
}

/* A text of any length, or cut. */
static const char *plain(weft_axis *axis, const char *text, bool cut)
{
    size_t length = strlen(text);
    return weft_plain_text(&axis->arena, text, length, cut ? LABEL_MAX : length + 1);
}

/* As they are shown: cut, if that leaves them distinct. */
static bool all_distinct_if_cut(weft_axis *axis, const char *const *texts, size_t count)
{
    const char **cut = (const char **)weft_arena_take(&axis->arena, count * sizeof *cut);
    for (size_t r = 0; r < count; r++)
        cut[r] = plain(axis, texts[r], true);
    return all_distinct(cut, count);
}

/* Titles if they tell the files apart, else the files' names, else their paths. */
static void name_results(weft_axis *axis, weft_result *const *results, const char *const *names,
                         size_t count)
{
    const char **texts = (const char **)weft_arena_take(&axis->arena, count * sizeof *texts);
    axis->prefixes = texts;
    for (size_t r = 0; r < count; r++)
        texts[r] = weft_result_title(results[r]);
    if (names && !all_distinct_if_cut(axis, texts, count)) {
        for (size_t r = 0; r < count; r++)
            texts[r] = stem(&axis->arena, names[r]);
        if (!all_distinct_if_cut(axis, texts, count))
            memcpy(texts, names, count * sizeof *texts);
    }
    bool same = true;
    for (size_t r = 1; r < count; r++)
        same = same && strcmp(texts[r], texts[0]) == 0;
    bool cut = all_distinct_if_cut(axis, texts, count);
    for (size_t r = 0; r < count; r++)
        texts[r] = same ? "" : plain(axis, texts[r], cut);
}

weft_axis *weft_axis_create(weft_result *const *results, const char *const *names, size_t count)
{
    assert(results && count > 0);
    weft_axis *axis = weft_alloc(sizeof *axis);
    weft_arena_init(&axis->arena);
    axis->vary = weft_vary_create(results, count);
    choose(axis);
    name_results(axis, results, names, count);
    return axis;
}

void weft_axis_destroy(weft_axis *axis)
{
    if (!axis)
        return;
    weft_vary_destroy(axis->vary);
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
    if (axis->chosen == axis->vary->n_settings ||
        !weft_vary_part(axis->vary, axis->chosen, point->key, &part))
        return false;
    *x = weft_vary_place(axis->vary, axis->chosen, &part);
    return isfinite(*x);
}

/* "diagonal", or "vcs 4, diagonal": the values of what varies besides the axis. */
const char *weft_axis_curve(weft_axis *axis, size_t r, const weft_point *point)
{
    const weft_vary *vary = axis->vary;
    const char *label = axis->prefixes[r];
    weft_key_part part;
    for (const char *rest = point->key; weft_key_next(&rest, &part);) {
        size_t i = weft_vary_find(vary, &part);
        if (i == axis->chosen || i == vary->n_settings || !vary->settings[i].varies)
            continue;
        const weft_vary_setting *s = &vary->settings[i];
        const char *name = s->numeric ? weft_plain_path(vary->paths, vary->n_settings, i) : "";
        bool unit = s->numeric && *s->unit;
        label = weft_arena_format(&axis->arena, "%s%s%s%s%s%s%s", label, *label ? ", " : "", name,
                                  *name ? " " : "", weft_vary_text(vary, i, &part, &axis->arena),
                                  unit ? " " : "", unit ? s->unit : "");
    }
    return plain(axis, label, false);
}

bool weft_axis_is_rate(const weft_axis *axis)
{
    return axis->load && strstr(axis->load->label, "%s");
}

const char *weft_axis_label(weft_axis *axis, const char *rate_unit)
{
    if (!axis->load) {
        const char *path = axis->vary->paths[axis->chosen];
        const weft_vary_setting *s = &axis->vary->settings[axis->chosen];
        const char *name = plain(axis, path, true);
        if (!s->numeric || !*s->unit)
            return name;
        return weft_arena_format(&axis->arena, "%s (%s)", name,
                                 weft_plain_text(&axis->arena, s->unit, strlen(s->unit), 16));
    }
    if (!weft_axis_is_rate(axis))
        return axis->load->label;
    const char *unit = rate_unit ? rate_unit : "messages";
    return weft_arena_format(&axis->arena, "offered rate (%s per endpoint)",
                             weft_plain_text(&axis->arena, unit, strlen(unit), LABEL_MAX));
}
