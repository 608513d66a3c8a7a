/* SPDX-License-Identifier: Apache-2.0 */
#include "result/quoted_cell.h"

#include "base/utf8.h"
#include "result/key.h"

#include <string.h>

static bool is_formula(const char *text, size_t length)
{
    static const char full[][4] = {"＝", "＋", "－", "＠"};
    double number;
    if (length == 0 || weft_key_number(text, length, &number))
        return false;
    bool starts = memchr("=+-@\t\r\n", text[0], 7) != NULL;
    for (size_t i = 0; i < sizeof full / sizeof *full && length >= 3; i++)
        starts = starts || memcmp(text, full[i], 3) == 0;
    return starts;
}

void weft_quoted_cell(weft_text *to, const char *text, size_t length)
{
    bool quote = false;
    for (size_t i = 0; i < length && !quote; i++)
        quote = memchr(",\"\r\n", text[i], 4) != NULL;
    weft_text_append(to, "\"", quote);
    weft_text_append(to, "'", is_formula(text, length));
    for (size_t i = 0, bytes; i < length; i += bytes) {
        uint32_t code;
        bytes = weft_utf8_next(text + i, length - i, &code);
        bool kept = bytes && (!weft_utf8_is_control(code) || memchr("\t\r\n", text[i], 3));
        if (bytes && code == '"')
            weft_text_append(to, "\"", 1);
        weft_text_append(to, kept ? text + i : "?", kept ? bytes : 1);
        bytes += !bytes;
    }
    weft_text_append(to, "\"", quote);
}

void weft_quoted_cell_print(FILE *out, const char *text)
{
    weft_text cell;
    weft_text_init(&cell);
    weft_quoted_cell(&cell, text, strlen(text));
    (void)fputs(cell.at ? cell.at : "", out);
    weft_text_done(&cell);
}
