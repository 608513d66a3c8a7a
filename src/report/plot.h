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

typedef struct weft_curve {
    const char *label; /* plain text */
    size_t count, capacity;
    weft_dot *dots; /* by rising x */
} weft_curve;

typedef struct weft_plot {
    const char *title, *x_label, *y_label; /* plain text */
    size_t count, capacity;
    weft_curve *curves;
} weft_plot;

typedef enum weft_picture { WEFT_PICTURE_SVG, WEFT_PICTURE_PNG } weft_picture;

void weft_plot_script(const weft_plot *plot, weft_picture picture, weft_text *script);

#endif
