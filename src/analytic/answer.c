/* SPDX-License-Identifier: Apache-2.0 */
#include "analytic/answer.h"

#include "base/digits.h"
#include "base/memory.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define SENTENCE_MAX 1000

void weft_answer_init(weft_answer *answer)
{
    *answer = (weft_answer){0};
    weft_text_init(&answer->notes);
}

void weft_answer_done(weft_answer *answer)
{
    free(answer->rows);
    weft_text_done(&answer->notes);
    *answer = (weft_answer){0};
}

void weft_answer_put_at(weft_answer *answer, size_t output, int64_t index, double value)
{
    if (answer->n_rows == answer->capacity) {
        answer->capacity = answer->capacity ? 2 * answer->capacity : 32;
        answer->rows = weft_realloc(answer->rows, answer->capacity, sizeof *answer->rows);
    }
    answer->rows[answer->n_rows++] = (weft_answer_row){output, index, value};
}

void weft_answer_put(weft_answer *answer, size_t output, double value)
{
    weft_answer_put_at(answer, output, 0, value);
}

void weft_answer_note(weft_answer *answer, const char *format, ...)
{
    char sentence[SENTENCE_MAX];
    va_list args;
    va_start(args, format);
    (void)weft_digits_vprint(sentence, sizeof sentence, format, args);
    va_end(args);
    weft_text_add(&answer->notes, "%s%s", answer->notes.length ? "; " : "", sentence);
}

void weft_trial_init(weft_trial *trial)
{
    *trial = (weft_trial){.count = 0};
    weft_text_init(&trial->text);
}

void weft_trial_done(weft_trial *trial)
{
    weft_text_done(&trial->text);
}

void weft_trial_text(weft_trial *trial, const char *format, ...)
{
    char piece[SENTENCE_MAX];
    va_list args;
    va_start(args, format);
    int length = weft_digits_vprint(piece, sizeof piece, format, args);
    va_end(args);
    assert(length >= 0 && (size_t)length < sizeof piece);
    weft_text_append(&trial->text, piece, (size_t)length);
}

void weft_trial_compare(weft_trial *trial, size_t output, const weft_metric *metric, double scale,
                        double offset)
{
    assert(trial->count < WEFT_PAIRINGS_MAX);
    trial->at[trial->count++] = (weft_pairing){output, *metric, scale, offset};
}
