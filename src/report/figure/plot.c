/* SPDX-License-Identifier: Apache-2.0 */
/* How the picture looks: colours of Okabe and Ito, which the colour-blind tell apart, and a
 * shape of its own for every curve; a logarithmic latency axis once the values span more than a
 * factor of twenty; the legend inside where no curve is, else beside the picture. A saturated
 * point has no latency: it is an open symbol in a shaded band at the top, one row for each
 * curve. */
#include "report/figure/plot.h"

#include "base/numeric.h"
#include "result/digits.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define SHAPES     6
#define LOG_FACTOR 20
#define ROW        0.04  /* height of a row of saturated marks, of the axis */
#define LINE       0.055 /* height of a line of the legend, of the axis */

const char *const weft_plot_colours[WEFT_PLOT_COLOURS] = {
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#B5A800"};
static const int filled[SHAPES] = {7, 5, 9, 13, 11, 15}, open_shape[SHAPES] = {6, 4, 8, 12, 10, 14};

typedef struct range {
    double x_min, x_max, y_min, y_max; /* of the dots that are not saturated; x of all */
    size_t saturated_curves;
    bool any;
} range;

static bool has_saturated(const weft_curve *curve)
{
    for (size_t i = 0; i < curve->n_dots; i++)
        if (curve->dots[i].saturated)
            return true;
    return false;
}

/* Where nothing is measured, the frame and the legend are the models'. */
static bool is_measured(const weft_plot *plot)
{
    for (size_t c = 0; c < plot->n_curves; c++)
        if (plot->curves[c].kind == WEFT_CURVE_MEASURED)
            return true;
    return false;
}

static range measure(const weft_plot *plot)
{
    range r = {.x_min = INFINITY, .x_max = -INFINITY, .y_min = INFINITY, .y_max = -INFINITY};
    weft_curve_kind fitted = is_measured(plot) ? WEFT_CURVE_MEASURED : WEFT_CURVE_MODEL;
    for (size_t c = 0; c < plot->n_curves; c++) {
        const weft_curve *curve = &plot->curves[c];
        r.saturated_curves += has_saturated(curve);
        for (size_t i = 0; i < curve->n_dots && curve->kind != WEFT_CURVE_WALL; i++) {
            const weft_dot *d = &curve->dots[i];
            r.x_min = d->x < r.x_min ? d->x : r.x_min;
            r.x_max = d->x > r.x_max ? d->x : r.x_max;
            if (d->saturated || curve->kind != fitted)
                continue;
            r.any = true;
            r.y_min = d->y < r.y_min ? d->y : r.y_min;
            r.y_max = d->hi > r.y_max ? d->hi : r.y_max;
        }
    }
    return r;
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
    return steps[i] * power < value && up ? steps[i + 1] * power : steps[i] * power;
}

double weft_plot_next_tic(double tic)
{
    return round_125(tic * 1.5, true);
}

/* The part of the axis' height at which y stands. */
static double height(const weft_plot_axes *a, double y)
{
    if (a->logarithmic)
        return weft_log(y / a->y_min) / weft_log(a->y_max / a->y_min);
    return (y - a->y_min) / (a->y_max - a->y_min);
}

/* Would the legend at the top left hide a dot? */
static bool legend_collides(const weft_plot *plot, const weft_plot_axes *a, size_t lines)
{
    size_t longest = 0;
    for (size_t c = 0; c < plot->n_curves; c++) {
        size_t length = strlen(plot->curves[c].label);
        longest = length > longest ? length : longest;
    }
    weft_curve_kind shown = is_measured(plot) ? WEFT_CURVE_MEASURED : WEFT_CURVE_MODEL;
    double width = 0.10 + 0.013 * (double)longest, bottom = 1 - LINE * (double)lines - 0.04;
    for (size_t c = 0; c < plot->n_curves; c++)
        for (size_t i = 0; i < plot->curves[c].n_dots; i++) {
            const weft_dot *d = &plot->curves[c].dots[i];
            double x = (d->x - a->x_min) / (a->x_max - a->x_min);
            if (plot->curves[c].kind != shown)
                continue;
            if (x < width && (d->saturated || height(a, d->hi) > bottom))
                return true;
        }
    return width > 0.6 || bottom < 0.3;
}

weft_plot_axes weft_plot_choose_axes(const weft_plot *plot)
{
    range r = measure(plot);
    if (!r.any)
        r.y_min = 1, r.y_max = 10;
    double pad = r.x_max > r.x_min ? (r.x_max - r.x_min) * 0.04 : 0.5 * (r.x_max > 0 ? r.x_max : 1);
    weft_plot_axes a = {.x_min = r.x_min - pad, .x_max = r.x_max + pad};
    if (r.x_min >= 0 && r.x_min <= 0.3 * r.x_max)
        a.x_min = 0;
    double room = r.saturated_curves ? ROW * (double)(r.saturated_curves + 1) : 0;
    a.logarithmic = r.y_min > 0 && r.y_max > LOG_FACTOR * r.y_min;
    if (a.logarithmic) {
        a.y_min = round_125(r.y_min, false);
        a.y_max = round_125(r.y_max * 1.05, true);
        if (height(&a, r.y_max) > 1 - room)
            a.y_max = a.y_min * weft_exp(weft_log(r.y_max / a.y_min) / (1 - room));
    } else {
        a.y_min = r.y_min < 0 ? r.y_min * 1.1 : 0;
        a.y_max = a.y_min + (r.y_max - a.y_min) * 1.06 / (1 - room);
        if (!(a.y_max > a.y_min))
            a.y_max = a.y_min + 1;
    }
    a.rows_from = 1 - room + ROW;
    a.outside = legend_collides(plot, &a, plot->n_curves + (r.saturated_curves > 0));
    return a;
}

double weft_plot_height(const weft_plot_axes *a, size_t row)
{
    double part = a->rows_from + ROW * (double)row;
    if (a->logarithmic)
        return a->y_min * weft_exp(part * weft_log(a->y_max / a->y_min));
    return a->y_min + (a->y_max - a->y_min) * part;
}

static void add_number(weft_text *script, const char *before, double value)
{
    char text[WEFT_DIGITS_TEXT];
    weft_text_add(script, "%s%s", before, weft_digits_short(text, value));
}

/* Plain text has no control characters, so only a quote could end the string; it becomes an
 * apostrophe (gnuplot 5.4 does not read a doubled quote at the start of a string). */
static void add_quoted(weft_text *script, const char *text)
{
    weft_text_append(script, "'", 1);
    for (; *text; text++)
        if (*text == '\'')
            weft_text_add(script, "’");
        else
            weft_text_append(script, text, 1);
    weft_text_append(script, "'", 1);
}

static void add_terminal(weft_text *script, weft_picture picture)
{
    if (picture == WEFT_PICTURE_PNG)
        weft_text_add(script,
                      "set terminal pngcairo noenhanced size 1600,1000 font 'DejaVu Sans,20' "
                      "linewidth 2.2 pointscale 1.5 background '#ffffff'\n");
    else
        weft_text_add(script,
                      "set terminal svg noenhanced size 800,500 dynamic font "
                      "'DejaVu Sans,Helvetica,Arial,sans-serif,13' linewidth 1.4 background "
                      "'#ffffff' dashlength 1\nset pointsize 0.6\n");
    weft_text_add(script, "set encoding utf8\n");
}

static void add_axes(weft_text *script, const weft_plot *plot, const weft_plot_axes *a)
{
    if (*plot->title) {
        weft_text_add(script, "set title ");
        add_quoted(script, plot->title);
        weft_text_add(script, " noenhanced offset 0,-0.2\n");
    }
    weft_text_add(script, "set xlabel ");
    add_quoted(script, plot->x_label);
    weft_text_add(script, " noenhanced\nset ylabel ");
    add_quoted(script, plot->y_label);
    weft_text_add(script, " noenhanced\n");
    add_number(script, "set xrange [", a->x_min);
    add_number(script, ":", a->x_max);
    add_number(script, "]\nset yrange [", a->y_min);
    add_number(script, ":", a->y_max);
    weft_text_add(script, "]\n");
    if (!a->logarithmic)
        return;
    weft_text_add(script, "set logscale y\nset ytics (");
    const char *separator = "";
    for (double tic = a->y_min; tic <= a->y_max; tic = weft_plot_next_tic(tic)) {
        char text[WEFT_DIGITS_TEXT];
        weft_digits_short(text, tic);
        weft_text_add(script, "%s'%s' %s", separator, text, text);
        separator = ", ";
    }
    weft_text_add(script, ")\n");
}

static void add_style(weft_text *script, const weft_plot_axes *a)
{
    weft_text_add(script,
                  "set border 3 linewidth 0.7 linecolor rgb '#444444'\n"
                  "set tics nomirror out textcolor rgb '#000000'\n"
                  "set grid back linetype 1 linecolor rgb '#dadada' linewidth 0.5 dashtype solid\n"
                  "set key %s Left reverse samplen 2 spacing 1.15 noenhanced\n",
                  a->outside ? "outside right center" : "inside left top");
    add_number(script, "low = ", a->y_min);
    add_number(script, "\nhigh = ", a->y_max);
    weft_text_add(script, a->logarithmic ? "\nat(part) = low * (high / low) ** part\n"
                                         : "\nat(part) = low + (high - low) * part\n");
}

static void add_wall(weft_text *script, double x, const weft_plot_axes *a)
{
    add_number(script, "", x);
    add_number(script, " ", a->y_min);
    add_number(script, "\n", x);
    add_number(script, " ", a->y_max);
    weft_text_add(script, "\n");
}

/* $c0 … hold the curves, $s0 … the saturated points with their height on the axis. */
static void add_data(weft_text *script, const weft_plot *plot, const weft_plot_axes *a)
{
    size_t row = 0;
    for (size_t c = 0; c < plot->n_curves; c++) {
        const weft_curve *curve = &plot->curves[c];
        weft_text_add(script, "$c%zu << EOD\n", c);
        if (curve->kind == WEFT_CURVE_WALL)
            add_wall(script, curve->dots[0].x, a);
        for (size_t i = 0; i < curve->n_dots && curve->kind != WEFT_CURVE_WALL; i++) {
            const weft_dot *d = &curve->dots[i];
            if (d->saturated)
                continue;
            add_number(script, "", d->x);
            add_number(script, " ", d->y);
            add_number(script, " ", a->logarithmic && d->lo < a->y_min ? a->y_min : d->lo);
            add_number(script, " ", d->hi);
            weft_text_add(script, "\n");
        }
        weft_text_add(script, "NaN NaN NaN NaN\nEOD\n");
        if (!has_saturated(curve))
            continue;
        weft_text_add(script, "$s%zu << EOD\n", c);
        for (size_t i = 0; i < curve->n_dots; i++)
            if (curve->dots[i].saturated) {
                add_number(script, "", curve->dots[i].x);
                add_number(script, " ", a->rows_from + ROW * (double)row);
                weft_text_add(script, "\n");
            }
        weft_text_add(script, "EOD\n");
        row++;
    }
}

/* The band behind the saturated marks. */
static void add_band(weft_text *script, const weft_plot *plot, const weft_plot_axes *a)
{
    double from = a->x_max;
    for (size_t c = 0; c < plot->n_curves; c++)
        for (size_t i = 0; i < plot->curves[c].n_dots; i++) {
            const weft_dot *d = &plot->curves[c].dots[i];
            from = d->saturated && d->x < from ? d->x : from;
        }
    if (!(from < a->x_max))
        return;
    from -= 0.02 * (a->x_max - a->x_min);
    add_number(script, "set object 1 rectangle from ", from);
    add_number(script, ",graph ", a->rows_from - ROW / 2);
    weft_text_add(script, " to graph 1,graph 1 behind fillcolor rgb '#ececec' fillstyle solid "
                          "noborder\n");
}

/* The error bars are arrows with flat heads: gnuplot's own clear the paper around their middle. */
static void add_measured(weft_text *script, size_t c, const weft_curve *curve)
{
    size_t colour = curve->colour, round = colour / WEFT_PLOT_COLOURS;
    const char *rgb = weft_plot_colours[colour % WEFT_PLOT_COLOURS];
    weft_text_add(script,
                  "$c%zu using 1:3:(0):($4 - $3) with vectors heads size graph 0.005,90 linetype 1 "
                  "linecolor rgb '%s' notitle, $c%zu using 1:2 with %s linetype 1 linecolor rgb "
                  "'%s' pointtype %d dashtype %zu title ",
                  c, rgb, c, curve->scattered ? "points" : "linespoints", rgb,
                  filled[(colour + round) % SHAPES], 1 + round % 4);
    add_quoted(script, curve->label);
    weft_text_add(script, " noenhanced");
    if (has_saturated(curve))
        weft_text_add(
            script,
            ", $s%zu using 1:(at($2)) with points linetype 1 linecolor rgb '%s' pointtype %d "
            "notitle",
            c, rgb, open_shape[(colour + round) % SHAPES]);
}

static void add_theory(weft_text *script, size_t c, const weft_curve *curve, bool alone)
{
    weft_text_add(script,
                  "$c%zu using 1:2 with lines linetype 1 linecolor rgb '%s' dashtype %s title ", c,
                  weft_plot_colours[curve->colour % WEFT_PLOT_COLOURS],
                  curve->kind != WEFT_CURVE_MODEL ? "(2,4)"
                  : alone                         ? "solid"
                                                  : "(8,5)");
    add_quoted(script, curve->label);
    weft_text_add(script, " noenhanced");
}

static void add_plots(weft_text *script, const weft_plot *plot)
{
    bool any = false;
    weft_text_add(script, "plot ");
    for (size_t c = 0; c < plot->n_curves; c++) {
        const weft_curve *curve = &plot->curves[c];
        weft_text_add(script, "%s", c ? ", " : "");
        if (curve->kind == WEFT_CURVE_MEASURED)
            add_measured(script, c, curve);
        else
            add_theory(script, c, curve, !is_measured(plot));
        any = any || has_saturated(curve);
    }
    if (any)
        weft_text_add(script, ", NaN with points pointtype 6 linecolor rgb '#555555' title "
                              "'saturated' noenhanced");
    weft_text_add(script, "\n");
}

void weft_plot_script(const weft_plot *plot, weft_picture picture, weft_text *script)
{
    assert(plot->n_curves > 0);
    weft_plot_axes a = weft_plot_choose_axes(plot);
    add_terminal(script, picture);
    add_axes(script, plot, &a);
    add_style(script, &a);
    add_band(script, plot, &a);
    add_data(script, plot, &a);
    add_plots(script, plot);
}
