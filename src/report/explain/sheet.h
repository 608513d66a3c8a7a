/* SPDX-License-Identifier: Apache-2.0 */
/* A sheet, drawn into files: SVG as it is drawn, PNG by gnuplot. */
#ifndef WEFT_REPORT_EXPLAIN_SHEET_H
#define WEFT_REPORT_EXPLAIN_SHEET_H

#include "interweft/status.h"
#include "report/fabric/canvas.h"

typedef struct weft_sheet {
    void (*draw)(void *of, const weft_canvas_kind *kind, weft_text *out);
    void *of;
} weft_sheet;

/* A path that is NULL is not written. */
weft_status weft_sheet_save(const weft_sheet *sheet, const char *svg, const char *png,
                            weft_error *err);

#endif
