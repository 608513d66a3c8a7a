/* SPDX-License-Identifier: Apache-2.0 */
/* What ranks of a schedule keep for a while: what waits for a CPU, and messages that came early. */
#ifndef WEFT_PROGRAM_MARCH_STORE_H
#define WEFT_PROGRAM_MARCH_STORE_H

#include "program/march/march.h"

enum { WEFT_MARCH_KIND_SHIFT = 32, WEFT_MARCH_LOCAL_SHIFT = 34 };

enum { /* of entries in the agenda, in the order within a tick and rank */
       WEFT_MARCH_HAND,
       WEFT_MARCH_OVER,
       WEFT_MARCH_DECIDE
};

enum { /* operations of a step: step × 4 + this */
       WEFT_MARCH_SEND,
       WEFT_MARCH_RECEIVE,
       WEFT_MARCH_SUM,
       WEFT_MARCH_COMPUTE
};

/* Adds an entry to the agenda. */
void weft_march_push(weft_march *march, uint64_t time, uint32_t local, uint32_t kind,
                     uint32_t what);

/* Entries of the agenda: by rank, by kind, and as they were added (the low half). */
static inline uint64_t weft_march_order(uint32_t local, uint32_t kind)
{
    return (uint64_t)local << WEFT_MARCH_LOCAL_SHIFT | (uint64_t)kind << WEFT_MARCH_KIND_SHIFT;
}
static inline uint32_t weft_march_local(weft_heap_entry entry)
{
    return (uint32_t)(entry.order >> WEFT_MARCH_LOCAL_SHIFT);
}
static inline uint32_t weft_march_kind(weft_heap_entry entry)
{
    return (uint32_t)(entry.order >> WEFT_MARCH_KIND_SHIFT) & 3;
}

/* Something is ready for the CPU from now on. */
void weft_march_make_ready(weft_march *march, uint32_t local, uint64_t order, uint32_t what);
/* The first of what is ready, by time and order; NULL: nothing is. */
static inline const weft_march_ready *weft_march_first_ready(const weft_march *march,
                                                             uint32_t local)
{
    uint32_t first = march->ranks[local].ready;
    return first == WEFT_PROGRAM_NONE ? NULL : &march->pool[first];
}
/* Takes the first of what is ready, of which there is something. */
uint32_t weft_march_pop_ready(weft_march *march, uint32_t local);

/* Keeps a message until its receive is posted. */
void weft_march_keep(weft_march *march, weft_march_early message);
/* Takes the message for a receive; false: it has not come. */
bool weft_march_take(weft_march *march, uint32_t local, uint32_t receive, uint32_t *number);

#endif
