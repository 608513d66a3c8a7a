/* SPDX-License-Identifier: Apache-2.0 */
/* Points become dots on curves: axis.c says where each stands and to which curve it belongs. */
#include "report/figure/curve.h"

#include "base/arena.h"
#include "base/memory.h"
#include "report/axis.h"
#include "report/figure/gnuplot.h"
#include "report/plain.h"
#include "report/figure/plot.h"
#include "report/figure/tex.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LABEL_MAX 48
#define TITLE_MAX 90

typedef struct drawing {
    weft_arena arena;
    weft_axis *axis;
    weft_plot plot;
    const char *rate_unit, *latency_unit;
} drawing;

static weft_curve *curve_of(drawing *d, const char *label, weft_curve_kind kind, size_t colour)
{
    weft_plot *plot = &d->plot;
    for (size_t i = 0; i < plot->n_curves; i++)
        if (plot->curves[i].kind == kind && strcmp(plot->curves[i].label, label) == 0)
            return &plot->curves[i];
    if (plot->n_curves == plot->capacity) {
        plot->capacity = plot->capacity ? 2 * plot->capacity : 8;
        plot->curves = weft_realloc(plot->curves, plot->capacity, sizeof *plot->curves);
    }
    plot->curves[plot->n_curves] = (weft_curve){.label = label, .kind = kind, .colour = colour};
    return &plot->curves[plot->n_curves++];
}

static weft_curve *measured_of(drawing *d, const char *label)
{
    size_t measured = 0;
    for (size_t i = 0; i < d->plot.n_curves; i++)
        measured += d->plot.curves[i].kind == WEFT_CURVE_MEASURED;
    return curve_of(d, label, WEFT_CURVE_MEASURED, measured);
}

static void add_dot(weft_curve *curve, weft_dot dot)
{
    if (curve->n_dots == curve->capacity) {
        curve->capacity = curve->capacity ? 2 * curve->capacity : 32;
        curve->dots = weft_realloc(curve->dots, curve->capacity, sizeof *curve->dots);
    }
    size_t i = curve->n_dots++;
    for (; i > 0 && curve->dots[i - 1].x > dot.x; i--)
        curve->dots[i] = curve->dots[i - 1];
    curve->dots[i] = dot;
}

/* "model: M/D/1" of the curve "diagonal" is "diagonal, M/D/1". */
static const char *theory_label(drawing *d, const char *label, const weft_metric *m)
{
    const char *colon = strstr(m->method, ": "), *name = colon ? colon + 2 : m->method;
    const char *plain = weft_plain_text(&d->arena, name, strlen(name), LABEL_MAX);
    return weft_arena_format(&d->arena, "%s%s%s", label, *label ? ", " : "", plain);
}

static bool is_same(double a, double b)
{
    double gap = a < b ? b - a : a - b;
    return gap <= 1e-6 * (a < 0 ? -a : a);
}

/* Does a curve say something else of the same place? */
static bool differs(const weft_curve *curve, const weft_dot *dot)
{
    for (size_t i = 0; i < curve->n_dots; i++) {
        bool x = is_same(curve->dots[i].x, dot->x), y = is_same(curve->dots[i].y, dot->y);
        if (curve->kind == WEFT_CURVE_WALL ? !x : x && !y)
            return true;
    }
    return false;
}

/* A bound that several curves have in common is drawn once, under its own name. */
static weft_curve *bound_of(drawing *d, const char *label, const weft_metric *m,
                            weft_curve_kind kind, const weft_dot *dot, size_t colour)
{
    weft_curve *curve = curve_of(d, theory_label(d, "", m), kind, colour);
    return differs(curve, dot) ? curve_of(d, theory_label(d, label, m), kind, colour) : curve;
}

static void add_bound(drawing *d, const char *label, const weft_metric *m, weft_curve_kind kind,
                      weft_dot dot, size_t colour)
{
    weft_curve *curve = bound_of(d, label, m, kind, &dot, colour);
    for (size_t i = 0; i < curve->n_dots; i++)
        if (is_same(curve->dots[i].x, dot.x) && is_same(curve->dots[i].y, dot.y))
            return;
    add_dot(curve, dot);
}

/* Where a load stands on the axis, if that grows in proportion to the load of its points. */
static double place_of_load(const weft_point *point, double x, double load)
{
    const weft_metric *offered = weft_point_metric(point, "offered load", "", "", 0);
    return offered && offered->value > 0 ? x * (load / offered->value) : (double)NAN;
}

static void draw_theory(drawing *d, const weft_point *point, const weft_dot *dot, const char *label,
                        size_t colour)
{
    for (size_t i = 0; i < point->n_metrics; i++) {
        const weft_metric *m = &point->metrics[i];
        bool model = strcmp(m->by, "model") == 0, bound = strcmp(m->by, "bound") == 0;
        bool latency = strcmp(m->name, "latency") == 0, load = strcmp(m->name, "accepted") == 0;
        if ((!model && !bound) || *m->of || !isfinite(m->value))
            continue;
        weft_dot at = {.x = dot->x, .y = m->value, .lo = m->value, .hi = m->value};
        if (latency && model)
            add_dot(curve_of(d, theory_label(d, label, m), WEFT_CURVE_MODEL, colour), at);
        else if (latency)
            add_bound(d, label, m, WEFT_CURVE_BOUND, at, colour);
        at.x = place_of_load(point, dot->x, m->value);
        at.y = at.lo = at.hi = 0;
        if (load && bound && isfinite(at.x))
            add_bound(d, label, m, WEFT_CURVE_WALL, at, colour);
    }
}

/* Bounds of the load beyond the frame, or that stand nowhere because the axis is no load, are
 * left out. */
static void drop_walls(weft_plot *plot)
{
    double least = INFINITY, most = -INFINITY;
    size_t kept = 0;
    for (size_t c = 0; c < plot->n_curves; c++)
        for (size_t i = 0; i < plot->curves[c].n_dots; i++)
            if (plot->curves[c].kind == WEFT_CURVE_MEASURED) {
                double x = plot->curves[c].dots[i].x;
                least = x < least ? x : least;
                most = x > most ? x : most;
            }
    for (size_t c = 0; c < plot->n_curves; c++) {
        weft_curve *curve = &plot->curves[c];
        bool one = curve->n_dots == 1 && curve->dots[0].x >= least && curve->dots[0].x <= most;
        if (curve->kind == WEFT_CURVE_WALL && (!one || !(most > least)))
            free(curve->dots);
        else
            plot->curves[kept++] = *curve;
    }
    plot->n_curves = kept;
}

static void draw_point(drawing *d, size_t r, const weft_point *point)
{
    const weft_metric *m = weft_point_metric(point, "latency", "", "", 0);
    weft_dot dot = {.saturated = point->saturated, .y = m ? m->value : (double)NAN};
    if (!weft_axis_place(d->axis, point, &dot.x) || (!dot.saturated && !isfinite(dot.y)))
        return;
    dot.lo = m && isfinite(m->lo) ? m->lo : dot.y;
    dot.hi = m && isfinite(m->hi) ? m->hi : dot.y;
    if (m && !d->latency_unit)
        d->latency_unit = weft_plain_text(&d->arena, m->unit, strlen(m->unit), LABEL_MAX);
    const weft_metric *rate = weft_point_metric(point, "offered rate", "", "", 0);
    if (rate && !d->rate_unit)
        d->rate_unit = weft_plain_text(&d->arena, rate->unit, strlen(rate->unit), LABEL_MAX);
    const char *label = weft_axis_curve(d->axis, r, point);
    weft_curve *curve = measured_of(d, label);
    add_dot(curve, dot);
    draw_theory(d, point, &dot, label, curve->colour);
}

static weft_status draw_points(drawing *d, weft_result *const *results, size_t count,
                               weft_error *err)
{
    for (size_t r = 0; r < count; r++)
        for (size_t i = 0; i < weft_result_points(results[r]); i++) {
            const weft_point *point;
            WEFT_TRY(weft_result_read(results[r], i, &point, err));
            draw_point(d, r, point);
        }
    return WEFT_OK;
}

static void name_axes(drawing *d, weft_result *const *results, size_t count)
{
    const char *title = weft_result_title(results[0]);
    for (size_t r = 1; r < count; r++)
        if (strcmp(weft_result_title(results[r]), title) != 0)
            title = "";
    d->plot.title = weft_plain_text(&d->arena, title, strlen(title), TITLE_MAX);
    d->plot.x_label = weft_axis_label(d->axis, d->rate_unit);
    d->plot.y_label = weft_arena_format(&d->arena, "mean latency (%s)",
                                        d->latency_unit ? d->latency_unit : "no point has one");
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

static weft_status draw(drawing *d, weft_result *const *results, size_t count,
                        const weft_curves_files *files, weft_error *err)
{
    WEFT_TRY(draw_points(d, results, count, err));
    if (d->plot.n_curves == 0)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "nothing to draw: no point has both a load and a latency");
    drop_walls(&d->plot);
    name_axes(d, results, count);
    WEFT_TRY(save(d, WEFT_PICTURE_SVG, files->svg, err));
    WEFT_TRY(save(d, WEFT_PICTURE_PNG, files->png, err));
    return files->tex ? weft_tex_save(&d->plot, files->tex, err) : WEFT_OK;
}

weft_status weft_curves_draw(weft_result *const *results, const char *const *names, size_t count,
                             const weft_curves_files *files, weft_error *err)
{
    assert(results && count > 0);
    drawing *d = weft_alloc(sizeof *d);
    weft_arena_init(&d->arena);
    d->axis = weft_axis_create(results, names, count);
    weft_status status = draw(d, results, count, files, err);
    for (size_t i = 0; i < d->plot.n_curves; i++)
        free(d->plot.curves[i].dots);
    free(d->plot.curves);
    weft_axis_destroy(d->axis);
    weft_arena_done(&d->arena);
    free(d);
    return status;
}
