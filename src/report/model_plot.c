/* SPDX-License-Identifier: Apache-2.0 */
/* Lines for the model, through points between those asked for where there are any; marks with
 * intervals for what was simulated. */
#include "report/model.h"

#include "base/memory.h"
#include "report/figure/gnuplot.h"
#include "report/plain.h"
#include "report/figure/plot.h"
#include "report/save.h"
#include "result/key.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define VALUE_BYTES 200

typedef struct drawing {
    const weft_report_model *view;
    const weft_output *output;
    weft_report_model_keys keys;
    size_t axis; /* the key along x */
    weft_arena arena;
    weft_plot plot;
} drawing;

static weft_status find_output(drawing *d, const char *name, weft_error *err)
{
    char known[1500] = "";
    for (const weft_output *o = d->view->outputs; o->name; o++) {
        if (o->by)
            continue;
        if (!name || strcmp(o->name, name) == 0) {
            d->output = o;
            return WEFT_OK;
        }
        size_t used = strlen(known);
        (void)snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "", o->name);
    }
    return weft_fail(err, WEFT_BAD_USAGE, "--of: there is no output '%.60s' (there are %s)", name,
                     known);
}

static bool place(const drawing *d, const weft_point *point, size_t key, double *x)
{
    char value[VALUE_BYTES];
    weft_report_model_keys_value(point, d->keys.names[key], value, sizeof value);
    return weft_key_number(value, strlen(value), x);
}

/* Distinct numbers of a key; 0 if some are none. */
static size_t count_values(const drawing *d, size_t key)
{
    size_t distinct = 0;
    for (size_t i = 0; i < d->view->n_points; i++) {
        double x, other;
        if (!place(d, d->view->points[i], key, &x))
            return 0;
        bool fresh = true;
        for (size_t j = 0; j < i && fresh; j++)
            fresh = !place(d, d->view->points[j], key, &other) || other < x || other > x;
        distinct += fresh;
    }
    return distinct;
}

static weft_status find_axis(drawing *d, weft_error *err)
{
    size_t most = 1;
    for (size_t k = 0; k < d->keys.n_names; k++) {
        size_t values = count_values(d, k);
        if (values > most) {
            most = values;
            d->axis = k;
        }
    }
    if (most < 2)
        return weft_fail(err, WEFT_BAD_USAGE,
                         "--plot needs a number that varies, such as rho=0.1/0.9/0.1");
    return WEFT_OK;
}

/* What else varies. */
static const char *label_of(drawing *d, const weft_point *point)
{
    const char *label = "";
    for (size_t k = 0; k < d->keys.n_names; k++) {
        char value[VALUE_BYTES];
        double number;
        if (k == d->axis)
            continue;
        weft_report_model_keys_value(point, d->keys.names[k], value, sizeof value);
        bool named = weft_key_number(value, strlen(value), &number);
        label = weft_arena_format(&d->arena, "%s%s%s%s%s", label, *label ? ", " : "",
                                  named ? d->keys.names[k] : "", named ? " " : "", value);
    }
    return label;
}

static weft_curve *curve_of(drawing *d, const char *label, weft_curve_kind kind)
{
    weft_plot *plot = &d->plot;
    size_t colour = 0;
    for (size_t c = 0; c < plot->n_curves; c++) {
        if (plot->curves[c].kind != kind)
            continue;
        if (strcmp(plot->curves[c].label, label) == 0)
            return &plot->curves[c];
        colour++;
    }
    if (plot->n_curves == plot->capacity) {
        plot->capacity = plot->capacity ? 2 * plot->capacity : 8;
        plot->curves = weft_realloc(plot->curves, plot->capacity, sizeof *plot->curves);
    }
    plot->curves[plot->n_curves] = (weft_curve){.label = label, .kind = kind, .colour = colour};
    return &plot->curves[plot->n_curves++];
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

static void add_model(drawing *d, const weft_point *point)
{
    const weft_metric *m = weft_point_metric(point, d->output->name, "", "", 0);
    const char *label = label_of(d, point), *model = *label ? label : d->view->name;
    double x;
    if (!m || !place(d, point, d->axis, &x))
        return;
    if (d->view->n_agreements > 0)
        model = weft_arena_format(&d->arena, "%s%smodel", label, *label ? ", " : "");
    add_dot(curve_of(d, model, WEFT_CURVE_MODEL),
            (weft_dot){.x = x, .y = m->value, .lo = m->value, .hi = m->value});
}

static void add_simulated(drawing *d, size_t i)
{
    const weft_agreement *a = weft_report_model_agreement(d->view, i, d->output);
    const char *label = label_of(d, d->view->points[i]);
    double x;
    if (!a || !place(d, d->view->points[i], d->axis, &x))
        return;
    bool interval = isfinite(a->lo) && isfinite(a->hi);
    const char *found = weft_arena_format(&d->arena, "%s%ssimulated", label, *label ? ", " : "");
    weft_curve *curve = curve_of(d, found, WEFT_CURVE_MEASURED);
    curve->scattered = true;
    add_dot(curve, (weft_dot){.x = x,
                              .y = a->simulated,
                              .lo = interval ? a->lo : a->simulated,
                              .hi = interval ? a->hi : a->simulated,
                              .saturated = a->saturated});
}

/* The model's curves first, so that their colours are those of the marks. */
static void add_points(drawing *d)
{
    const weft_report_model *view = d->view;
    size_t count = view->n_between ? view->n_between : view->n_points;
    for (size_t i = 0; i < count; i++)
        add_model(d, view->n_between ? view->between[i] : view->points[i]);
    for (size_t i = 0; i < view->n_points; i++)
        add_simulated(d, i);
}

static weft_status draw(drawing *d, const char *output, const char *path, weft_picture picture,
                        weft_error *err)
{
    WEFT_TRY(find_output(d, output, err));
    weft_report_model_keys_find(d->view, &d->keys);
    WEFT_TRY(find_axis(d, err));
    add_points(d);
    if (d->plot.n_curves == 0)
        return weft_fail(err, WEFT_BAD_USAGE, "--plot: '%s' has no value here", d->output->name);
    d->plot.title = weft_plain_text(&d->arena, d->view->title, strlen(d->view->title), 90);
    d->plot.x_label = d->keys.names[d->axis];
    bool share = strcmp(d->output->unit, "fraction") == 0;
    d->plot.y_label =
        share ? d->output->name
              : weft_arena_format(&d->arena, "%s, %s", d->output->name, d->output->unit);
    weft_text script;
    weft_text_init(&script);
    weft_plot_script(&d->plot, picture, &script);
    weft_status status = weft_gnuplot_run(script.at, script.length, path, err);
    weft_text_done(&script);
    return status;
}

weft_status weft_report_model_axis(const weft_report_model *view, char axis[64], weft_error *err)
{
    drawing d = {.view = view};
    weft_report_model_keys_find(view, &d.keys);
    WEFT_TRY(find_axis(&d, err));
    memcpy(axis, d.keys.names[d.axis], sizeof d.keys.names[d.axis]);
    return WEFT_OK;
}

weft_status weft_report_model_plot(const weft_report_model *view, const char *output,
                                   const char *path, weft_error *err)
{
    static const char *const ends[] = {".svg", ".png", ".pdf"}; /* as of weft_picture */
    size_t length = strlen(path), end = 0;
    while (end < 3 && (length <= 4 || strcmp(path + length - 4, ends[end]) != 0))
        end++;
    if (end == 3)
        return weft_fail(err, WEFT_BAD_USAGE,
                         "the name of a picture ends with .svg, .png or .pdf, found '%.200s'",
                         path);
    WEFT_TRY(weft_save_check(path, err));
    drawing d = {.view = view};
    weft_arena_init(&d.arena);
    weft_status status = draw(&d, output, path, (weft_picture)end, err);
    for (size_t i = 0; i < d.plot.n_curves; i++)
        free(d.plot.curves[i].dots);
    free(d.plot.curves);
    weft_arena_done(&d.arena);
    return status;
}
