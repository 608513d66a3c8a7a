/* SPDX-License-Identifier: Apache-2.0 */
/* The words of a GOAL text: numbers, words, signs and ends of lines; comments are left out. */
#ifndef WEFT_PROGRAM_GOAL_WORDS_H
#define WEFT_PROGRAM_GOAL_WORDS_H

#include "base/window.h"
#include "interweft/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum weft_goal_word_kind {
    WEFT_GOAL_END,  /* of the text */
    WEFT_GOAL_LINE, /* the end of a line */
    WEFT_GOAL_NUMBER,
    WEFT_GOAL_WORD,
    WEFT_GOAL_SIGN, /* : { } or what does not belong here */
} weft_goal_word_kind;

typedef struct weft_goal_word {
    weft_goal_word_kind kind;
    const char *at;
    size_t length;
} weft_goal_word;

typedef struct weft_goal_words {
    const char *file; /* for messages */
    const char *at, *end;
    unsigned long line;
    weft_window *window; /* which moves on at its end; NULL: all of the text is there */
} weft_goal_words;

/* A word is there until the next one is asked for. */
weft_goal_word weft_goal_words_next(weft_goal_words *words);
/* The next word that is no end of a line. */
weft_goal_word weft_goal_words_skip(weft_goal_words *words);
bool weft_goal_word_is(weft_goal_word word, const char *text);
/* A whole number 0 … most. */
bool weft_goal_word_number(weft_goal_word word, uint64_t most, uint64_t *number);
/* "file:line: wanted …, found '…'"; returns WEFT_BAD_INPUT. */
weft_status weft_goal_words_fail(const weft_goal_words *words, const char *wanted,
                                 weft_goal_word found, weft_error *err);

#endif
