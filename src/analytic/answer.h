/* SPDX-License-Identifier: Apache-2.0 */
/* The answer of a model, as a growing list, and the scenario it has written. */
#ifndef WEFT_ANALYTIC_ANSWER_H
#define WEFT_ANALYTIC_ANSWER_H

#include "base/text.h"
#include "interweft/model.h"

typedef struct weft_answer_row {
    size_t output;
    int64_t index; /* 0 for outputs without `by` */
    double value;
} weft_answer_row;

struct weft_answer {
    weft_answer_row *rows; /* in the order of the calls */
    size_t n_rows, capacity;
    weft_text notes; /* sentences, separated by "; " */
};

void weft_answer_init(weft_answer *answer);
void weft_answer_done(weft_answer *answer);

/* An output and the metric that measures it. */
typedef struct weft_pairing {
    size_t output;
    weft_metric metric; /* only name, by and index are used */
    double scale, offset;
} weft_pairing;

#define WEFT_PAIRINGS_MAX 32
struct weft_trial {
    weft_text text;
    size_t count;
    weft_pairing at[WEFT_PAIRINGS_MAX];
};

void weft_trial_init(weft_trial *trial);
void weft_trial_done(weft_trial *trial);

#endif
