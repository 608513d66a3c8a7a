/* SPDX-License-Identifier: Apache-2.0 */
/* Labels of one rank's operations, found by their text. */
#ifndef WEFT_PROGRAM_GOAL_LABELS_H
#define WEFT_PROGRAM_GOAL_LABELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct weft_goal_label {
    size_t at;               /* its text among those of all */
    uint32_t length, number; /* of its operation */
    uint32_t rank;           /* + 1; of another rank: the slot is free */
} weft_goal_label;

typedef struct weft_labels {
    weft_goal_label *slots;
    size_t n_slots, used; /* n_slots: a power of two, or 0 */
    char *texts;
    size_t n_texts, room;
    uint32_t rank;
} weft_labels;

void weft_labels_done(weft_labels *labels);
/* Forgets all labels: those of another rank come. */
void weft_labels_begin(weft_labels *labels, uint32_t rank);
/* The first of two equal labels counts. */
void weft_labels_add(weft_labels *labels, const char *at, size_t length, uint32_t number);
/* False: there is none. */
bool weft_labels_find(const weft_labels *labels, const char *at, size_t length, uint32_t *number);

#endif
