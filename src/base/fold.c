/* SPDX-License-Identifier: Apache-2.0 */
#include "base/fold.h"

#include <stdbool.h>
#include <string.h>

#define OUTLINE 4 /* columns that lines of an outline may stand in */

/* Bytes that are no first byte of a character take no column. */
static bool is_first(char byte)
{
    return ((unsigned char)byte & 0xC0) != 0x80;
}

/* The column in which a line goes on below: that of its text, behind names or flags and two blanks,
 * in the left half; else its own, two more where that is no column of texts. */
static size_t hanging_column(const char *line, size_t length, size_t width)
{
    size_t own = strspn(line, " "), indent = own > OUTLINE ? own : own + 2, column = 0;
    for (size_t i = 0; i < length && column <= width / 2; i++) {
        if (i > own + 2 && line[i] != ' ' && line[i - 1] == ' ' && line[i - 2] == ' ')
            indent = column;
        column += is_first(line[i]);
    }
    return indent;
}

/* A mapping of YAML, "router: {kind: …", goes on behind a comma. */
static bool is_mapping(const char *line, size_t length)
{
    size_t name = strspn(line, " ");
    name += strcspn(line + name, " \n");
    return name + 1 < length && line[name - 1] == ':' && line[name + 1] == '{';
}

/* Bytes of the longest beginning that ends before a blank and fits; all of it where none does. */
static size_t fitting(const char *text, size_t length, size_t room, bool mapping)
{
    size_t best = 0, column = 0;
    for (size_t i = 0; i < length; i++) {
        bool may_end = i > 0 && text[i] == ' ' && text[i - 1] != ' ';
        if (may_end && (!mapping || text[i - 1] == ',') && (column <= room || best == 0))
            best = i;
        column += is_first(text[i]);
    }
    return column <= room || best == 0 ? length : best;
}

static void fold_line(const char *line, size_t length, size_t width, weft_text *to)
{
    bool mapping = is_mapping(line, length);
    size_t indent = hanging_column(line, length, width), lead = strspn(line, " ");
    bool fits = length <= width || lead > width / 2;
    size_t end = fits ? length : lead + fitting(line + lead, length - lead, width - lead, mapping);
    weft_text_add(to, "%.*s\n", (int)end, line);
    for (size_t at = end; at < length; at = end) {
        at += strspn(line + at, " ");
        end = at + fitting(line + at, length - at, width - indent, mapping);
        weft_text_add(to, "%*s%.*s\n", (int)indent, "", (int)(end - at), line + at);
    }
}

void weft_fold(const char *text, size_t width, weft_text *to)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        fold_line(text, length, width, to);
        text += length + (text[length] == '\n');
    }
}
