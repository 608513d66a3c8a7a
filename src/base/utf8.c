/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8.h"

#include <string.h>

static void replace(char *text, bool keep_lines)
{
    size_t left = strlen(text);
    char *to = text;
    for (const char *from = text; left;) {
        uint32_t code;
        size_t bytes = weft_utf8_next(from, left, &code);
        bool kept = bytes && (!weft_utf8_is_control(code) || (keep_lines && code == '\n'));
        if (kept)
            memmove(to, from, bytes);
        else
            *to = bytes && (code == '\n' || code == '\r' || code == '\t') ? ' ' : '?';
        to += kept ? bytes : 1;
        bytes += !bytes;
        from += bytes;
        left -= bytes;
    }
    *to = '\0';
}

void weft_make_harmless(char *text)
{
    replace(text, false);
}

void weft_make_lines_harmless(char *text)
{
    replace(text, true);
}
