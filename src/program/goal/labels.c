/* SPDX-License-Identifier: Apache-2.0 */
/* An open-addressing table that is at most half full; another rank's slots count as free. */
#include "program/goal/labels.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void weft_labels_done(weft_labels *labels)
{
    free(labels->slots);
    free(labels->texts);
    *labels = (weft_labels){0};
}

void weft_labels_begin(weft_labels *labels, uint32_t rank)
{
    labels->rank = rank;
    labels->used = labels->n_texts = 0;
}

static uint64_t hash(const char *at, size_t length)
{
    uint64_t mixed = 0x9e3779b97f4a7c15u;
    for (size_t i = 0; i < length; i++)
        mixed = (mixed ^ (unsigned char)at[i]) * 0x100000001b3u;
    return mixed ^ mixed >> 29;
}

/* The slot of a label, or the free one where it would be. */
static weft_goal_label *slot_of(const weft_labels *labels, const char *at, size_t length)
{
    for (size_t i = (size_t)hash(at, length);; i++) {
        weft_goal_label *slot = &labels->slots[i & (labels->n_slots - 1)];
        if (slot->rank != labels->rank + 1 ||
            (slot->length == length && memcmp(labels->texts + slot->at, at, length) == 0))
            return slot;
    }
}

static void grow(weft_labels *labels)
{
    weft_labels old = *labels;
    labels->n_slots = old.n_slots ? 2 * old.n_slots : 64;
    labels->slots = weft_alloc(labels->n_slots * sizeof *labels->slots);
    for (size_t i = 0; i < old.n_slots; i++)
        if (old.slots[i].rank == labels->rank + 1)
            *slot_of(labels, labels->texts + old.slots[i].at, old.slots[i].length) = old.slots[i];
    free(old.slots);
}

void weft_labels_add(weft_labels *labels, const char *at, size_t length, uint32_t number)
{
    if (2 * (labels->used + 1) > labels->n_slots)
        grow(labels);
    weft_goal_label *slot = slot_of(labels, at, length);
    if (slot->rank == labels->rank + 1)
        return;
    labels->used++;
    if (labels->n_texts + length > labels->room) {
        labels->room = 2 * labels->room + length + 256;
        labels->texts = weft_realloc(labels->texts, labels->room, 1);
    }
    memcpy(labels->texts + labels->n_texts, at, length);
    *slot = (weft_goal_label){.at = labels->n_texts,
                              .length = (uint32_t)length,
                              .number = number,
                              .rank = labels->rank + 1};
    labels->n_texts += length;
}

bool weft_labels_find(const weft_labels *labels, const char *at, size_t length, uint32_t *number)
{
    if (labels->n_slots == 0)
        return false;
    const weft_goal_label *slot = slot_of(labels, at, length);
    *number = slot->number;
    return slot->rank == labels->rank + 1;
}
