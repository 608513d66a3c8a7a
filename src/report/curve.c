/* SPDX-License-Identifier: Apache-2.0 */
/* Points become dots on curves: first the axis is chosen, then every point's place and curve. */
#include "report/curve.h"

#include "base/arena.h"
#include "base/memory.h"
#include "report/gnuplot.h"
#include "report/plain.h"
#include "report/plot.h"
#include "result/key.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LABEL_MAX 48
#define TITLE_MAX 90
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
    const char *path;
    const char *first; /* its value where it was met first */
    bool numeric, varies;
} setting;

typedef struct drawing {
    weft_arena arena;
    weft_plot plot;
    size_t setting_count;
    setting settings[PATHS_MAX];
    const char *paths[PATHS_MAX];
    size_t axis;           /* of settings; PATHS_MAX: none */
    const load_axis *load; /* NULL: the axis is the value of the setting */
    const char *rate_unit, *latency_unit;
    bool many; /* results with different titles */
} drawing;

static size_t setting_of(const drawing *d, const weft_key_part *part)
{
    size_t i = 0;
    while (i < d->setting_count && (strlen(d->paths[i]) != part->name_length ||
                                    memcmp(d->paths[i], part->name, part->name_length) != 0))
        i++;
    return i;
}

static void note_part(drawing *d, const weft_key_part *part)
{
    double number;
    size_t i = setting_of(d, part);
    const char *value = weft_arena_copy(&d->arena, part->value, part->value_length);
    if (i == PATHS_MAX)
        return;
    setting *s = &d->settings[i];
    if (i == d->setting_count) {
        d->paths[i] = weft_arena_copy(&d->arena, part->name, part->name_length);
        *s = (setting){.path = d->paths[i], .first = value, .numeric = true};
        d->setting_count++;
    }
    s->numeric = s->numeric && weft_key_number(part->value, part->value_length, &number);
    s->varies = s->varies || strcmp(value, s->first) != 0;
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

/* A load that varies; else the first number that does; else the offered load. */
static void choose_axis(drawing *d)
{
    d->axis = PATHS_MAX;
    d->load = &loads[1];
    for (int want_load = 1; want_load >= 0; want_load--)
        for (size_t i = 0; i < d->setting_count; i++) {
            const load_axis *load = load_of(d->paths[i]);
            const setting *s = &d->settings[i];
            if (!s->varies || (want_load ? !load : !s->numeric))
                continue;
            d->axis = i;
            d->load = want_load ? load : NULL;
            return;
        }
}

static bool place_of(const drawing *d, const weft_point *point, double *x)
{
    if (d->load) {
        const weft_metric *m = weft_point_metric(point, d->load->metric, "", "", 0);
        *x = m ? m->value : (double)NAN;
        if (isfinite(*x))
            return true;
    }
    weft_key_part part;
    for (const char *rest = point->key; weft_key_next(&rest, &part);)
        if (setting_of(d, &part) == d->axis)
            return weft_key_number(part.value, part.value_length, x);
    return false;
}

/* "diagonal", or "vcs 4, diagonal": the values of what varies besides the axis. */
static const char *label_of(drawing *d, const weft_result *result, const weft_point *point)
{
    const char *label = "";
    weft_key_part part;
    const char *title = weft_result_title(result);
    if (d->many)
        label = weft_plain_text(&d->arena, title, strlen(title), LABEL_MAX);
    for (const char *rest = point->key; weft_key_next(&rest, &part);) {
        size_t i = setting_of(d, &part);
        if (i == d->axis || i >= d->setting_count || !d->settings[i].varies)
            continue;
        const char *name = weft_plain_path(d->paths, d->setting_count, i);
        bool named = d->settings[i].numeric;
        const char *value = weft_plain_text(&d->arena, part.value, part.value_length, LABEL_MAX);
        label = weft_arena_format(&d->arena, "%s%s%s%s%s", label, *label ? ", " : "",
                                  named ? weft_plain_text(&d->arena, name, strlen(name), LABEL_MAX)
                                        : "",
                                  named ? " " : "", value);
    }
    return weft_plain_text(&d->arena, label, strlen(label), LABEL_MAX);
}

static weft_curve *curve_of(drawing *d, const char *label)
{
    weft_plot *plot = &d->plot;
    for (size_t i = 0; i < plot->count; i++)
        if (strcmp(plot->curves[i].label, label) == 0)
            return &plot->curves[i];
    if (plot->count == plot->capacity) {
        plot->capacity = plot->capacity ? 2 * plot->capacity : 8;
        plot->curves = weft_realloc(plot->curves, plot->capacity, sizeof *plot->curves);
    }
    plot->curves[plot->count] = (weft_curve){.label = label};
    return &plot->curves[plot->count++];
}

static void add_dot(weft_curve *curve, weft_dot dot)
{
    if (curve->count == curve->capacity) {
        curve->capacity = curve->capacity ? 2 * curve->capacity : 32;
        curve->dots = weft_realloc(curve->dots, curve->capacity, sizeof *curve->dots);
    }
    size_t i = curve->count++;
    for (; i > 0 && curve->dots[i - 1].x > dot.x; i--)
        curve->dots[i] = curve->dots[i - 1];
    curve->dots[i] = dot;
}

static void draw_point(drawing *d, const weft_result *result, const weft_point *point)
{
    const weft_metric *m = weft_point_metric(point, "latency", "", "", 0);
    weft_dot dot = {.saturated = point->saturated, .y = m ? m->value : (double)NAN};
    if (!place_of(d, point, &dot.x) || (!dot.saturated && !isfinite(dot.y)))
        return;
    dot.lo = m && isfinite(m->lo) ? m->lo : dot.y;
    dot.hi = m && isfinite(m->hi) ? m->hi : dot.y;
    if (m && !d->latency_unit)
        d->latency_unit = weft_plain_text(&d->arena, m->unit, strlen(m->unit), LABEL_MAX);
    const weft_metric *rate = weft_point_metric(point, "offered rate", "", "", 0);
    if (rate && !d->rate_unit)
        d->rate_unit = weft_plain_text(&d->arena, rate->unit, strlen(rate->unit), LABEL_MAX);
    add_dot(curve_of(d, label_of(d, result, point)), dot);
}

typedef void (*point_reader)(drawing *d, const weft_result *result, const weft_point *point);

static void note_point(drawing *d, const weft_result *result, const weft_point *point)
{
    (void)result;
    weft_key_part part;
    for (const char *rest = point->key; weft_key_next(&rest, &part);)
        note_part(d, &part);
}

static weft_status each_point(drawing *d, weft_result *const *results, size_t count,
                              point_reader act, weft_error *err)
{
    for (size_t r = 0; r < count; r++)
        for (size_t i = 0; i < weft_result_points(results[r]); i++) {
            const weft_point *point;
            WEFT_TRY(weft_result_read(results[r], i, &point, err));
            act(d, results[r], point);
        }
    return WEFT_OK;
}

static void name_axes(drawing *d, const weft_result *first)
{
    const char *title = d->many ? "" : weft_result_title(first);
    d->plot.title = weft_plain_text(&d->arena, title, strlen(title), TITLE_MAX);
    d->plot.y_label = weft_arena_format(&d->arena, "mean latency (%s)",
                                        d->latency_unit ? d->latency_unit : "no point has one");
    if (!d->load) {
        const char *path = d->paths[d->axis];
        d->plot.x_label = weft_plain_text(&d->arena, path, strlen(path), LABEL_MAX);
    } else if (strstr(d->load->label, "%s")) {
        d->plot.x_label = weft_arena_format(&d->arena, "offered rate (%s per endpoint)",
                                            d->rate_unit ? d->rate_unit : "messages");
    } else {
        d->plot.x_label = d->load->label;
    }
}

static weft_status save(const drawing *d, weft_picture picture, const char *path, weft_error *err)
{
    if (!path)
        return WEFT_OK;
    weft_text script;
    weft_text_init(&script);
    weft_plot_script(&d->plot, picture, &script);
    weft_status status = weft_gnuplot_run(script.at, script.length, path, err);
    weft_text_done(&script);
    return status;
}

static weft_status draw(drawing *d, weft_result *const *results, size_t count, const char *svg,
                        const char *png, weft_error *err)
{
    for (size_t r = 1; r < count; r++)
        d->many =
            d->many || strcmp(weft_result_title(results[0]), weft_result_title(results[r])) != 0;
    WEFT_TRY(each_point(d, results, count, note_point, err));
    choose_axis(d);
    WEFT_TRY(each_point(d, results, count, draw_point, err));
    if (d->plot.count == 0)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "nothing to draw: no point has both a load and a latency");
    name_axes(d, results[0]);
    WEFT_TRY(save(d, WEFT_PICTURE_SVG, svg, err));
    return save(d, WEFT_PICTURE_PNG, png, err);
}

weft_status weft_report_curve(weft_result *const *results, size_t count, const char *svg_path,
                              const char *png_path, weft_error *err)
{
    assert(results && count > 0);
    drawing *d = weft_alloc(sizeof *d);
    weft_arena_init(&d->arena);
    weft_status status = draw(d, results, count, svg_path, png_path, err);
    for (size_t i = 0; i < d->plot.count; i++)
        free(d->plot.curves[i].dots);
    free(d->plot.curves);
    weft_arena_done(&d->arena);
    free(d);
    return status;
}
