/* SPDX-License-Identifier: Apache-2.0 */
/* A priority queue for what will happen: the least entry by time, then by order. Nothing may be
 * added before the entry that came last, and in return adding costs next to nothing and taking
 * little where many entries have the same time: a radix heap. An agenda that is all 0 is empty. */
#ifndef WEFT_PROGRAM_AGENDA_H
#define WEFT_PROGRAM_AGENDA_H

#include "program/heap.h"

#include <assert.h>

typedef struct weft_agenda_list {
    uint32_t first, last; /* 0: none */
    uint64_t least;       /* time */
} weft_agenda_list;

typedef struct weft_agenda {
    uint64_t now;            /* time of the entry that came last */
    uint64_t filled;         /* set of the lists that have entries */
    weft_agenda_list *lists; /* 0: those of `now`, in order; i: those that differ from it in bit
                                i − 1 and in none above */
    weft_heap_entry *nodes;  /* 1 … room; next 0: none */
    uint32_t count, room, unused;
} weft_agenda;

void weft_agenda_done(weft_agenda *agenda);
uint64_t weft_agenda_bytes(const weft_agenda *agenda);
/* Times are below 2^63. */
void weft_agenda_push(weft_agenda *agenda, weft_heap_entry entry);
/* Copies all entries, in no order. */
void weft_agenda_copy(const weft_agenda *agenda, weft_heap_entry *into);

/* The time of the least entry; UINT64_MAX: there is none. */
static inline uint64_t weft_agenda_next(const weft_agenda *agenda)
{
    return agenda->filled ? agenda->lists[__builtin_ctzll(agenda->filled)].least : UINT64_MAX;
}

/* Brings the entries of the least time into list 0, which is empty. */
void weft_agenda_advance(weft_agenda *agenda);

/* The least entry if its time is not after `now`, which must not decrease; NULL: there is none. */
static inline const weft_heap_entry *weft_agenda_due(weft_agenda *agenda, uint64_t now)
{
    if (!(agenda->filled & 1)) {
        if (weft_agenda_next(agenda) > now)
            return NULL;
        weft_agenda_advance(agenda);
    }
    return &agenda->nodes[agenda->lists[0].first];
}

/* Takes the entry that was found due. */
static inline weft_heap_entry weft_agenda_pop(weft_agenda *agenda)
{
    weft_agenda_list *list = &agenda->lists[0];
    uint32_t it = list->first;
    weft_heap_entry *node = &agenda->nodes[it], taken = *node;
    assert(agenda->filled & 1);
    list->first = node->next;
    agenda->filled -= node->next == 0; /* list 0 leaves the set */
    node->next = agenda->unused;
    agenda->unused = it;
    agenda->count--;
    return taken;
}

#endif
