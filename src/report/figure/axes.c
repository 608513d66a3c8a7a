/* SPDX-License-Identifier: Apache-2.0 */
/* The frame of a picture: a logarithmic axis once the values span more than a factor of twenty, and
 * room at the top for the rows of saturated marks, which never take more than a fifth of it. */
#include "base/numeric.h"
#include "report/figure/plot.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define LOG_FACTOR  20
#define DECADES_125 4    /* at most, of an axis with tics at 1, 2, 5, 10 */
#define LOG_PAD     1.1  /* beside the places of a logarithmic axis */
#define TICS_MOST   12   /* about, of a longer one */
#define ROW         0.04 /* height of a row of saturated marks, of the axis */
#define ROWS_MOST   0.2  /* height of all rows */

typedef struct range {
    double x_min, x_max, y_min, y_max; /* of the dots that are not saturated; x of all */
    size_t saturated_curves;
    bool any;
} range;

bool weft_plot_has_band(const weft_plot *plot, const weft_curve *curve)
{
    for (size_t i = 0; i < curve->n_dots && !plot->saturated_in_place; i++)
        if (curve->dots[i].saturated)
            return true;
    return false;
}

/* Where nothing is measured, the frame is the models'. */
static weft_curve_kind fitted_kind(const weft_plot *plot)
{
    for (size_t c = 0; c < plot->n_curves; c++)
        if (plot->curves[c].kind == WEFT_CURVE_MEASURED)
            return WEFT_CURVE_MEASURED;
    return WEFT_CURVE_MODEL;
}

static range measure(const weft_plot *plot)
{
    range r = {.x_min = INFINITY, .x_max = -INFINITY, .y_min = INFINITY, .y_max = -INFINITY};
    weft_curve_kind fitted = fitted_kind(plot);
    for (size_t c = 0; c < plot->n_curves; c++) {
        const weft_curve *curve = &plot->curves[c];
        r.saturated_curves += weft_plot_has_band(plot, curve);
        for (size_t i = 0; i < curve->n_dots && curve->kind != WEFT_CURVE_WALL; i++) {
            const weft_dot *d = &curve->dots[i];
            r.x_min = d->x < r.x_min ? d->x : r.x_min;
            r.x_max = d->x > r.x_max ? d->x : r.x_max;
            if ((d->saturated && !plot->saturated_in_place) || curve->kind != fitted)
                continue;
            r.any = true;
            r.y_min = d->y < r.y_min ? d->y : r.y_min;
            r.y_max = d->hi > r.y_max ? d->hi : r.y_max;
        }
    }
    return r;
}

/* 2e-05 for 2.0000000000000003e-05, which powers of ten give. */
static double one_digit(double value)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%.0e", value);
    return strtod(text, NULL);
}

/* The next of … 1, 2, 5, 10 … at or above (or at or below) a positive value. */
static double round_125(double value, bool up)
{
    static const double steps[] = {1, 2, 5, 10, 20};
    double power = 1;
    while (power * 10 <= value)
        power *= 10;
    while (power > value)
        power /= 10;
    int i = 0;
    while (i < 3 && steps[i + 1] * power <= value)
        i++;
    return one_digit(steps[i] * power < value && up ? steps[i + 1] * power : steps[i] * power);
}

/* Powers of ten from one tic to the next, where an axis has too many for 1, 2, 5; else 0. */
static int decades_apart(double min, double max)
{
    double decades = weft_log(max / min) / weft_log(10);
    return decades > DECADES_125 ? 1 + (int)(decades / TICS_MOST) : 0;
}

/* The power of ten at or below a positive value. */
static double power_below(double value)
{
    double power = 1;
    while (power * 10 <= value)
        power *= 10;
    while (power > value * (1 + 1e-9))
        power /= 10;
    return one_digit(power);
}

double weft_plot_first_tic(double min, double max)
{
    double tic = decades_apart(min, max) > 0 ? power_below(min) : round_125(min, true);
    return tic < min ? tic * 10 : tic;
}

double weft_plot_next_tic(double min, double max, double tic)
{
    int apart = decades_apart(min, max);
    for (int i = 0; i < apart; i++)
        tic *= 10;
    return apart > 0 ? one_digit(tic) : round_125(tic * 1.5, true);
}

static void choose_x(weft_plot_axes *a, const range *r, size_t places)
{
    if (a->log_x) {
        a->x_min = r->x_min / LOG_PAD;
        a->x_max = r->x_max * LOG_PAD;
        return;
    }
    double pad =
        r->x_max > r->x_min ? (r->x_max - r->x_min) * 0.04 : 0.5 * (r->x_max > 0 ? r->x_max : 1);
    a->x_min = r->x_min - pad;
    a->x_max = r->x_max + pad;
    if (r->x_min >= 0 && r->x_min <= 0.3 * r->x_max)
        a->x_min = 0;
    if (places > 0) {
        a->x_min = -0.5;
        a->x_max = (double)places - 0.5;
    }
}

weft_plot_axes weft_plot_choose_axes(const weft_plot *plot)
{
    range r = measure(plot);
    weft_plot_axes a = {.row = ROW};
    if (!r.any)
        r.y_min = 1, r.y_max = 10;
    a.log_x = plot->log_x && plot->n_places == 0 && r.x_min > 0;
    choose_x(&a, &r, plot->n_places);
    double rows = (double)r.saturated_curves;
    if (rows > 0 && a.row * (rows + 1) > ROWS_MOST)
        a.row = ROWS_MOST / (rows + 1);
    double room = rows > 0 ? a.row * (rows + 1) : 0;
    bool wide = r.y_max > LOG_FACTOR * r.y_min || plot->y_scale == WEFT_SCALE_LOG;
    a.logarithmic = r.y_min > 0 && wide && plot->y_scale != WEFT_SCALE_LINEAR;
    if (a.logarithmic) {
        a.y_min = round_125(r.y_min, false);
        a.y_max = round_125(r.y_max * 1.05, true);
        if (decades_apart(a.y_min, a.y_max) > 0)
            a.y_min = power_below(a.y_min);
        if (weft_log(r.y_max / a.y_min) / weft_log(a.y_max / a.y_min) > 1 - room)
            a.y_max = a.y_min * weft_exp(weft_log(r.y_max / a.y_min) / (1 - room));
    } else {
        a.y_min = r.y_min < 0 ? r.y_min * 1.1 : 0;
        a.y_max = a.y_min + (r.y_max - a.y_min) * 1.06 / (1 - room);
        if (!(a.y_max > a.y_min))
            a.y_max = a.y_min + 1;
    }
    a.rows_from = 1 - room + a.row;
    return a;
}

double weft_plot_height(const weft_plot_axes *a, size_t row)
{
    double part = a->rows_from + a->row * (double)row;
    if (a->logarithmic)
        return a->y_min * weft_exp(part * weft_log(a->y_max / a->y_min));
    return a->y_min + (a->y_max - a->y_min) * part;
}
