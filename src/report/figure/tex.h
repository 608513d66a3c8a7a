/* SPDX-License-Identifier: Apache-2.0 */
/* Curves as a standalone LaTeX document (pgfplots), for papers: the same numbers as in the SVG, as
 * readable tables. */
#ifndef WEFT_REPORT_TEX_H
#define WEFT_REPORT_TEX_H

#include "interweft/status.h"
#include "report/figure/plot.h"

void weft_tex_write(const weft_plot *plot, weft_text *out);
WEFT_MUST_USE weft_status weft_tex_save(const weft_plot *plot, const char *path, weft_error *err);

#endif
