/* SPDX-License-Identifier: Apache-2.0 */
/* Few messages are inserted one by one; many are sorted by the digits of their ranks, which leaves
 * those of one rank, mostly one, to be inserted. */
#include "program/march/inbox.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { FEW = 32, DIGIT = 8, VALUES = 1 << DIGIT };

void weft_march_inbox_done(weft_march_inbox *inbox)
{
    free(inbox->at);
    free(inbox->spare);
    *inbox = (weft_march_inbox){0};
}

uint64_t weft_march_inbox_bytes(const weft_march_inbox *inbox)
{
    return ((uint64_t)inbox->room + inbox->spare_room) * sizeof *inbox->at;
}

void weft_march_inbox_add(weft_march_inbox *inbox, weft_march_arrival arrival)
{
    if (inbox->count == inbox->room) {
        inbox->room = inbox->room ? 2 * inbox->room : 16;
        inbox->at = weft_realloc(inbox->at, inbox->room, sizeof *inbox->at);
    }
    inbox->at[inbox->count++] = arrival;
}

static bool is_before(const weft_march_arrival *a, const weft_march_arrival *b)
{
    if (a->local != b->local)
        return a->local < b->local;
    if (a->message.source != b->message.source)
        return a->message.source < b->message.source;
    return a->message.number < b->message.number;
}

static void insert_all(weft_march_arrival *at, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        if (!is_before(&at[i], &at[i - 1]))
            continue;
        weft_march_arrival it = at[i];
        uint32_t k = i;
        for (; k > 0 && is_before(&it, &at[k - 1]); k--)
            at[k] = at[k - 1];
        at[k] = it;
    }
}

/* Those of equal digits keep their order. */
static void sort_by_digit(weft_march_inbox *inbox, uint32_t shift)
{
    uint32_t place[VALUES] = {0}, next = 0;
    for (uint32_t i = 0; i < inbox->count; i++)
        place[inbox->at[i].local >> shift & (VALUES - 1)]++;
    for (uint32_t v = 0; v < VALUES; v++) {
        uint32_t count = place[v];
        place[v] = next;
        next += count;
    }
    for (uint32_t i = 0; i < inbox->count; i++)
        inbox->spare[place[inbox->at[i].local >> shift & (VALUES - 1)]++] = inbox->at[i];
    weft_march_arrival *sorted = inbox->spare;
    uint32_t room = inbox->spare_room;
    inbox->spare = inbox->at;
    inbox->spare_room = inbox->room;
    inbox->at = sorted;
    inbox->room = room;
}

void weft_march_inbox_sort(weft_march_inbox *inbox)
{
    uint32_t most = 0;
    for (uint32_t i = 0; inbox->count > FEW && i < inbox->count; i++)
        most = inbox->at[i].local > most ? inbox->at[i].local : most;
    if (most > 0 && inbox->spare_room < inbox->count) {
        inbox->spare_room = inbox->count;
        inbox->spare = weft_realloc(inbox->spare, inbox->count, sizeof *inbox->spare);
    }
    for (uint32_t shift = 0; shift < 32 && most >> shift; shift += DIGIT)
        sort_by_digit(inbox, shift);
    insert_all(inbox->at, inbox->count);
}
