/* SPDX-License-Identifier: Apache-2.0 */
/* The results as a table in a terminal. */
#ifndef WEFT_REPORT_TABLE_H
#define WEFT_REPORT_TABLE_H

#include "interweft/result.h"

#include <stdio.h>

#define WEFT_TABLE_WIDTH 100

/* All points, one a row: what varies, offered, accepted, latency ± half-width and its percentiles,
 * cut-through, hops, verdict. Columns that do not fit into width characters (0: WEFT_TABLE_WIDTH)
 * are left out, which is said. A single point is a block of lines, followed by its traffic classes
 * and its packets by hops. Colour only on a terminal, without NO_COLOR. */
WEFT_MUST_USE weft_status weft_report_table(weft_result *result, FILE *out, size_t width,
                                            weft_error *err);

#endif
