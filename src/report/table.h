/* SPDX-License-Identifier: Apache-2.0 */
/* The results as a table in a terminal. */
#ifndef WEFT_REPORT_TABLE_H
#define WEFT_REPORT_TABLE_H

#include "interweft/result.h"

#include <stdio.h>

#define WEFT_TABLE_WIDTH 80 /* where there is no terminal */

/* All points, a row each, and one more for each traffic class where there are several: what
 * varies, verdict, accepted, latency ± half-width and p99, then more as far as width characters
 * (0: WEFT_TABLE_WIDTH) allow; the line below names the columns left out. Rows are sorted by curve,
 * then by what varies along it. What varies is never left out: where room is short its texts are
 * cut, but stay different. columns: measurands.h; all that are asked for are shown. A single point
 * is a block of lines, followed by its traffic classes and its packets by hops. Colour only on a
 * terminal, without NO_COLOR. */
WEFT_MUST_USE weft_status weft_report_table(weft_result *result, FILE *out, size_t width,
                                            const char *columns, weft_error *err);
/* Refuses columns that there are not, before a study is run for them. */
WEFT_MUST_USE weft_status weft_report_table_check(const char *columns, weft_error *err);

#endif
