/* SPDX-License-Identifier: Apache-2.0 */
/* The latency–load picture. */
#ifndef WEFT_REPORT_CURVE_H
#define WEFT_REPORT_CURVE_H

#include "interweft/result.h"

/* Where the picture goes; NULL: not that format. */
typedef struct weft_curves_files {
    const char *svg, *png, *tex;
} weft_curves_files;

/* Draws mean latency with its intervals over the axis of axis.h, a curve for each combination of
 * the other settings that vary, with what models and bounds say of it (result.h) as lines.
 * Saturated points are open marks at the top. names of the files, for results of the same title;
 * NULL: none. Fails if nothing can be drawn, or if SVG or PNG is wanted and gnuplot is missing. */
WEFT_MUST_USE weft_status weft_curves_draw(weft_result *const *results, const char *const *names,
                                           size_t count, const weft_curves_files *files,
                                           weft_error *err);

#endif
