/* SPDX-License-Identifier: Apache-2.0 */
/* Curves as a picture, and as a script for gnuplot. Numbers go in as data; text only single-quoted,
 * not enhanced, its own quotes as apostrophes. Lengths are pixels of 1/96 inch. */
#ifndef WEFT_REPORT_PLOT_H
#define WEFT_REPORT_PLOT_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct weft_dot {
    double x, y, lo, hi; /* lo and hi are y where there is no interval */
    bool saturated;
    bool unconverged; /* the run ended at a limit */
} weft_dot;

typedef enum weft_curve_kind {
    WEFT_CURVE_MEASURED, /* marks with error bars */
    WEFT_CURVE_MODEL,    /* a dashed line */
    WEFT_CURVE_BOUND,    /* a dotted line */
    WEFT_CURVE_WALL      /* the same upright, from the bottom to the top, where its first dot is */
} weft_curve_kind;

typedef struct weft_curve {
    const char
        *label; /* plain text; NULL: `note` stands in the legend, once for all that have it */
    weft_curve_kind kind;
    /* the number of the measured curve; that of a model's or bound's is the curve's */
    size_t colour;
    bool scattered; /* measured: marks alone, a model's curve joins them */
    size_t n_dots, capacity;
    weft_dot *dots;   /* by rising x */
    const char *note; /* what a line of theory is, in words; NULL: the label says it */
    bool shared;      /* of several measured curves: drawn in grey */
} weft_curve;

typedef enum weft_legend_place {
    WEFT_LEGEND_AUTO, /* to the right if that takes at most a quarter of the width, else below */
    WEFT_LEGEND_RIGHT,
    WEFT_LEGEND_BELOW,
    WEFT_LEGEND_NONE
} weft_legend_place;

typedef struct weft_plot {
    const char *title, *x_label, *y_label; /* plain text */
    size_t n_curves, capacity;
    weft_curve *curves;
    /* names of the places 0, 1, … on the x axis, if its values are no numbers */
    size_t n_places;
    const char *const *places;
    double width, height;    /* of the whole picture; 0: 800 by what is needed, from 500 on */
    weft_legend_place where; /* of the legend */
    bool saturated_in_place; /* saturated dots have a value; else they go to the band at the top */
} weft_plot;

#define WEFT_PLOT_COLOURS 8
extern const char *const weft_plot_colours[WEFT_PLOT_COLOURS]; /* "#0072B2", … */
#define WEFT_PLOT_GREY "#666666"

/* The frame: it fits what is measured, models may leave it at the top. */
typedef struct weft_plot_axes {
    double x_min, x_max, y_min, y_max;
    bool logarithmic;
    double rows_from, row; /* where the saturated rows start, and the height of each; of the axis */
} weft_plot_axes;

weft_plot_axes weft_plot_choose_axes(const weft_plot *plot);
/* The tic after this one on a logarithmic axis: 1, 2, 5, 10, 20 … */
double weft_plot_next_tic(double tic);
/* The latency at the height of the row of the saturated marks of a curve. */
double weft_plot_height(const weft_plot_axes *axes, size_t row);
/* Has the curve dots for the band at the top? */
bool weft_plot_has_band(const weft_plot *plot, const weft_curve *curve);

typedef enum weft_picture { WEFT_PICTURE_SVG, WEFT_PICTURE_PNG, WEFT_PICTURE_PDF } weft_picture;

void weft_plot_script(const weft_plot *plot, weft_picture picture, weft_text *script);

#endif
