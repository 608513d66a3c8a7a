/* SPDX-License-Identifier: Apache-2.0 */
/* Gathers text and hands it to the sink; escapes strings. */
#include "result/out.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define PIECE ((size_t)65536)

void weft_out_add(weft_out *out, const char *format, ...)
{
    char line[512];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    assert(length >= 0 && (size_t)length < sizeof line);
    weft_text_append(&out->text, line, (size_t)length);
}

/* Length of the UTF-8 character at text; 0 if it is none (overlong, surrogate, cut off …). */
static size_t utf8_length(const unsigned char *text)
{
    unsigned char c = text[0];
    size_t length = c < 0x80                ? 1
                    : c >= 0xc2 && c < 0xe0 ? 2
                    : c >= 0xe0 && c < 0xf0 ? 3
                    : c >= 0xf0 && c < 0xf5 ? 4
                                            : 0;
    for (size_t i = 1; i < length; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    if ((c == 0xe0 && text[1] < 0xa0) || (c == 0xed && text[1] > 0x9f) ||
        (c == 0xf0 && text[1] < 0x90) || (c == 0xf4 && text[1] > 0x8f))
        return 0;
    return length;
}

void weft_out_string(weft_out *out, const char *text)
{
    weft_text_append(&out->text, "\"", 1);
    for (const char *at = text; *at;) {
        size_t length = utf8_length((const unsigned char *)at);
        unsigned char c = (unsigned char)*at;
        if (length == 0)
            weft_text_append(&out->text, "\\ufffd", 6);
        else if (c == '"' || c == '\\')
            weft_out_add(out, "\\%c", c);
        else if (c == '\n')
            weft_text_append(&out->text, "\\n", 2);
        else if (c == '\t')
            weft_text_append(&out->text, "\\t", 2);
        else if (c < 0x20 || c == 0x7f)
            weft_out_add(out, "\\u%04x", c);
        else
            weft_text_append(&out->text, at, length);
        at += length ? length : 1;
    }
    weft_text_append(&out->text, "\"", 1);
}

weft_status weft_out_flush(weft_out *out, bool all)
{
    if (out->status == WEFT_OK && out->text.length && (all || out->text.length >= PIECE)) {
        out->status = out->sink(out->to, out->text.at, out->text.length, out->err);
        out->text.length = 0;
    }
    return out->status;
}
