/* SPDX-License-Identifier: Apache-2.0 */
/* How the picture looks: colours of Okabe and Ito, which the colour-blind tell apart, and a shape
 * of its own for every curve. A converged point is a filled mark, one whose run ended at a limit a
 * cross, a saturated one an open mark: it has no latency, so it stands in a shaded band at the top,
 * one row for each curve. legend.c says where everything is, axes.c what the frame holds. */
#include "report/figure/plot.h"

#include "report/figure/gnuplot.h"
#include "report/figure/legend.h"
#include "base/digits.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define DISC    7
#define CROSS   2
#define LARGER  1.08 /* names of the axes, to their numbers */
#define LARGEST 1.16 /* the title */

/* What a dot is drawn as: the fifth column of the data. */
enum { CONVERGED, UNCONVERGED, SATURATED };

const char *const weft_plot_colours[WEFT_PLOT_COLOURS] = {
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#B5A800"};
static const int filled[WEFT_PLOT_SHAPES] = {7, 5, 9, 13, 15, 11}; /* gnuplot's numbers of marks */

/* A mark is one or two of gnuplot's over each other: thin lines of open ones would be lost on a
 * curve. */
typedef struct layer {
    bool white;
    int shape; /* 0: that of the curve */
    double size;
} layer;

static const layer marks[][2] = {
    [CONVERGED] = {{false, 0, 1}, {false, 0, 0}},
    [UNCONVERGED] = {{true, DISC, 1.5}, {false, CROSS, 1.6}},
    [SATURATED] = {{false, 0, 1.25}, {true, 0, 0.65}},
};

/* What a script is written for. */
typedef struct sheet {
    const weft_plot *plot;
    weft_plot_axes axes;
    weft_legend legend;
    double points; /* of a font, to a pixel */
    double mark;   /* size of a mark */
    weft_text *script;
} sheet;

static void add_number(weft_text *script, const char *before, double value)
{
    char text[WEFT_DIGITS_TEXT];
    weft_text_add(script, "%s%s", before, weft_digits_short(text, value));
}

static void add_font(const sheet *s, double pixels)
{
    weft_text_add(s->script, " noenhanced font ',%.2f'", pixels * s->points);
}

/* "screen 0.1,0.9", a point of the picture. */
static void add_screen(const sheet *s, const char *before, double x, double y)
{
    weft_text_add(s->script, "%sscreen %.5f,%.5f", before, x / s->legend.width,
                  1 - y / s->legend.height);
}

static const char *rgb_of(const weft_curve *curve)
{
    return curve->shared ? WEFT_PLOT_GREY : weft_plot_colours[curve->colour % WEFT_PLOT_COLOURS];
}

/* Whether there are no measured curves beside the models. */
static bool is_theory_alone(const weft_plot *plot)
{
    for (size_t c = 0; c < plot->n_curves; c++)
        if (plot->curves[c].kind == WEFT_CURVE_MEASURED)
            return false;
    return true;
}

/* Whether a line joins the marks of a measured curve. */
static bool is_joined(const weft_plot *plot, const weft_curve *curve)
{
    return (plot->n_places == 0 || plot->ordered) && !curve->scattered;
}

static const char *dash_of(const weft_plot *plot, const weft_curve *curve)
{
    static const char *const rounds[] = {"solid", "2", "3", "4"};
    if (curve->kind == WEFT_CURVE_MEASURED)
        return rounds[curve->colour / WEFT_PLOT_COLOURS % 4];
    if (curve->kind == WEFT_CURVE_BOUND)
        return "(2,4)";
    if (curve->kind != WEFT_CURVE_MODEL)
        return "(10,4,2,4)";
    return is_theory_alone(plot) ? "solid" : "(8,5)";
}

static void add_terminal(sheet *s, weft_picture picture)
{
    double w = s->legend.width, h = s->legend.height;
    s->points = picture == WEFT_PICTURE_SVG ? 1 : picture == WEFT_PICTURE_PNG ? 1.5 : 0.75;
    double font = s->legend.text * s->points;
    s->mark = picture == WEFT_PICTURE_SVG ? 0.6 : 1;
    if (picture == WEFT_PICTURE_PNG)
        weft_text_add(s->script,
                      "set terminal pngcairo noenhanced size %.0f,%.0f font 'DejaVu Sans,%.2f' "
                      "linewidth 2.2 pointscale 1.4 background '#ffffff'\n",
                      2 * w, 2 * h, font);
    else if (picture == WEFT_PICTURE_PDF)
        weft_text_add(s->script,
                      "set terminal pdfcairo noenhanced color size %.4fin,%.4fin font "
                      "'DejaVu Sans,%.2f' fontscale 1 linewidth 2.8 pointscale 0.65 background "
                      "'#ffffff'\n",
                      w / 96, h / 96, font);
    else
        weft_text_add(s->script,
                      "set terminal svg noenhanced size %.0f,%.0f dynamic font "
                      "'DejaVu Sans,Helvetica,Arial,sans-serif,%.2f' linewidth 1.4 background "
                      "'#ffffff' dashlength 1\nset pointsize 0.6\n",
                      w, h, font);
    weft_text_add(s->script, "set encoding utf8\n");
}

static void add_margins(const sheet *s)
{
    const weft_legend *l = &s->legend;
    weft_text_add(s->script,
                  "set lmargin at screen %.5f\nset rmargin at screen %.5f\n"
                  "set tmargin at screen %.5f\nset bmargin at screen %.5f\n",
                  l->left / l->width, l->right / l->width, 1 - l->top / l->height,
                  1 - l->bottom / l->height);
}

/* A name in the middle of a side, in a size that fits. gnuplot's own titles stand elsewhere in each
 * of its formats. */
static void add_name(const sheet *s, const char *text, double font, double room, double x, double y)
{
    if (!*text)
        return;
    bool upright = x < s->legend.left;
    weft_text_add(s->script, "set label ");
    weft_gnuplot_quote(s->script, text);
    add_screen(s, " at ", x, y);
    weft_text_add(s->script, " center%s", upright ? " rotate by 90" : "");
    add_font(s, weft_legend_fit_font(text, font, room));
    weft_text_add(s->script, " front\n");
}

static void add_names(const sheet *s)
{
    const weft_legend *l = &s->legend;
    double x = (l->left + l->right) / 2, y = (l->top + l->bottom) / 2;
    double across = 1.96 * (x < l->width - x ? x : l->width - x);
    double along = 1.96 * (y < l->height - y ? y : l->height - y);
    add_name(s, s->plot->title, LARGEST * l->text, across, x, l->top / 2);
    add_name(s, s->plot->x_label, LARGER * l->text, across, x, l->bottom + l->foot - 1.1 * l->text);
    add_name(s, s->plot->y_label, LARGER * l->text, along, l->text, y);
}

static void add_places(const sheet *s)
{
    const weft_plot *plot = s->plot;
    weft_text_add(s->script, "set xtics (");
    for (size_t i = 0; i < plot->n_places; i++) {
        weft_text_add(s->script, "%s", i ? ", " : "");
        weft_gnuplot_quote(s->script, plot->places[i]);
        weft_text_add(s->script, " %zu", i);
    }
    weft_text_add(s->script, ") noenhanced%s\n", s->legend.tilt > 0 ? " rotate by 30 right" : "");
}

static void add_log_tics(const sheet *s, char axis, double first, double min, double max)
{
    weft_text_add(s->script, "set logscale %c\nset %ctics (", axis, axis);
    for (double tic = first; tic <= max; tic = weft_plot_next_tic(min, max, tic)) {
        char text[WEFT_DIGITS_TEXT];
        weft_digits_short(text, tic);
        weft_text_add(s->script, "%s'%s' %s", tic > first ? ", " : "", text, text);
    }
    weft_text_add(s->script, ")\n");
}

static void add_axes(const sheet *s)
{
    const weft_plot_axes *a = &s->axes;
    if (s->plot->n_places > 0)
        add_places(s);
    add_number(s->script, "set xrange [", a->x_min);
    add_number(s->script, ":", a->x_max);
    add_number(s->script, "]\nset yrange [", a->y_min);
    add_number(s->script, ":", a->y_max);
    weft_text_add(s->script, "]\n");
    if (a->log_x)
        add_log_tics(s, 'x', weft_plot_first_tic(a->x_min, a->x_max), a->x_min, a->x_max);
    if (a->logarithmic)
        add_log_tics(s, 'y', a->y_min, a->y_min, a->y_max);
}

static void add_style(const sheet *s)
{
    weft_text_add(s->script,
                  "set border 3 linewidth 0.7 linecolor rgb '#444444'\n"
                  "set tics nomirror out textcolor rgb '#000000'\n"
                  "set grid back linetype 1 linecolor rgb '#dadada' linewidth 0.5 dashtype solid\n"
                  "unset key\n");
}

static void add_dot(const sheet *s, const weft_curve *curve, const weft_dot *d, size_t row)
{
    const weft_plot_axes *a = &s->axes;
    bool band = d->saturated && weft_plot_has_band(s->plot, curve);
    double y = band ? weft_plot_height(a, row) : d->y;
    double lo = band ? y : a->logarithmic && d->lo < a->y_min ? a->y_min : d->lo;
    add_number(s->script, "", d->x);
    add_number(s->script, " ", y);
    add_number(s->script, " ", lo);
    add_number(s->script, " ", band ? y : d->hi);
    weft_text_add(s->script, " %d\n",
                  d->saturated     ? SATURATED
                  : d->unconverged ? UNCONVERGED
                                   : CONVERGED);
}

/* $c0 … hold the curves: x, y, both ends of the interval, and what the dot is drawn as. */
static void add_data(const sheet *s)
{
    size_t row = 0;
    for (size_t c = 0; c < s->plot->n_curves; c++) {
        const weft_curve *curve = &s->plot->curves[c];
        weft_text_add(s->script, "$c%zu << EOD\n", c);
        if (curve->kind == WEFT_CURVE_WALL)
            for (int top = 0; top < 2; top++) {
                add_number(s->script, "", curve->dots[0].x);
                add_number(s->script, " ", top ? s->axes.y_max : s->axes.y_min);
                weft_text_add(s->script, " 0 0 0\n");
            }
        for (size_t i = 0; i < curve->n_dots && curve->kind != WEFT_CURVE_WALL; i++)
            add_dot(s, curve, &curve->dots[i], row);
        weft_text_add(s->script, "NaN NaN NaN NaN NaN\nEOD\n");
        row += weft_plot_has_band(s->plot, curve);
    }
}

/* The band behind the saturated marks. */
static void add_band(const sheet *s)
{
    const weft_plot_axes *a = &s->axes;
    double from = a->x_max;
    for (size_t c = 0; c < s->plot->n_curves; c++)
        for (size_t i = 0; i < s->plot->curves[c].n_dots && !s->plot->saturated_in_place; i++) {
            const weft_dot *d = &s->plot->curves[c].dots[i];
            from = d->saturated && d->x < from ? d->x : from;
        }
    if (!(from < a->x_max))
        return;
    from = a->log_x ? from / 1.03 : from - 0.02 * (a->x_max - a->x_min);
    add_number(s->script, "set object 1 rectangle from ", from);
    add_number(s->script, ",graph ", a->rows_from - a->row / 2);
    weft_text_add(s->script, " to graph 1,graph 1 behind fillcolor rgb '#ececec' fillstyle solid "
                             "noborder\n");
}

static void add_line(const sheet *s, const weft_legend_entry *e, const char *rgb, const char *dash)
{
    add_screen(s, "set arrow from ", e->x, e->y);
    add_screen(s, " to ", e->x + WEFT_LEGEND_SAMPLE, e->y);
    weft_text_add(s->script, " nohead linetype 1 linecolor rgb '%s' dashtype %s front\n", rgb,
                  dash);
}

static void add_mark(const sheet *s, const weft_legend_entry *e, int what, const char *rgb,
                     int shape)
{
    for (const layer *l = marks[what]; l < marks[what] + 2 && l->size > 0; l++) {
        add_screen(s, "set label '' at ", e->x + WEFT_LEGEND_SAMPLE / 2.0, e->y);
        weft_text_add(s->script,
                      " point linetype 1 linecolor rgb '%s' linewidth 1.6 pointtype %d pointsize "
                      "%.2f front\n",
                      l->white ? "#ffffff" : rgb, l->shape ? l->shape : shape, l->size * s->mark);
    }
}

static void add_sample(const sheet *s, const weft_legend_entry *e)
{
    const weft_curve *curve = e->curve;
    double half = s->legend.font / 2;
    if (e->sample == WEFT_SAMPLE_SATURATED) {
        if (!s->plot->saturated_in_place) {
            add_screen(s, "set object rectangle from ", e->x, e->y + half);
            add_screen(s, " to ", e->x + WEFT_LEGEND_SAMPLE, e->y - half);
            weft_text_add(s->script, " behind fillcolor rgb '#e4e4e4' fillstyle solid noborder\n");
        }
        add_mark(s, e, SATURATED, WEFT_PLOT_GREY, DISC);
        return;
    }
    if (e->sample == WEFT_SAMPLE_UNCONVERGED) {
        add_mark(s, e, UNCONVERGED, WEFT_PLOT_GREY, DISC);
        return;
    }
    bool measured = curve->kind == WEFT_CURVE_MEASURED;
    if (!measured || is_joined(s->plot, curve))
        add_line(s, e, measured || curve->label ? rgb_of(curve) : WEFT_PLOT_GREY,
                 dash_of(s->plot, curve));
    if (measured)
        add_mark(s, e, CONVERGED, rgb_of(curve), filled[weft_plot_shape(curve)]);
}

static void add_legend(const sheet *s)
{
    for (size_t i = 0; i < s->legend.n_entries; i++) {
        const weft_legend_entry *e = &s->legend.entries[i];
        add_sample(s, e);
        weft_text_add(s->script, "set label ");
        weft_gnuplot_quote(s->script, e->text);
        add_screen(s, " at ", e->x + WEFT_LEGEND_SAMPLE + WEFT_LEGEND_GAP, e->y);
        weft_text_add(s->script, " left");
        add_font(s, s->legend.font);
        weft_text_add(s->script, " front\n");
    }
}

static void add_marks(const sheet *s, size_t c, int what, const char *rgb, int shape)
{
    for (const layer *l = marks[what]; l < marks[what] + 2 && l->size > 0; l++)
        weft_text_add(s->script,
                      ", $c%zu using 1:($5 == %d ? $2 : NaN) with points linetype 1 linecolor rgb "
                      "'%s' linewidth 1.6 pointtype %d pointsize %.2f notitle",
                      c, what, l->white ? "#ffffff" : rgb, l->shape ? l->shape : shape,
                      l->size * s->mark);
}

/* The error bars are arrows with flat heads: gnuplot's own clear the paper around their middle.
 * Values that are no numbers are not joined. */
static void add_measured(const sheet *s, size_t c, const weft_curve *curve)
{
    const char *rgb = rgb_of(curve);
    int joined = s->plot->saturated_in_place ? SATURATED : UNCONVERGED;
    weft_text_add(s->script,
                  "$c%zu using 1:($5 <= %d ? $3 : NaN):(0):($4 - $3) with vectors heads size "
                  "graph 0.005,90 linetype 1 linecolor rgb '%s' notitle",
                  c, joined, rgb);
    if (is_joined(s->plot, curve))
        weft_text_add(s->script,
                      ", $c%zu using 1:($5 <= %d ? $2 : NaN) with lines linetype 1 linecolor rgb "
                      "'%s' dashtype %s notitle",
                      c, joined, rgb, dash_of(s->plot, curve));
    for (int what = CONVERGED; what <= SATURATED; what++)
        add_marks(s, c, what, rgb, filled[weft_plot_shape(curve)]);
}

/* A line; short ones at the places of an axis that is no number. */
static void add_theory(const sheet *s, size_t c, const weft_curve *curve)
{
    weft_text_add(s->script, "$c%zu using %s linetype 1 linecolor rgb '%s' dashtype %s notitle", c,
                  s->plot->n_places > 0 && !s->plot->ordered
                      ? "($1 - 0.3):2:(0.6):(0) with vectors nohead"
                      : "1:2 with lines",
                  rgb_of(curve), dash_of(s->plot, curve));
}

static void add_plots(const sheet *s)
{
    weft_text_add(s->script, "plot ");
    for (size_t c = 0; c < s->plot->n_curves; c++) {
        const weft_curve *curve = &s->plot->curves[c];
        weft_text_add(s->script, "%s", c ? ", " : "");
        if (curve->kind == WEFT_CURVE_MEASURED)
            add_measured(s, c, curve);
        else
            add_theory(s, c, curve);
    }
    weft_text_add(s->script, "\n");
}

void weft_plot_script(const weft_plot *plot, weft_picture picture, weft_text *script)
{
    assert(plot->n_curves > 0);
    sheet s = {.plot = plot, .axes = weft_plot_choose_axes(plot), .script = script};
    weft_legend_init(&s.legend, plot);
    add_terminal(&s, picture);
    add_margins(&s);
    add_names(&s);
    add_axes(&s);
    add_style(&s);
    add_band(&s);
    add_legend(&s);
    add_data(&s);
    add_plots(&s);
    weft_legend_done(&s.legend);
}
