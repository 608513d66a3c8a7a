/* SPDX-License-Identifier: Apache-2.0 */
/* Sends are listed by receiver, by counting, as numbers alone: a trace has millions; then those of
 * one rank and its receives are sorted by source and tag and walked together. */
#include "program/match.h"

#include "base/memory.h"

#include <stdlib.h>

typedef struct end { /* of a message: the send or the receive */
    uint32_t source, tag, operation;
} end;

static int by_channel(const void *a, const void *b)
{
    const end *x = a, *y = b;
    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    if (x->tag != y->tag)
        return x->tag < y->tag ? -1 : 1;
    return x->operation < y->operation ? -1 : x->operation > y->operation;
}

typedef struct listing { /* sends to rank r: sends[first[r] … first[r + 1] − 1], by their ranks */
    size_t *first;
    uint32_t *sends; /* operations */
} listing;

static listing list_sends(const weft_program *program)
{
    size_t total = 0, *first = weft_alloc(sizeof *first * ((size_t)program->n_ranks + 2));
    for (uint32_t i = 0; i < program->n_operations; i++)
        if (program->operations[i].kind == WEFT_OPERATION_SEND)
            first[(size_t)program->operations[i].peer + 2]++;
    for (size_t r = 2; r < (size_t)program->n_ranks + 2; r++)
        total = first[r] += total;
    uint32_t *sends = weft_realloc(NULL, total + 1, sizeof *sends);
    for (uint32_t i = 0; i < program->n_operations; i++) {
        const weft_operation *operation = &program->operations[i];
        if (operation->kind == WEFT_OPERATION_SEND)
            sends[first[(size_t)operation->peer + 1]++] = i;
    }
    return (listing){.first = first, .sends = sends};
}

static void list_ends(const weft_program *program, const uint32_t *sends, size_t count, end *ends)
{
    uint32_t rank = 0;
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || sends[i] >= program->first[(size_t)rank + 1])
            rank = weft_program_rank_of(program, sends[i]);
        ends[i] =
            (end){.source = rank, .tag = program->operations[sends[i]].tag, .operation = sends[i]};
    }
}

/* The receives of a rank. */
static size_t list_receives(const weft_program *program, uint32_t rank, end *receives)
{
    size_t count = 0;
    for (uint32_t i = program->first[rank]; i < program->first[rank + 1]; i++) {
        const weft_operation *operation = &program->operations[i];
        if (operation->kind == WEFT_OPERATION_RECV)
            receives[count++] =
                (end){.source = operation->peer, .tag = operation->tag, .operation = i};
    }
    return count;
}

static weft_status complain(const weft_program *program, const weft_program_origin *origin,
                            uint32_t operation, const char *why, weft_error *err)
{
    unsigned long line = origin->line_of ? origin->line_of(origin->reader, operation) : 0;
    weft_text text;
    weft_text_init(&text);
    weft_text_add(&text, "%.2000s:", origin->file);
    if (line > 0)
        weft_text_add(&text, "%lu:", line);
    weft_text_append(&text, " ", 1);
    weft_program_name(program, operation, &text);
    weft_status status = weft_fail(err, WEFT_BAD_INPUT, "%s: %s", text.at, why);
    weft_text_done(&text);
    return status;
}

static weft_status complain_left(const weft_program *program, const weft_program_origin *origin,
                                 const end *send, const end *receive, weft_error *err)
{
    if (send)
        return complain(program, origin, send->operation,
                        "that rank has no receive for this message", err);
    return complain(program, origin, receive->operation, "that rank sends no such message", err);
}

/* Pairs sends and receives, both sorted. */
static weft_status pair(weft_program *program, const weft_program_origin *origin, const end *sends,
                        size_t n_sends, const end *receives, size_t n_receives, weft_error *err)
{
    size_t s = 0, r = 0;
    while (s < n_sends || r < n_receives) {
        end x = {.source = UINT32_MAX, .tag = UINT32_MAX}, y = x;
        if (s < n_sends)
            x = sends[s];
        if (r < n_receives)
            y = receives[r];
        x.operation = y.operation = 0;
        int order = s == n_sends ? 1 : r == n_receives ? -1 : by_channel(&x, &y);
        if (order != 0)
            return complain_left(program, origin, order < 0 ? &sends[s] : NULL, &receives[r], err);
        program->partners[sends[s].operation] = receives[r].operation;
        program->partners[receives[r].operation] = sends[s].operation;
        s++;
        r++;
    }
    return WEFT_OK;
}

/* Of a rank that matches messages as they come only the numbers can be compared. */
static weft_status count(const char *file, uint32_t rank, size_t n_sends, size_t n_receives,
                         weft_error *err)
{
    if (n_sends == n_receives)
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT,
                     "%.2000s: rank %u has %zu receives, but %zu messages are sent to it", file,
                     rank, n_receives, n_sends);
}

typedef struct ends { /* of messages to a rank */
    end *sends, *receives;
} ends;

static weft_status match_rank(weft_program *program, const weft_program_origin *origin,
                              uint32_t rank, const uint32_t *list, size_t n_sends, ends room,
                              weft_error *err)
{
    end *sends = room.sends, *receives = room.receives;
    size_t n_receives = list_receives(program, rank, receives);
    if (weft_program_wild(program, rank))
        return count(origin->file, rank, n_sends, n_receives, err);
    list_ends(program, list, n_sends, sends);
    qsort(sends, n_sends, sizeof *sends, by_channel);
    qsort(receives, n_receives, sizeof *receives, by_channel);
    return pair(program, origin, sends, n_sends, receives, n_receives, err);
}

weft_status weft_program_match(weft_program *program, const weft_program_origin *origin,
                               weft_error *err)
{
    weft_status status = WEFT_OK;
    size_t n_receives = 0, n_sends = 0; /* the most of a rank */
    listing list = list_sends(program);
    for (uint32_t r = 0; r < program->n_ranks; r++) {
        size_t operations = program->first[r + 1] - program->first[r];
        size_t sends = list.first[(size_t)r + 1] - list.first[r];
        n_receives = operations > n_receives ? operations : n_receives;
        n_sends = sends > n_sends ? sends : n_sends;
    }
    ends room = {.sends = weft_realloc(NULL, n_sends + 1, sizeof(end)),
                 .receives = weft_realloc(NULL, n_receives + 1, sizeof(end))};
    for (uint32_t r = 0; r < program->n_ranks && status == WEFT_OK; r++)
        status = match_rank(program, origin, r, list.sends + list.first[r],
                            list.first[(size_t)r + 1] - list.first[r], room, err);
    free(room.sends);
    free(room.receives);
    free(list.first);
    free(list.sends);
    return status;
}
