/* SPDX-License-Identifier: Apache-2.0 */
/* Text on its way into a sink, in pieces of 64 KiB. */
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

#endif
