/* SPDX-License-Identifier: Apache-2.0 */
#include "program/timeline/history.h"

#include "base/memory.h"

#include <stdlib.h>

enum { CPUS = 256 };

typedef struct builder {
    weft_history *history;
    const weft_rank_record *records;
    uint64_t overhead, start;
    uint32_t repeats;
    uint32_t *names;           /* of the operations that have run, in order of each rank */
    weft_rank_event *arrivals; /* of the rank at hand, by source and number */
    size_t n_arrivals, room;
} builder;

/* ---- how many there are ---- */

static uint32_t count_operations(const weft_rank_record *record)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < record->n_events; i++)
        count += record->events[i].kind == WEFT_RANK_RUN;
    return count;
}

static int by_number(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* Lists the operations of a rank that have run; false: one has run twice. */
static bool list_names(builder *b, uint32_t rank, const weft_rank_record *record)
{
    size_t first = b->history->first[rank], count = b->history->first[rank + 1] - first, at = 0;
    uint32_t *names = b->names + first;
    for (uint32_t i = 0; i < record->n_events; i++)
        if (record->events[i].kind == WEFT_RANK_RUN)
            names[at++] = record->events[i].operation;
    qsort(names, count, sizeof *names, by_number);
    for (size_t i = 1; i < count; i++)
        if (names[i - 1] == names[i])
            return false;
    return true;
}

/* The place of an operation of a rank; WEFT_HISTORY_NONE: it has not run. Those of a stored program
 * have numbers without gaps. */
static uint32_t find(const builder *b, uint32_t rank, uint32_t number)
{
    size_t first = b->history->first[rank], count = b->history->first[rank + 1] - first;
    const uint32_t *names = b->names + first;
    if (number < count && names[number] == number)
        return (uint32_t)first + number;
    const uint32_t *found =
        count == 0 ? NULL : bsearch(&number, names, count, sizeof *names, by_number);
    return found ? (uint32_t)(found - b->names) : WEFT_HISTORY_NONE;
}

/* Every event names an operation that has run, or a message of a rank that exists. */
static bool is_whole(const builder *b, uint32_t rank, const weft_rank_record *record)
{
    const weft_history *history = b->history;
    for (uint32_t i = 0; i < record->n_events; i++) {
        const weft_rank_event *event = &record->events[i];
        bool message = event->kind == WEFT_RANK_TAKEN || event->kind == WEFT_RANK_ANSWER ||
                       event->kind == WEFT_RANK_ARRIVAL;
        bool after = event->kind == WEFT_RANK_READY || event->kind == WEFT_RANK_FOLLOW;
        if (event->kind != WEFT_RANK_ARRIVAL &&
            find(b, rank, event->operation) == WEFT_HISTORY_NONE)
            return false;
        if (after && find(b, rank, event->number) == WEFT_HISTORY_NONE)
            return false;
        if (message && (event->peer >= history->n_ranks ||
                        find(b, event->peer, event->number / 2) == WEFT_HISTORY_NONE))
            return false;
    }
    return true;
}

static bool lay_out(builder *b)
{
    weft_history *history = b->history;
    const weft_rank_record *records = b->records;
    history->first = weft_alloc(sizeof *history->first * ((size_t)history->n_ranks + 1));
    for (uint32_t r = 0; r < history->n_ranks; r++)
        history->first[r + 1] = history->first[r] + count_operations(&records[r]);
    history->n_operations = history->first[history->n_ranks];
    if (history->n_operations >= WEFT_HISTORY_NONE)
        return false;
    history->operations = weft_alloc(sizeof *history->operations * (history->n_operations + 1));
    b->names = weft_alloc(sizeof *b->names * (history->n_operations + 1));
    for (uint32_t r = 0; r < history->n_ranks; r++)
        if (!list_names(b, r, &records[r]))
            return false;
    for (uint32_t r = 0; r < history->n_ranks; r++)
        if (!is_whole(b, r, &records[r]))
            return false;
    return true;
}

/* ---- the events of a rank ---- */

static int by_message(const void *a, const void *b)
{
    const weft_rank_event *x = a, *y = b;
    if (x->peer != y->peer)
        return x->peer < y->peer ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static void list_arrivals(builder *b, const weft_rank_record *record)
{
    if (record->n_events > b->room) {
        b->room = record->n_events;
        b->arrivals = weft_realloc(b->arrivals, b->room, sizeof *b->arrivals);
    }
    b->n_arrivals = 0;
    for (uint32_t i = 0; i < record->n_events; i++)
        if (record->events[i].kind == WEFT_RANK_ARRIVAL)
            b->arrivals[b->n_arrivals++] = record->events[i];
    if (b->n_arrivals > 0)
        qsort(b->arrivals, b->n_arrivals, sizeof *b->arrivals, by_message);
}

/* When a message came; else the time given. */
static uint64_t arrival(const builder *b, const weft_rank_event *message)
{
    const weft_rank_event *found = b->n_arrivals == 0 ? NULL
                                                      : bsearch(message, b->arrivals, b->n_arrivals,
                                                                sizeof *b->arrivals, by_message);
    return found ? found->time : message->time;
}

/* A receive and the send of its message know each other. */
static weft_past *join(const builder *b, weft_past *receive, const weft_rank_event *event)
{
    weft_history *history = b->history;
    uint32_t send = find(b, event->peer, event->number / 2);
    receive->partner = send;
    history->operations[send].partner = (uint32_t)(receive - history->operations);
    return &history->operations[send];
}

static void take_event(const builder *b, uint32_t rank, const weft_rank_event *event,
                       uint32_t last[CPUS], uint32_t *last_send)
{
    weft_history *history = b->history;
    uint32_t place = find(b, rank, event->operation);
    weft_past *past = &history->operations[place];
    switch ((weft_rank_event_kind)event->kind) {
    case WEFT_RANK_READY:
    case WEFT_RANK_FOLLOW:
        past->ready = event->time;
        past->cause = find(b, rank, event->number);
        past->by_start = event->kind == WEFT_RANK_FOLLOW;
        break;
    case WEFT_RANK_RUN:
        past->run = event->time;
        past->until = event->until;
        past->size = event->size;
        past->kind = event->what;
        past->cpu = event->cpu;
        past->before = last[event->cpu];
        last[event->cpu] = place;
        if (event->what == WEFT_OPERATION_SEND) {
            past->sender = *last_send;
            *last_send = place;
        }
        break;
    case WEFT_RANK_TAKEN:
        past->taken = event->time;
        past->arrived = arrival(b, event);
        (void)join(b, past, event);
        break;
    case WEFT_RANK_ANSWER:
        past->asks = true;
        past->asked = arrival(b, event);
        past->answers = event->time;
        join(b, past, event)->asks = true;
        break;
    case WEFT_RANK_DATA:
        past->answered = event->time;
        past->sent = event->size;
        past->over = event->until;
        *last_send = place; /* whose data the link carries now */
        break;
    case WEFT_RANK_ARRIVAL:
    case WEFT_RANK_EVENTS:
        break;
    }
}

static void read_rank(builder *b, uint32_t rank)
{
    const weft_rank_record *record = &b->records[rank];
    weft_history *history = b->history;
    uint32_t last[CPUS], last_send = WEFT_HISTORY_NONE;
    for (uint32_t c = 0; c < CPUS; c++)
        last[c] = WEFT_HISTORY_NONE;
    list_arrivals(b, record);
    for (uint32_t i = 0; i < record->n_events; i++)
        if (record->events[i].kind != WEFT_RANK_ARRIVAL)
            take_event(b, rank, &record->events[i], last, &last_send);
    for (size_t i = history->first[rank]; i < history->first[rank + 1]; i++) {
        weft_past *past = &history->operations[i];
        past->over = past->over > past->until ? past->over : past->until;
        if (past->kind == WEFT_OPERATION_SEND && past->sent == 0)
            past->sent = past->run + b->overhead;
    }
}

/* What waits for nothing waits for the last operation of the repetition before. */
static void begin_repetitions(const builder *b, uint32_t rank)
{
    weft_history *history = b->history;
    size_t first = history->first[rank], each = (history->first[rank + 1] - first) / b->repeats;
    uint32_t last = WEFT_HISTORY_NONE;
    for (uint32_t k = 0; k < b->repeats; k++) {
        uint32_t next = WEFT_HISTORY_NONE;
        for (size_t i = first + k * each; i < first + (k + 1) * each; i++) {
            weft_past *past = &history->operations[i];
            if (past->cause == WEFT_HISTORY_NONE) {
                past->cause = last;
                past->ready = last == WEFT_HISTORY_NONE ? b->start : history->operations[last].over;
            }
            if (next == WEFT_HISTORY_NONE || past->over > history->operations[next].over)
                next = (uint32_t)i;
        }
        last = next;
    }
}

bool weft_history_build(weft_history *history, const weft_rank_record *records, uint32_t n_ranks,
                        uint32_t repeats, uint64_t overhead, uint64_t start)
{
    builder b = {.history = history,
                 .records = records,
                 .overhead = overhead,
                 .start = start,
                 .repeats = repeats};
    *history = (weft_history){.n_ranks = n_ranks};
    if (!lay_out(&b)) {
        free(b.names);
        return false;
    }
    for (uint32_t r = 0; r < n_ranks; r++)
        for (size_t i = history->first[r]; i < history->first[r + 1]; i++)
            history->operations[i] = (weft_past){.cause = WEFT_HISTORY_NONE,
                                                 .partner = WEFT_HISTORY_NONE,
                                                 .before = WEFT_HISTORY_NONE,
                                                 .sender = WEFT_HISTORY_NONE,
                                                 .rank = r,
                                                 .number = (uint32_t)(i - history->first[r]),
                                                 .name = b.names[i]};
    for (uint32_t r = 0; r < n_ranks; r++) {
        read_rank(&b, r);
        begin_repetitions(&b, r);
    }
    free(b.names);
    free(b.arrivals);
    return true;
}

void weft_history_done(weft_history *history)
{
    free(history->first);
    free(history->operations);
    *history = (weft_history){0};
}
