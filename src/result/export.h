/* SPDX-License-Identifier: Apache-2.0 */
/* The three formats of results, each written into an out. */
#ifndef WEFT_RESULT_EXPORT_H
#define WEFT_RESULT_EXPORT_H

#include "result/out.h"

/* Rows sorted by (key in byte order, table, name, class, by, index), one a line; doubles %.17g. */
WEFT_MUST_USE weft_status weft_export_canonical(weft_result *result, weft_out *out);
/* The metric table with the vary keys as columns; RFC 4180 quoting, lines end with LF. */
WEFT_MUST_USE weft_status weft_export_csv(weft_result *result, weft_out *out);
/* One JSON object; NaN and infinities are null. */
WEFT_MUST_USE weft_status weft_export_json(weft_result *result, weft_out *out);

#endif
