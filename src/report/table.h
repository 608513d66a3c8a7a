/* SPDX-License-Identifier: Apache-2.0 */
/* The results as a table in a terminal. */
#ifndef WEFT_REPORT_TABLE_H
#define WEFT_REPORT_TABLE_H

#include "base/text.h"
#include "interweft/result.h"

#include <stdio.h>

#define WEFT_TABLE_WIDTH 80 /* where there is no terminal */

/* Prints a row for every point, and one more for each traffic class if there are several: varied
 * settings, verdict, accepted, latency ± half-width and p99, then more columns as far as they fit
 * into width characters (0: WEFT_TABLE_WIDTH); the line below names the columns left out. Rows are
 * sorted by curve, then along the curve. Varied settings are never left out: if room is short,
 * their texts are cut but stay different. columns: see measurands.h; all named columns are shown. A
 * single point is a block of lines, followed by its traffic classes and its packets by hops. Colour
 * only on a terminal, without NO_COLOR. */
WEFT_MUST_USE weft_status weft_report_table(weft_result *result, FILE *out, size_t width,
                                            const char *columns, weft_error *err);
/* The same rows as a table of HTML, with all columns there are values for. */
WEFT_MUST_USE weft_status weft_report_table_html(weft_result *result, const char *columns,
                                                 weft_text *html, weft_error *err);
/* Refuses unknown columns before a study is run. */
WEFT_MUST_USE weft_status weft_report_table_check(const char *columns, weft_error *err);

#endif
