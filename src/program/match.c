/* SPDX-License-Identifier: Apache-2.0 */
/* Sends are listed by receiver, by counting, as numbers alone: a trace has millions; then those of
 * one rank and its receives are sorted by source and tag and walked together. */
#include "program/match.h"

#include "base/memory.h"

#include <stdlib.h>

typedef weft_match_end end;

static int by_channel(const void *a, const void *b)
{
    const end *x = a, *y = b;
    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    if (x->tag != y->tag)
        return x->tag < y->tag ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
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
            (end){.source = rank, .tag = program->operations[sends[i]].tag, .number = sends[i]};
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
                (end){.source = operation->peer, .tag = operation->tag, .number = i};
    }
    return count;
}

weft_status weft_match_complain(const weft_program_origin *origin, const weft_operation *operation,
                                uint32_t number, uint32_t rank, uint32_t among, weft_error *err)
{
    unsigned long line = origin->line_of ? origin->line_of(origin->reader, among) : 0;
    weft_text text;
    weft_text_init(&text);
    weft_text_add(&text, "%.2000s:", origin->file);
    if (line > 0)
        weft_text_add(&text, "%lu:", line);
    weft_text_append(&text, " ", 1);
    weft_operation_name(operation, number, rank, true, &text);
    weft_status status = weft_fail(err, WEFT_BAD_INPUT, "%s: %s", text.at,
                                   operation->kind == WEFT_OPERATION_SEND
                                       ? "that rank has no receive for this message"
                                       : "that rank sends no such message");
    weft_text_done(&text);
    return status;
}

bool weft_match_all(weft_match_ends *ends,
                    void (*join)(void *user, uint32_t send, uint32_t receive), void *user,
                    const end **send, const end **receive)
{
    size_t s = 0, r = 0;
    qsort(ends->sends, ends->n_sends, sizeof *ends->sends, by_channel);
    qsort(ends->receives, ends->n_receives, sizeof *ends->receives, by_channel);
    for (; s < ends->n_sends || r < ends->n_receives; s++, r++) {
        end x = {.source = UINT32_MAX, .tag = UINT32_MAX}, y = x;
        if (s < ends->n_sends)
            x = ends->sends[s];
        if (r < ends->n_receives)
            y = ends->receives[r];
        x.number = y.number = 0;
        int order = s == ends->n_sends ? 1 : r == ends->n_receives ? -1 : by_channel(&x, &y);
        *send = order < 0 ? &ends->sends[s] : NULL;
        *receive = order > 0 ? &ends->receives[r] : NULL;
        if (order != 0)
            return false;
        join(user, ends->sends[s].number, ends->receives[r].number);
    }
    return true;
}

static void make_partners(void *user, uint32_t send, uint32_t receive)
{
    weft_program *program = user;
    program->partners[send] = receive;
    program->partners[receive] = send;
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

static weft_status match_rank(weft_program *program, const weft_program_origin *origin,
                              uint32_t rank, const uint32_t *list, weft_match_ends ends,
                              weft_error *err)
{
    const end *send, *receive;
    ends.n_receives = list_receives(program, rank, ends.receives);
    if (weft_program_wild(program, rank))
        return count(origin->file, rank, ends.n_sends, ends.n_receives, err);
    list_ends(program, list, ends.n_sends, ends.sends);
    if (weft_match_all(&ends, make_partners, program, &send, &receive))
        return WEFT_OK;
    uint32_t left = send ? send->number : receive->number;
    uint32_t its = weft_program_rank_of(program, left);
    return weft_match_complain(origin, &program->operations[left], left - program->first[its], its,
                               left, err);
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
    weft_match_ends ends = {.sends = weft_realloc(NULL, n_sends + 1, sizeof(end)),
                            .receives = weft_realloc(NULL, n_receives + 1, sizeof(end))};
    for (uint32_t r = 0; r < program->n_ranks && status == WEFT_OK; r++) {
        ends.n_sends = list.first[(size_t)r + 1] - list.first[r];
        status = match_rank(program, origin, r, list.sends + list.first[r], ends, err);
    }
    free(ends.sends);
    free(ends.receives);
    free(list.first);
    free(list.sends);
    return status;
}
