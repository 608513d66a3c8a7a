/* SPDX-License-Identifier: Apache-2.0 */
/* The latency–load picture. */
#ifndef WEFT_REPORT_CURVE_H
#define WEFT_REPORT_CURVE_H

#include "interweft/result.h"

/* Draws mean latency with its intervals over the offered load of all points of all results: a curve
 * for each combination of the other settings that vary. The axis is the varied load, rho or rate;
 * else the first setting that varies in numbers. Saturated points are open marks at the top. NULL
 * as a path: not that format. Fails if nothing can be drawn or gnuplot is missing. */
WEFT_MUST_USE weft_status weft_report_curve(weft_result *const *results, size_t count,
                                            const char *svg_path, const char *png_path,
                                            weft_error *err);

#endif
