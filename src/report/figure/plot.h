/* SPDX-License-Identifier: Apache-2.0 */
/* Curves as a picture, and as a script for gnuplot. Numbers go in as data; text only single-quoted,
 * not enhanced, its own quotes as apostrophes. Lengths are pixels of 1/96 inch. */
#ifndef WEFT_REPORT_PLOT_H
#define WEFT_REPORT_PLOT_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct weft_dot {
    double x, y, lo, hi; /* lo and hi equal y without an interval */
    bool saturated;
    bool unconverged; /* the run ended at a limit */
} weft_dot;

typedef enum weft_curve_kind {
    WEFT_CURVE_MEASURED, /* marks with error bars */
    WEFT_CURVE_MODEL,    /* a dashed line */
    WEFT_CURVE_BOUND,    /* a dotted line */
    WEFT_CURVE_CEILING,  /* a dash-dotted line: a throughput bound */
    WEFT_CURVE_WALL      /* the same, vertical, through its first dot */
} weft_curve_kind;

typedef struct weft_curve {
    /* Plain text; NULL: the legend shows `note`, once for all curves that have it. */
    const char *label;
    weft_curve_kind kind;
    /* The number of the measured curve; of a model or bound: that of its measured curve. */
    size_t colour;
    bool scattered; /* measured: marks only; the curve of a model joins them */
    size_t n_dots, capacity;
    weft_dot *dots;   /* by rising x */
    const char *note; /* description of a line of theory; NULL: the label has it */
    bool shared;      /* of several measured curves: drawn in grey */
    /* Of its dots' values and rates: the first unit and another one; NULL: none. */
    const char *units[2], *rate_units[2];
} weft_curve;

typedef enum weft_legend_place {
    WEFT_LEGEND_AUTO, /* to the right if that takes at most a quarter of the width, else below */
    WEFT_LEGEND_RIGHT,
    WEFT_LEGEND_BELOW,
    WEFT_LEGEND_NONE
} weft_legend_place;

typedef enum weft_plot_scale {
    WEFT_SCALE_AUTO, /* logarithmic where values span more than a factor of twenty */
    WEFT_SCALE_LINEAR,
    WEFT_SCALE_LOG
} weft_plot_scale;

typedef struct weft_plot {
    const char *title, *x_label, *y_label; /* plain text */
    size_t n_curves, capacity;
    weft_curve *curves;
    /* Names of the places 0, 1, … on the x axis, if its values are not numbers. */
    size_t n_places;
    const char *const *places;
    bool ordered;            /* places are those of quantities: curves join them */
    double width, height;    /* of the whole plot; 0: 800 by the needed height, at least 500 */
    weft_legend_place where; /* of the legend */
    bool log_x;              /* where all places are positive numbers */
    weft_plot_scale y_scale; /* of the other axis */
    bool saturated_in_place; /* saturated dots have a value; else they are in the band at the top */
} weft_plot;

#define WEFT_PLOT_COLOURS 8
extern const char *const weft_plot_colours[WEFT_PLOT_COLOURS]; /* "#0072B2", … */
#define WEFT_PLOT_GREY "#666666"

/* Circle, square, triangle, diamond, pentagon, triangle that points down; the page has the same. */
#define WEFT_PLOT_SHAPES 6
/* The shape of a curve's marks. Colour and shape together repeat after 48 curves. */
static inline size_t weft_plot_shape(const weft_curve *curve)
{
    return (curve->colour % WEFT_PLOT_COLOURS + curve->colour / WEFT_PLOT_COLOURS) %
           WEFT_PLOT_SHAPES;
}

/* The frame: it fits the measurements; models may exceed it at the top. */
typedef struct weft_plot_axes {
    double x_min, x_max, y_min, y_max;
    bool logarithmic; /* y */
    bool log_x;
    double rows_from, row; /* where the saturated rows start, and the height of each; of the axis */
} weft_plot_axes;

weft_plot_axes weft_plot_choose_axes(const weft_plot *plot);
/* The tic after this one on a logarithmic axis: 1, 2, 5, 10, 20 …, powers of ten on a long one. */
double weft_plot_next_tic(double min, double max, double tic);
/* The first one of an axis whose ends are none. */
double weft_plot_first_tic(double min, double max);
/* The latency at the height of the row of the saturated marks of a curve. */
double weft_plot_height(const weft_plot_axes *axes, size_t row);
/* True if the curve has dots in the band at the top. */
bool weft_plot_has_band(const weft_plot *plot, const weft_curve *curve);

typedef enum weft_picture { WEFT_PICTURE_SVG, WEFT_PICTURE_PNG, WEFT_PICTURE_PDF } weft_picture;

void weft_plot_script(const weft_plot *plot, weft_picture picture, weft_text *script);

#endif
