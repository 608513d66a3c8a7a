/* SPDX-License-Identifier: Apache-2.0 */
/* Text files of lines of words: edge lists, forwarding tables, routes. A # begins a comment at a
 * word's start, a word may be in double quotes, lines without words are skipped. Texts are
 * untrusted; complaints say file and line. */
#ifndef WEFT_CONFIG_LINES_H
#define WEFT_CONFIG_LINES_H

#include "base/file.h"
#include "interweft/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEFT_LINES_BYTES ((size_t)1 << 30) /* bytes of a file */

typedef struct weft_word {
    const char *at; /* NULL: there is none */
    size_t length;
    bool quoted;
} weft_word;

typedef struct weft_lines {
    const char *name; /* of the file, for messages */
    const char *at, *end;
    unsigned long line; /* that of the words */
} weft_lines;

weft_lines weft_lines_of(const char *name, const char *text, size_t length);
/* To the next line that has words, whatever is left of this one; false: there is none. */
bool weft_lines_next(weft_lines *lines);
/* The next word of the line; a quote that nothing closes ends with the line. */
weft_word weft_lines_word(weft_lines *lines);

bool weft_word_is(weft_word word, const char *text);
/* A whole number 0 … most. */
bool weft_word_number(weft_word word, uint64_t most, uint64_t *number);
/* "file:line: sentence", without control characters; returns WEFT_BAD_INPUT. */
weft_status weft_lines_fail(const weft_lines *lines, weft_error *err, const char *format, ...)
    WEFT_PRINTF(3, 4);
/* For %.*s. */
#define WEFT_WORD(word) (int)((word).length < 80 ? (word).length : 80), (word).at

#endif
