/* SPDX-License-Identifier: Apache-2.0 */
/* Points become dots on curves: axis.c says where each stands and to which curve it belongs,
 * measurands.c what is drawn of it. */
#include "report/figure/curve.h"

#include "base/memory.h"
#include "base/utf8.h"
#include "report/axis.h"
#include "report/figure/gnuplot.h"
#include "report/figure/tex.h"
#include "report/measurands.h"
#include "report/plain.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LABEL_MAX 110
#define UNIT_MAX  16
#define TITLE_MAX 120

typedef struct drawing {
    weft_arena arena;
    weft_axis *axis;
    weft_plot plot;
    const weft_measurand *what;
    const char *of;                       /* traffic class; "" */
    const char *rate_units[2], *units[2]; /* as those of a curve */
} drawing;

/* "p99", or "bulk.p99" of a class. */
static weft_status choose_metric(drawing *d, const char *name, weft_error *err)
{
    WEFT_TRY(weft_measurands_choose("--metric", name, &d->arena, &d->what, &d->of, err));
    d->plot.saturated_in_place = strcmp(d->what->group, "latency") != 0;
    return WEFT_OK;
}

static size_t count_measured(const weft_plot *plot)
{
    size_t measured = 0;
    for (size_t i = 0; i < plot->n_curves; i++)
        measured += plot->curves[i].kind == WEFT_CURVE_MEASURED;
    return measured;
}

static void keep_unit(const char *units[2], const char *unit)
{
    if (!units[0])
        units[0] = unit;
    else if (unit && !units[1] && strcmp(units[0], unit) != 0)
        units[1] = unit;
}

static const char *unit_of(drawing *d, const weft_metric *m)
{
    return m ? weft_plain_text(&d->arena, m->unit, strlen(m->unit), UNIT_MAX) : NULL;
}

/* of: a class or job; named: the curve bears its name. */
static void draw_point(drawing *d, size_t r, const weft_point *point, const char *of, bool named)
{
    const weft_metric *m = weft_measurand_of(d->what, point, of);
    weft_dot dot = {.saturated = point->saturated, .y = m ? m->value : (double)NAN};
    bool band = dot.saturated && !d->plot.saturated_in_place;
    if (!weft_axis_place(d->axis, point, &dot.x) || (!band && !isfinite(dot.y)))
        return;
    dot.lo = m && isfinite(m->lo) ? m->lo : dot.y;
    dot.hi = m && isfinite(m->hi) ? m->hi : dot.y;
    dot.unconverged = !point->saturated && strcmp(point->verdict, "converged") != 0 &&
                      strcmp(point->verdict, "completed") != 0;
    const char *name = weft_axis_curve(d->axis, r, point);
    if (named)
        name = weft_arena_format(&d->arena, "%s%s%s", of, *name ? ", " : "", name);
    name = weft_plain_text(&d->arena, name, strlen(name), strlen(name) + 1);
    weft_curve *curve =
        weft_curves_find(&d->plot, WEFT_CURVE_MEASURED, name, NULL, count_measured(&d->plot));
    size_t colour = curve->colour;
    weft_curves_add_dot(curve, dot);
    keep_unit(curve->units, unit_of(d, m));
    keep_unit(curve->rate_units, unit_of(d, weft_point_metric(point, "offered rate", "", "", 0)));
    if (!*d->what->by)
        weft_curves_add_theory(
            &d->plot,
            &(weft_curves_theory){.metric = d->what->metric, .of = of, .arena = &d->arena}, point,
            dot.x, colour);
}

/* A curve for every job of a point that has several, unless one was asked for. False: it has
 * not. */
static bool draw_jobs(drawing *d, size_t r, const weft_point *point)
{
    size_t jobs = 0;
    for (size_t i = 0; i < point->n_metrics && !*d->of; i++) {
        const weft_metric *m = &point->metrics[i];
        jobs += strcmp(m->name, "completion") == 0 && !*m->by && *m->of;
    }
    for (size_t i = 0; i < point->n_metrics && jobs > 1; i++) {
        const weft_metric *m = &point->metrics[i];
        if (strcmp(m->name, "completion") == 0 && !*m->by && *m->of)
            draw_point(d, r, point, m->of, true);
    }
    return jobs > 1;
}

static weft_status draw_points(drawing *d, weft_result *const *results, size_t count,
                               weft_error *err)
{
    for (size_t r = 0; r < count; r++)
        for (size_t i = 0; i < weft_result_points(results[r]); i++) {
            const weft_point *point;
            WEFT_TRY(weft_result_read(results[r], i, &point, err));
            if (!draw_jobs(d, r, point))
                draw_point(d, r, point, d->of, false);
        }
    return WEFT_OK;
}

static bool has_label(const weft_plot *plot, size_t before, const char *label)
{
    for (size_t c = 0; c < before; c++)
        if (plot->curves[c].label && strcmp(plot->curves[c].label, label) == 0)
            return true;
    return false;
}

/* The end of a plain text, one column less than a label has. */
static const char *end_of(const char *text)
{
    const char *end = text + strlen(text);
    for (size_t width = weft_plain_width(text); width >= LABEL_MAX;) {
        uint32_t code = 0;
        text += weft_utf8_next(text, (size_t)(end - text), &code);
        width -= weft_utf8_columns(code);
    }
    return text;
}

/* Names that told curves apart are cut to what a legend has room for: at their start where their
 * end is cut to a label that is there already. */
static void cut_labels(drawing *d)
{
    for (size_t c = 0; c < d->plot.n_curves; c++) {
        const char *name = d->plot.curves[c].label;
        if (!name)
            continue;
        const char *label = weft_plain_text(&d->arena, name, strlen(name), LABEL_MAX);
        if (has_label(&d->plot, c, label))
            label = weft_arena_format(&d->arena, "…%s", end_of(name));
        d->plot.curves[c].label = label;
    }
}

/* The values of an axis that are no numbers stand beside each other. */
static void name_places(drawing *d)
{
    const weft_vary *vary = weft_axis_vary(d->axis);
    size_t axis = weft_axis_setting(d->axis);
    if (weft_axis_is_load(d->axis) || axis == vary->n_settings || vary->settings[axis].numeric)
        return;
    const weft_vary_setting *s = &vary->settings[axis];
    const char **places = (const char **)weft_arena_take(&d->arena, s->n_values * sizeof *places);
    for (size_t i = 0; i < s->n_values; i++)
        places[i] = s->values[i].text;
    d->plot.n_places = s->n_values;
    d->plot.places = places;
    d->plot.ordered = s->ordered;
}

/* Values of an axis have one unit: 11 cycles do not lie below 22 ns. */
static weft_status collect_units(drawing *d, weft_error *err)
{
    for (size_t i = 0; i < d->plot.n_curves; i++)
        for (size_t k = 0; k < 2; k++) {
            keep_unit(d->units, d->plot.curves[i].units[k]);
            keep_unit(d->rate_units, d->plot.curves[i].rate_units[k]);
        }
    bool rates = !d->units[1] && weft_axis_is_rate(d->axis);
    const char **mixed = rates ? d->rate_units : d->units;
    if (!mixed[1])
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT,
                     "'%s' is in %s and in %s here, which share no axis: --x and --curves choose "
                     "points of one unit, and --metric accepted has none",
                     rates ? "rate" : d->what->name, mixed[0], mixed[1]);
}

static void name_axes(drawing *d, weft_result *const *results, size_t count, const char *given)
{
    const char *title = given ? given : weft_result_title(results[0]);
    for (size_t r = 1; r < count && !given; r++)
        if (strcmp(weft_result_title(results[r]), title) != 0)
            title = "";
    d->plot.title = weft_plain_text(&d->arena, title, strlen(title), TITLE_MAX);
    d->plot.x_label = weft_axis_label(d->axis, d->rate_units[0]);
    const char *unit = d->units[0] ? d->units[0] : "no point has one";
    if (strcmp(unit, "fraction") == 0)
        unit = strcmp(d->what->name, "accepted") == 0 ? "fraction of injection bandwidth" : "";
    if (strcmp(unit, d->what->name) == 0)
        unit = "";
    const char *of = weft_plain_text(&d->arena, d->of, strlen(d->of), UNIT_MAX);
    d->plot.y_label =
        weft_arena_format(&d->arena, "%s%s%s%s%s%s", d->what->title, *of ? " of class " : "", of,
                          *unit ? " (" : "", unit, *unit ? ")" : "");
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

/* The mean latency, or the completion time where jobs run. */
static weft_status default_metric(weft_result *const *results, size_t count, const char **name,
                                  weft_error *err)
{
    *name = "mean";
    if (count == 0 || weft_result_points(results[0]) == 0)
        return WEFT_OK;
    const weft_point *point;
    WEFT_TRY(weft_result_read(results[0], 0, &point, err));
    if (weft_point_metric(point, "completion", "", "", 0))
        *name = "completion";
    return WEFT_OK;
}

/* A point alone has no axis. */
static const char *remedy(weft_result *const *results, size_t count, const char *metric)
{
    if (count > 1 || weft_result_points(results[0]) > 1)
        return "";
    return strcmp(metric, "completion") == 0
               ? "; of a single point with jobs weft explain draws the ranks over time, and a "
                 "curve needs points: vary a size, such as 'vary.jobs.NAME.size=[1 KiB, 1 MiB]'"
               : "; a curve needs several points: vary a setting, such as a load";
}

static weft_status draw(drawing *d, weft_result *const *results, size_t count,
                        const weft_curves_request *request, weft_error *err)
{
    const char *metric = request->metric;
    if (!metric)
        WEFT_TRY(default_metric(results, count, &metric, err));
    WEFT_TRY(choose_metric(d, metric, err));
    WEFT_TRY(weft_axis_choose(d->axis, request->x, err));
    WEFT_TRY(weft_curves_set_size(&d->plot, request->size, err));
    WEFT_TRY(weft_curves_set_legend(&d->plot, request->legend, err));
    WEFT_TRY(weft_curves_set_log(&d->plot, request->log, err));
    WEFT_TRY(draw_points(d, results, count, err));
    if (d->plot.n_curves == 0)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "nothing to draw: no point has both a place on the axis and a value of "
                         "'%s'%s%s%s",
                         d->what->name, *d->of ? " of class " : "", d->of,
                         remedy(results, count, d->what->metric));
    WEFT_TRY(weft_curves_select(&d->plot, request->curves, err));
    WEFT_TRY(collect_units(d, err));
    weft_curves_merge_theory(&d->plot);
    cut_labels(d);
    name_places(d);
    name_axes(d, results, count, request->title);
    WEFT_TRY(save(d, WEFT_PICTURE_SVG, request->svg, err));
    WEFT_TRY(save(d, WEFT_PICTURE_PNG, request->png, err));
    WEFT_TRY(save(d, WEFT_PICTURE_PDF, request->pdf, err));
    return request->tex ? weft_tex_save(&d->plot, request->tex, err) : WEFT_OK;
}

weft_status weft_curves_draw(weft_result *const *results, const char *const *names, size_t count,
                             const weft_curves_request *request, weft_error *err)
{
    assert(results && count > 0);
    drawing *d = weft_alloc(sizeof *d);
    weft_arena_init(&d->arena);
    d->axis = weft_axis_create(results, names, count);
    weft_status status = draw(d, results, count, request, err);
    weft_curves_done(&d->plot);
    weft_axis_destroy(d->axis);
    weft_arena_done(&d->arena);
    free(d);
    return status;
}
