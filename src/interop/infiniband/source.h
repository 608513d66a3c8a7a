/* SPDX-License-Identifier: Apache-2.0 */
/* Dumps of subnet managers, line by line: hundreds of megabytes pass through a buffer of one. A
 * dump that ends in the middle of a line is cut off, and is refused. */
#ifndef WEFT_INTEROP_INFINIBAND_SOURCE_H
#define WEFT_INTEROP_INFINIBAND_SOURCE_H

#include "config/lines.h"

/* A line while it is read; `place` says file and line in messages. */
typedef struct weft_ib_line {
    const char *at, *end;
    weft_lines place;
} weft_ib_line;

typedef struct weft_ib_source {
    const char *file;
    const char *text; /* what is read instead of the file; NULL: the file is */
    size_t length;
} weft_ib_source;

typedef weft_status weft_ib_reader(void *user, weft_ib_line line, weft_error *err);
/* Calls a reader for every line, without its end; *lines is their number (NULL: not wanted). */
WEFT_MUST_USE weft_status weft_ib_source_read(const weft_ib_source *source, const char *what,
                                              weft_ib_reader *reader, void *user,
                                              unsigned long *lines, weft_error *err);

/* These move on and return true if the line goes on so. */
bool weft_ib_line_skips(weft_ib_line *line, const char *text);
bool weft_ib_line_hex(weft_ib_line *line, uint64_t *number); /* with 0x or without */
bool weft_ib_line_number(weft_ib_line *line, uint64_t most, uint64_t *number);
/* Behind the first occurrence of a text. */
bool weft_ib_line_finds(weft_ib_line *line, const char *text);
/* To the next character that is no blank. */
void weft_ib_line_blanks(weft_ib_line *line);
/* Between the first and the last quote of the rest; false: there are no two. */
bool weft_ib_line_quoted(weft_ib_line *line, weft_word *word);
/* The rest of a line, for messages. */
weft_word weft_ib_line_rest(weft_ib_line line);

#endif
