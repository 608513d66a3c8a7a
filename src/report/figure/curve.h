/* SPDX-License-Identifier: Apache-2.0 */
/* The curves of results as a plot. */
#ifndef WEFT_REPORT_CURVE_H
#define WEFT_REPORT_CURVE_H

#include "base/arena.h"
#include "interweft/result.h"
#include "report/figure/plot.h"

/* The contents and files of a plot. NULL: not that format, or the default. */
typedef struct weft_curves_request {
    const char *svg, *png, *pdf, *tex;
    const char *metric; /* a name of measurands.h, or "class.name"; default: the mean latency */
    const char *x;      /* a setting or quantity of axis.h */
    const char *curves; /* "ugal uniform,valiant": labels with all words of an item */
    const char *size;   /* "800x500" pixels, "8.5cm x 6cm", "3.5in x 2.5in" */
    const char *legend; /* right, below or none */
    const char *title;  /* "": none; default: that of the results */
    const char *log;    /* x, y, both or none: logarithmic axes; default: y where values are wide */
    const char *over;   /* a setting whose values become one point (over.h); NULL: none */
} weft_curves_request;

/* Draws a metric with its intervals over the axis of axis.h, a curve for each combination of the
 * other varied settings, with its models and bounds (result.h) as lines. names: of the files, for
 * results of the same title; NULL: none. Fails if nothing can be drawn, if values have several
 * units, or if a format other than TeX is wanted and gnuplot is missing. */
WEFT_MUST_USE weft_status weft_curves_draw(weft_result *const *results, const char *const *names,
                                           size_t count, const weft_curves_request *request,
                                           weft_error *err);

/* curve_set.c: the curves of a plot as they are collected. */

/* The curve of this kind and label (NULL: note) of the measured curve number `colour`; added if it
 * is new. */
weft_curve *weft_curves_find(weft_plot *plot, weft_curve_kind kind, const char *label,
                             const char *note, size_t colour);
/* Adds a dot; dots stay sorted by x. */
void weft_curves_add_dot(weft_curve *curve, weft_dot dot);
void weft_curves_drop(weft_plot *plot, size_t index);
void weft_curves_done(weft_plot *plot);

/* curve_theory.c: lines for the theoretical values of a dot of measured curve number `colour`. */
typedef struct weft_curves_theory {
    const char *metric, *of; /* "latency", "accepted" …; traffic class */
    weft_arena *arena;
} weft_curves_theory;

void weft_curves_add_theory(weft_plot *plot, const weft_curves_theory *theory,
                            const weft_point *point, double x, size_t colour);
/* Merges lines common to several curves, and removes walls beyond their curve. */
void weft_curves_merge_theory(weft_plot *plot);

/* curve_choice.c: choices by flags. */
WEFT_MUST_USE weft_status weft_curves_set_size(weft_plot *plot, const char *text, weft_error *err);
WEFT_MUST_USE weft_status weft_curves_set_legend(weft_plot *plot, const char *text,
                                                 weft_error *err);
WEFT_MUST_USE weft_status weft_curves_set_log(weft_plot *plot, const char *text, weft_error *err);
/* Drops unwanted curves and puts the others in the order of the list. */
WEFT_MUST_USE weft_status weft_curves_select(weft_plot *plot, const char *list, weft_error *err);

#endif
