/* SPDX-License-Identifier: Apache-2.0 */
/* Curves as a script for gnuplot. Numbers go in as data; text only single-quoted, not enhanced, its
 * own quotes as apostrophes. */
#ifndef WEFT_REPORT_PLOT_H
#define WEFT_REPORT_PLOT_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct weft_dot {
    double x, y, lo, hi; /* lo and hi are y where there is no interval */
    bool saturated;
} weft_dot;

typedef enum weft_curve_kind {
    WEFT_CURVE_MEASURED, /* marks with error bars */
    WEFT_CURVE_MODEL,    /* a dashed line */
    WEFT_CURVE_BOUND,    /* a dotted line */
    WEFT_CURVE_WALL      /* the same upright, from the bottom to the top, where its first dot is */
} weft_curve_kind;

typedef struct weft_curve {
    const char *label; /* plain text */
    weft_curve_kind kind;
    /* the number of the measured curve; that of a model's or bound's is the curve's */
    size_t colour;
    bool scattered; /* measured: marks alone, a model's curve joins them */
    size_t n_dots, capacity;
    weft_dot *dots; /* by rising x */
} weft_curve;

typedef struct weft_plot {
    const char *title, *x_label, *y_label; /* plain text */
    size_t n_curves, capacity;
    weft_curve *curves;
} weft_plot;

#define WEFT_PLOT_COLOURS 8
extern const char *const weft_plot_colours[WEFT_PLOT_COLOURS]; /* "#0072B2", … */

/* The frame: it fits what is measured, models may leave it at the top. */
typedef struct weft_plot_axes {
    double x_min, x_max, y_min, y_max;
    bool logarithmic, outside; /* legend outside */
    double rows_from;          /* where the saturated rows start, as a part of the axis */
} weft_plot_axes;

weft_plot_axes weft_plot_choose_axes(const weft_plot *plot);
/* The tic after this one on a logarithmic axis: 1, 2, 5, 10, 20 … */
double weft_plot_next_tic(double tic);
/* The latency at the height of the row of the saturated marks of a curve. */
double weft_plot_height(const weft_plot_axes *axes, size_t row);

typedef enum weft_picture { WEFT_PICTURE_SVG, WEFT_PICTURE_PNG } weft_picture;

void weft_plot_script(const weft_plot *plot, weft_picture picture, weft_text *script);

#endif
