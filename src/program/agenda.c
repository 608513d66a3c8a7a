/* SPDX-License-Identifier: Apache-2.0 */
/* A radix heap (Ahuja, Mehlhorn, Orlin, Tarjan 1990) of linked lists in one pool: an entry moves to
 * a lower list only when the least time has come nearer to its own, at most once per bit of the
 * time between. Ranks that go in step add their entries in the order in which they are taken, so
 * that a list is rarely sorted. */
#include "program/agenda.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

enum { LISTS = 64 };

void weft_agenda_done(weft_agenda *agenda)
{
    free(agenda->lists);
    free(agenda->nodes);
    *agenda = (weft_agenda){0};
}

uint64_t weft_agenda_bytes(const weft_agenda *agenda)
{
    return agenda->room * sizeof *agenda->nodes +
           (agenda->lists ? LISTS * sizeof *agenda->lists : 0);
}

static void grow(weft_agenda *agenda)
{
    uint32_t room = agenda->room, more = room ? 2 * room : 8;
    if (!agenda->lists)
        agenda->lists = weft_alloc(LISTS * sizeof *agenda->lists);
    agenda->nodes = weft_realloc(agenda->nodes, (size_t)more + 1, sizeof *agenda->nodes);
    for (uint32_t i = more; i > room; i--) {
        agenda->nodes[i].next = agenda->unused;
        agenda->unused = i;
    }
    agenda->room = more;
}

static uint32_t list_of(const weft_agenda *agenda, uint64_t time)
{
    uint64_t differ = time ^ agenda->now;
    return differ ? 64 - (uint32_t)__builtin_clzll(differ) : 0;
}

static inline void append(weft_agenda *agenda, uint32_t number, uint32_t it)
{
    weft_agenda_list *list = &agenda->lists[number];
    uint64_t time = agenda->nodes[it].time;
    agenda->nodes[it].next = 0;
    if (agenda->filled >> number & 1) {
        agenda->nodes[list->last].next = it;
        list->least = time < list->least ? time : list->least;
    } else {
        agenda->filled |= (uint64_t)1 << number;
        list->first = it;
        list->least = time;
    }
    list->last = it;
}

/* Ranks add to the present time what comes soon after the entry in hand: the place is near the
 * beginning, or at the end. */
static void insert(weft_agenda *agenda, uint32_t it)
{
    weft_agenda_list *list = &agenda->lists[0];
    weft_heap_entry *nodes = agenda->nodes;
    uint64_t order = nodes[it].order;
    if (!(agenda->filled & 1) || nodes[list->last].order < order) {
        append(agenda, 0, it);
        return;
    }
    uint32_t *place = &list->first;
    while (nodes[*place].order < order)
        place = &nodes[*place].next;
    nodes[it].next = *place;
    *place = it;
}

void weft_agenda_push(weft_agenda *agenda, weft_heap_entry entry)
{
    assert(entry.time >= agenda->now && entry.time >> 63 == 0);
    if (!agenda->unused)
        grow(agenda);
    uint32_t it = agenda->unused, number = list_of(agenda, entry.time);
    agenda->unused = agenda->nodes[it].next;
    agenda->nodes[it] = entry;
    agenda->count++;
    if (number == 0)
        insert(agenda, it);
    else
        append(agenda, number, it);
}

/* ---- in order ---- */

static bool is_sorted(const weft_heap_entry *nodes, uint32_t it)
{
    for (uint32_t next = nodes[it].next; next; it = next, next = nodes[it].next)
        if (nodes[next].order < nodes[it].order)
            return false;
    return true;
}

static uint32_t merge(weft_heap_entry *nodes, uint32_t a, uint32_t b)
{
    uint32_t first = 0, *end = &first;
    while (a && b) {
        uint32_t *less = nodes[b].order < nodes[a].order ? &b : &a;
        *end = *less;
        end = &nodes[*less].next;
        *less = *end;
    }
    *end = a ? a : b;
    return first;
}

/* Cuts off the run with which a list begins, and gives what is behind it. */
static uint32_t cut_run(weft_heap_entry *nodes, uint32_t it)
{
    uint32_t next = nodes[it].next;
    while (next && nodes[it].order < nodes[next].order) {
        it = next;
        next = nodes[it].next;
    }
    nodes[it].next = 0;
    return next;
}

/* Merges the runs of a list; parts[i]: 2^i of them. */
static void sort(weft_heap_entry *nodes, weft_agenda_list *list)
{
    uint32_t parts[33] = {0}, most = 0, all = 0;
    for (uint32_t run = list->first, next; run; run = next) {
        uint32_t i = 0;
        next = cut_run(nodes, run);
        for (; parts[i]; parts[i++] = 0)
            run = merge(nodes, parts[i], run);
        parts[i] = run;
        most = i > most ? i : most;
    }
    for (uint32_t i = 0; i <= most; i++)
        all = merge(nodes, parts[i], all);
    list->first = all;
    while (nodes[all].next)
        all = nodes[all].next;
    list->last = all;
}

void weft_agenda_advance(weft_agenda *agenda)
{
    uint32_t number = (uint32_t)__builtin_ctzll(agenda->filled), next;
    assert(number > 0);
    agenda->now = agenda->lists[number].least;
    agenda->filled &= ~((uint64_t)1 << number);
    for (uint32_t it = agenda->lists[number].first; it; it = next) {
        next = agenda->nodes[it].next;
        append(agenda, list_of(agenda, agenda->nodes[it].time), it);
    }
    if (!is_sorted(agenda->nodes, agenda->lists[0].first))
        sort(agenda->nodes, &agenda->lists[0]);
}

void weft_agenda_copy(const weft_agenda *agenda, weft_heap_entry *into)
{
    for (uint64_t left = agenda->filled; left; left &= left - 1)
        for (uint32_t it = agenda->lists[__builtin_ctzll(left)].first; it;
             it = agenda->nodes[it].next)
            *into++ = agenda->nodes[it];
}
