/* SPDX-License-Identifier: Apache-2.0 */
/* Messages that have arrived for the ranks of a block in a tick, brought into the order of ranks.
 * An inbox that is all 0 is empty. */
#ifndef WEFT_PROGRAM_MARCH_INBOX_H
#define WEFT_PROGRAM_MARCH_INBOX_H

#include "program/ranks.h"

typedef struct weft_march_arrival {
    uint32_t local; /* rank */
    weft_ranks_message message;
    uint64_t age; /* ticks since it was sent */
} weft_march_arrival;

typedef struct weft_march_inbox {
    weft_march_arrival *at, *spare; /* spare: where they are sorted to */
    uint32_t count, room, spare_room;
} weft_march_inbox;

void weft_march_inbox_done(weft_march_inbox *inbox);
uint64_t weft_march_inbox_bytes(const weft_march_inbox *inbox);
void weft_march_inbox_add(weft_march_inbox *inbox, weft_march_arrival arrival);
/* Sorts by rank, source, number. */
void weft_march_inbox_sort(weft_march_inbox *inbox);

#endif
