/* SPDX-License-Identifier: Apache-2.0 */
/* The legend and layout of a plot: entries in columns beside or below the frame, never on it. */
#ifndef WEFT_REPORT_LEGEND_H
#define WEFT_REPORT_LEGEND_H

#include "report/figure/plot.h"

typedef enum weft_legend_sample {
    WEFT_SAMPLE_CURVE, /* as `curve` is drawn */
    WEFT_SAMPLE_SATURATED,
    WEFT_SAMPLE_UNCONVERGED
} weft_legend_sample;

typedef struct weft_legend_entry {
    weft_legend_sample sample;
    const weft_curve *curve;
    const char *text;
    double x, y; /* middle of the sample's left end, from the top left of the plot */
} weft_legend_entry;

/* All in pixels. */
typedef struct weft_legend {
    weft_legend_place place; /* RIGHT, BELOW or NONE */
    size_t n_entries, columns, rows;
    weft_legend_entry *entries; /* malloc'ed */
    double text;                /* font size of the frame */
    double font, line, column_width;
    double width, height;            /* of the whole picture */
    double left, right, top, bottom; /* of the frame, from the top left of the picture */
    double foot;                     /* from the frame to the area below the name of the x axis */
    double tilt;                     /* of the names of places, degrees */
} weft_legend;

#define WEFT_LEGEND_SAMPLE 30 /* width of a sample */
#define WEFT_LEGEND_GAP    8  /* to the text behind it */

void weft_legend_init(weft_legend *legend, const weft_plot *plot);
void weft_legend_done(weft_legend *legend);

/* Width of a text in DejaVu Sans of that size; a little too large rather than too small. */
double weft_legend_text_width(const char *text, double font);
/* The largest size up to `font` at which the text fits into `room`, at least half of it. */
double weft_legend_fit_font(const char *text, double font, double room);

#endif
