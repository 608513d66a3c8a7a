/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of a trace in text form, cut into words at blanks. Empty lines and those that begin
 * with # are left out. */
#ifndef WEFT_PROGRAM_FORMAT_LINES_H
#define WEFT_PROGRAM_FORMAT_LINES_H

#include "interweft/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct weft_format_lines {
    const char *file; /* for messages */
    const char *at, *end;
    unsigned long number; /* of the line in hand, from 1 */
    const char *word;     /* what is left of it … */
    const char *stop;     /* … ends here */
} weft_format_lines;

typedef struct weft_format_word {
    const char *at;
    size_t length; /* 0: the line has no more */
} weft_format_word;

/* Goes to the next line; false: there is none. */
bool weft_format_lines_next(weft_format_lines *lines);
weft_format_word weft_format_lines_word(weft_format_lines *lines);
/* How many words are left. */
size_t weft_format_lines_left(const weft_format_lines *lines);
/* Capitals are the same as small ones. */
bool weft_format_word_is(weft_format_word word, const char *text);
/* A number such as 12, 0.5 or 1e6, times `by` / `per`, cut off to a whole one or rounded; false: it
 * is none, is negative, or is more than `most`. */
bool weft_format_word_number(weft_format_word word, uint64_t by, uint64_t per, bool rounded,
                             uint64_t most, uint64_t *number);
/* A whole number, without anything else. */
bool weft_format_word_whole(weft_format_word word, uint64_t most, uint64_t *number);
/* "file:line: wanted …, found '…'"; returns WEFT_BAD_INPUT. */
weft_status weft_format_lines_fail(const weft_format_lines *lines, const char *wanted,
                                   weft_format_word found, weft_error *err);
/* Puts "file:line: " before a sentence. */
weft_status weft_format_lines_place(const weft_format_lines *lines, weft_error *err);

#endif
