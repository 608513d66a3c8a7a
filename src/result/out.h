/* SPDX-License-Identifier: Apache-2.0 */
/* Text on its way into a sink, in pieces of 64 KiB; and the three formats written with it. */
#ifndef WEFT_RESULT_OUT_H
#define WEFT_RESULT_OUT_H

#include "base/text.h"
#include "interweft/result.h"

typedef struct weft_out {
    weft_sink sink;
    void *to;
    weft_error *err;
    weft_status status; /* of the sink; after a failure nothing more is sent */
    weft_text text;
} weft_out;

void weft_out_add(weft_out *out, const char *format, ...) WEFT_PRINTF(2, 3);
/* A JSON string with its quotes; bytes that are not UTF-8 become U+FFFD. */
void weft_out_string(weft_out *out, const char *text);
/* Sends what is gathered if it is much, or (all) whatever there is. */
weft_status weft_out_flush(weft_out *out, bool all);

/* Rows sorted by (key in byte order, table, name, class, by, index), one a line; doubles %.17g. */
WEFT_MUST_USE weft_status weft_export_canonical(weft_result *result, weft_out *out);
/* The metric table with the vary keys as columns; RFC 4180 quoting, lines end with LF. */
WEFT_MUST_USE weft_status weft_export_csv(weft_result *result, weft_out *out);
/* One JSON object; NaN and infinities are null. */
WEFT_MUST_USE weft_status weft_export_json(weft_result *result, weft_out *out);

#endif
