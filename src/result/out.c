/* SPDX-License-Identifier: Apache-2.0 */
/* Gathers text and hands it to the sink. */
#include "result/out.h"

#include "base/digits.h"
#include "base/json.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

#define PIECE ((size_t)65536)

void weft_out_add(weft_out *out, const char *format, ...)
{
    char line[512];
    va_list args;
    va_start(args, format);
    int length = weft_digits_vprint(line, sizeof line, format, args);
    va_end(args);
    assert(length >= 0 && (size_t)length < sizeof line);
    weft_text_append(&out->text, line, (size_t)length);
}

void weft_out_string(weft_out *out, const char *text)
{
    weft_json_string(&out->text, text);
}

weft_status weft_out_flush(weft_out *out, bool all)
{
    if (out->status == WEFT_OK && out->text.length && (all || out->text.length >= PIECE)) {
        out->status = out->sink(out->to, out->text.at, out->text.length, out->err);
        out->text.length = 0;
    }
    return out->status;
}
