/* SPDX-License-Identifier: Apache-2.0 */
#include "program/divide.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { TO, FROM }; /* an own rank: the two lists */

weft_status weft_dividing_begin(weft_dividing *divide, uint32_t n_ranks, weft_error *err)
{
    size_t ranks = (size_t)n_ranks + 1;
    WEFT_TRY(divide->by->keep(divide->by->user, n_ranks, &divide->kept, err));
    divide->on = true;
    divide->balance = weft_alloc(ranks * sizeof *divide->balance);
    for (uint32_t i = TO; i <= (divide->by->answers ? FROM : TO); i++) {
        divide->head[i] = weft_alloc(ranks * sizeof *divide->head[i]);
        divide->tail[i] = weft_alloc(ranks * sizeof *divide->tail[i]);
    }
    return WEFT_OK;
}

static void forget_ends(weft_dividing *divide)
{
    free(divide->ends);
    free(divide->balance);
    for (uint32_t i = TO; i <= FROM; i++) {
        free(divide->head[i]);
        free(divide->tail[i]);
        divide->head[i] = divide->tail[i] = NULL;
    }
    divide->ends = NULL;
    divide->balance = NULL;
}

void weft_dividing_done(weft_dividing *divide)
{
    forget_ends(divide);
    free(divide->kept);
    *divide = (weft_dividing){0};
}

/* splitmix64 of a channel. */
static uint64_t hash(uint32_t source, uint32_t tag)
{
    uint64_t mixed = ((uint64_t)source << 32 | tag) + 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebu;
    return mixed ^ mixed >> 31;
}

static weft_status add_end(weft_dividing *divide, uint32_t list, uint32_t own,
                           weft_dividing_end end, weft_error *err)
{
    if (divide->n_ends >= WEFT_PROGRAM_OPS_MAX)
        return weft_fail(err, WEFT_BAD_INPUT, "a process has at most %u messages",
                         WEFT_PROGRAM_OPS_MAX);
    if (divide->n_ends == divide->room) {
        divide->room = divide->room ? divide->room + divide->room / 2 : 1024;
        divide->ends = weft_realloc(divide->ends, divide->room, sizeof *divide->ends);
    }
    divide->ends[divide->n_ends++] = end;
    uint32_t number = (uint32_t)divide->n_ends, *tail = &divide->tail[list][own];
    if (*tail)
        divide->ends[*tail - 1].next = number;
    else
        divide->head[list][own] = number;
    *tail = number;
    return WEFT_OK;
}

weft_status weft_dividing_rank(weft_dividing *divide, uint32_t rank,
                               const weft_operation *operations, uint32_t count, weft_error *err)
{
    if (divide->by->visit)
        divide->by->visit(divide->by->user, rank, operations, count);
    for (uint32_t i = 0; i < count; i++) {
        const weft_operation *it = &operations[i];
        bool send = it->kind == WEFT_OPERATION_SEND;
        if (it->kind == WEFT_OPERATION_CALC || it->peer == WEFT_PROGRAM_ANY)
            continue;
        divide->balance[send ? it->peer : rank] +=
            send ? hash(rank, it->tag) : 0 - hash(it->peer, it->tag);
        uint32_t list = send ? TO : FROM;
        if (!divide->head[list] || !weft_dividing_keeps(divide, it->peer))
            continue;
        WEFT_TRY(add_end(divide, list, it->peer,
                         (weft_dividing_end){.rank = rank,
                                             .number = i,
                                             .tag = it->tag,
                                             .size_low = it->size_low,
                                             .size_high = it->size_high},
                         err));
    }
    return WEFT_OK;
}

typedef struct matching {
    weft_dividing *divide;
    weft_program *program;
    weft_operation *operations; /* of the rank in hand */
    uint32_t list;
    weft_match_ends ends;
    size_t room[2];
} matching;

static void make_room(weft_match_end **ends, size_t count, size_t *room)
{
    if (count < *room)
        return;
    *room = count + count / 2 + 64;
    *ends = weft_realloc(*ends, *room, sizeof **ends);
}

/* An own operation gets its partner. */
static void join(void *user, uint32_t send, uint32_t receive)
{
    matching *m = user;
    const weft_dividing_end *other = &m->divide->ends[m->list == TO ? send : receive];
    weft_operation *own = &m->operations[m->list == TO ? receive : send];
    own->tag = other->number;
    if (m->list == FROM)
        return;
    own->size_low = other->size_low;
    own->size_high = other->size_high;
}

/* What others do with an own rank, and what it does with them. */
static void list_ends(matching *m, uint32_t rank, uint32_t count)
{
    weft_match_ends *ends = &m->ends;
    uint8_t kind = m->list == TO ? WEFT_OPERATION_RECV : WEFT_OPERATION_SEND;
    weft_match_end **theirs = m->list == TO ? &ends->sends : &ends->receives;
    weft_match_end **ours = m->list == TO ? &ends->receives : &ends->sends;
    size_t n_theirs = 0, n_ours = 0;
    for (uint32_t i = m->divide->head[m->list][rank]; i > 0; i = m->divide->ends[i - 1].next) {
        const weft_dividing_end *end = &m->divide->ends[i - 1];
        make_room(theirs, n_theirs, &m->room[m->list]);
        (*theirs)[n_theirs++] =
            (weft_match_end){.source = end->rank, .tag = end->tag, .number = i - 1};
    }
    for (uint32_t i = 0; i < count; i++) {
        const weft_operation *own = &m->operations[i];
        if (own->kind != kind)
            continue;
        make_room(ours, n_ours, &m->room[1 - m->list]);
        (*ours)[n_ours++] = (weft_match_end){.source = own->peer, .tag = own->tag, .number = i};
    }
    ends->n_sends = m->list == TO ? n_theirs : n_ours;
    ends->n_receives = m->list == TO ? n_ours : n_theirs;
}

static weft_status complain(const matching *m, const weft_program_origin *origin, uint32_t rank,
                            const weft_match_end *send, const weft_match_end *receive,
                            weft_error *err)
{
    const uint32_t *first = m->program->first;
    bool own = m->list == TO ? receive != NULL : send != NULL;
    const weft_match_end *one = send ? send : receive;
    assert(one);
    uint32_t number = one->number;
    if (own)
        return weft_match_complain(origin, &m->operations[number], number, rank,
                                   first[rank] + number, err);
    const weft_dividing_end *end = &m->divide->ends[number];
    weft_operation operation = {.kind = send ? WEFT_OPERATION_SEND : WEFT_OPERATION_RECV,
                                .size_low = end->size_low,
                                .size_high = end->size_high,
                                .peer = rank,
                                .tag = end->tag};
    return weft_match_complain(origin, &operation, end->number, end->rank,
                               first[end->rank] + end->number, err);
}

/* Both lists use the tags of operations, which the partners replace: sends and receives apart. */
static weft_status match_rank(matching *m, const weft_program_origin *origin, uint32_t rank,
                              weft_error *err)
{
    const weft_program *program = m->program;
    uint32_t count = program->first[rank + 1] - program->first[rank];
    m->operations = program->operations + program->at[rank];
    for (m->list = TO; m->list <= FROM && m->divide->head[m->list]; m->list++) {
        const weft_match_end *send, *receive;
        list_ends(m, rank, count);
        if (!weft_match_all(&m->ends, join, m, &send, &receive))
            return complain(m, origin, rank, send, receive, err);
    }
    return WEFT_OK;
}

/* A program that matches messages as they come cannot be divided: a rank would need the tags of
 * all that is sent to it. */
static weft_status check_wild(const weft_dividing *divide, const weft_program *program,
                              const char *file, weft_error *err)
{
    for (uint32_t r = 0; r < program->n_ranks; r++)
        if (weft_program_wild(program, r))
            return weft_fail(err, WEFT_BAD_INPUT,
                             "%.2000s: rank %u receives from any source or with any tag, and a "
                             "program of more than %llu operations is divided between processes; "
                             "with measure.ideal-limit: %u every process keeps all of it",
                             file, r, (unsigned long long)divide->by->most, program->n_operations);
    return WEFT_OK;
}

/* The first rank that does not fit; others are not looked at if there is one. */
static uint32_t first_odd(const weft_dividing *divide, uint32_t n_ranks)
{
    uint32_t rank = 0;
    while (rank < n_ranks && divide->balance[rank] == 0)
        rank++;
    return rank;
}

weft_status weft_dividing_match(weft_dividing *divide, weft_program *program,
                                const weft_program_origin *origin, weft_error *err)
{
    matching m = {.divide = divide, .program = program};
    WEFT_TRY(check_wild(divide, program, origin->file, err));
    uint32_t odd = first_odd(divide, program->n_ranks);
    weft_status status = WEFT_OK;
    if (odd < program->n_ranks && !weft_dividing_keeps(divide, odd)) {
        divide->by->unmatched = odd + 1;
        return weft_fail(err, WEFT_BAD_INPUT, "%.2000s: rank %u: sends and receives do not fit",
                         origin->file, odd);
    }
    make_room(&m.ends.sends, 0, &m.room[TO]);
    make_room(&m.ends.receives, 0, &m.room[FROM]);
    for (uint32_t r = odd < program->n_ranks ? odd : 0; r < program->n_ranks && status == WEFT_OK;
         r++)
        if (weft_dividing_keeps(divide, r))
            status = match_rank(&m, origin, r, err);
    free(m.ends.sends);
    free(m.ends.receives);
    forget_ends(divide);
    return status;
}

/* ---- a program that is there ---- */

/* Moves what a rank keeps to where the last one's ends. */
static void keep_rank(weft_program *program, uint32_t rank, uint32_t *n_here)
{
    uint32_t from = program->first[rank], count = program->first[rank + 1] - from;
    uint32_t first = program->operations[from].dependents;
    uint32_t dependents = program->operations[from + count].dependents - first;
    memmove(program->dependents + program->n_dependents, program->dependents + first,
            sizeof *program->dependents * dependents);
    for (uint32_t i = 0; i < count; i++) {
        weft_operation *operation = &program->operations[*n_here + i];
        *operation = program->operations[from + i];
        operation->dependents -= first - program->n_dependents;
    }
    program->n_dependents += dependents;
    *n_here += count;
}

/* Of a program whose partners are known. */
static void place_partners(weft_program *program)
{
    for (uint32_t r = 0; r < program->n_ranks; r++)
        for (uint32_t i = program->first[r]; i < program->first[r + 1]; i++) {
            weft_operation *own = &program->operations[i];
            if (own->kind == WEFT_OPERATION_CALC)
                continue;
            const weft_operation *other = &program->operations[program->partners[i]];
            own->tag = program->partners[i] - program->first[own->peer];
            if (own->kind == WEFT_OPERATION_RECV) {
                own->size_low = other->size_low;
                own->size_high = other->size_high;
            }
        }
}

weft_status weft_program_divide(weft_program *program, weft_program_division *by, const char *file,
                                weft_error *err)
{
    weft_dividing divide = {.by = by};
    uint32_t n_here = 0;
    if (program->n_operations <= by->most)
        return WEFT_OK;
    WEFT_TRY(check_wild(&divide, program, file, err));
    WEFT_TRY(by->keep(by->user, program->n_ranks, &divide.kept, err));
    for (uint32_t r = 0; r < program->n_ranks && by->visit; r++)
        by->visit(by->user, r, program->operations + program->first[r],
                  program->first[r + 1] - program->first[r]);
    place_partners(program);
    free(program->partners);
    program->partners = NULL;
    program->divided = true;
    program->n_dependents = 0;
    program->at = weft_alloc(sizeof *program->at * ((size_t)program->n_ranks + 1));
    for (uint32_t r = 0; r < program->n_ranks; r++) {
        program->at[r] = weft_dividing_keeps(&divide, r) ? n_here : WEFT_PROGRAM_NONE;
        if (weft_dividing_keeps(&divide, r))
            keep_rank(program, r, &n_here);
    }
    program->operations[n_here] = (weft_operation){.dependents = program->n_dependents};
    weft_program_trim(program, n_here);
    weft_dividing_done(&divide);
    return WEFT_OK;
}
