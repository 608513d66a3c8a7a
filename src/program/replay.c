/* SPDX-License-Identifier: Apache-2.0 */
/* One agenda for all ranks. Within a tick: what is over, what that sets free, first bytes, last
 * bytes, answers to requests, and then decisions; at equal ticks ranks in ascending order. */
#include "program/replay.h"

#include "base/memory.h"
#include "program/replay_state.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define TIME_MAX ((uint64_t)1 << 62)
#define NEVER    UINT64_MAX

typedef enum entry_kind { DONE, RELEASE, HEAD, TAIL, ANSWER, DECIDE } entry_kind;
enum { KIND_SHIFT = 61, RANK_SHIFT = 33 };

typedef weft_replay_state replay;

static void push(replay *r, uint64_t time, entry_kind kind, uint32_t rank, uint32_t what)
{
    uint64_t count = r->pushed++ & (((uint64_t)1 << RANK_SHIFT) - 1);
    uint64_t order = (uint64_t)kind << KIND_SHIFT | (uint64_t)rank << RANK_SHIFT | count;
    if (time > TIME_MAX) {
        r->late = true;
        return;
    }
    weft_heap_push(&r->agenda, (weft_heap_entry){.time = time, .order = order, .what = what});
}

static uint32_t take_message(replay *r, weft_replay_message message)
{
    uint32_t handle = r->free_message;
    if (handle != WEFT_PROGRAM_NONE) {
        r->free_message = r->messages[handle].send;
    } else {
        if (r->n_messages == r->message_room) {
            r->message_room *= 2;
            r->messages = weft_realloc(r->messages, r->message_room, sizeof *r->messages);
        }
        handle = r->n_messages++;
    }
    r->messages[handle] = message;
    return handle;
}

static void give_message(replay *r, uint32_t handle)
{
    r->messages[handle].send = r->free_message;
    r->free_message = handle;
}

/* Bytes after the first. */
static uint64_t further(const replay *r, uint32_t operation)
{
    uint64_t size = weft_operation_size(&r->program->operations[operation]);
    return size > 0 ? size - 1 : 0;
}

static bool asks(const replay *r, uint32_t operation)
{
    return weft_operation_size(&r->program->operations[operation]) > r->costs.eager;
}

static uint64_t *nic_at(const replay *r, uint64_t *times, uint32_t rank, uint32_t nic)
{
    return &times[(size_t)rank * r->program->n_nics + nic];
}

/* Ticks that a message takes a link, or a side of a NIC. */
static uint64_t link_time(const replay *r, uint64_t further_bytes)
{
    return r->costs.gap + further_bytes * r->costs.per_byte;
}

static void arm(replay *r, uint32_t rank, uint64_t time)
{
    if (time >= r->armed[rank])
        return;
    r->armed[rank] = time;
    push(r, time, DECIDE, rank, 0);
}

/* Something is ready for a CPU: queue 0 for receives and calculations, 1 + NIC for sends. */
static void make_ready(replay *r, uint32_t rank, uint32_t queue, uint64_t order, uint32_t operation)
{
    uint32_t cpu = r->program->operations[operation].cpu;
    size_t queues = 1 + (size_t)r->program->n_nics;
    weft_heap *ready = &r->ready[((size_t)rank * r->program->n_cpus + cpu) * queues + queue];
    weft_heap_push(ready, (weft_heap_entry){.time = r->now, .order = order, .what = operation});
    arm(r, rank, r->now);
}

/* ---- matching ---- */

static void list_add(weft_replay_list *list, uint32_t handle)
{
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 8;
        list->at = weft_realloc(list->at, list->room, sizeof *list->at);
    }
    list->at[list->count++] = handle;
}

static uint32_t list_take(weft_replay_list *list, uint32_t i)
{
    uint32_t handle = list->at[i];
    memmove(list->at + i, list->at + i + 1, sizeof *list->at * (--list->count - i));
    return handle;
}

static bool fits(const replay *r, const weft_replay_message *message, uint32_t receive)
{
    const weft_operation *wants = &r->program->operations[receive];
    return (wants->peer == WEFT_PROGRAM_ANY || wants->peer == message->source) &&
           (wants->tag == WEFT_PROGRAM_ANY ||
            r->program->operations[message->send].tag == WEFT_PROGRAM_ANY ||
            wants->tag == r->program->operations[message->send].tag);
}

/* A message has come for a receive that waits: the receive is ready, or the request is answered. */
static void match(replay *r, uint32_t rank, uint32_t handle, uint32_t receive)
{
    weft_replay_message *message = &r->messages[handle];
    message->receive = receive;
    r->state[receive] &= (uint8_t)~WEFT_REPLAY_POSTED;
    if (message->request) {
        push(r, r->now + r->costs.latency, ANSWER, message->source, handle);
        return;
    }
    r->held[receive] = handle;
    make_ready(r, rank, 0, (uint64_t)message->source << 32 | message->index, receive);
}

/* The message that a receive takes which is posted now; WEFT_PROGRAM_NONE: none has come. */
static uint32_t early_message(replay *r, uint32_t rank, uint32_t receive)
{
    if (!weft_program_wild(r->program, rank))
        return r->state[receive] & WEFT_REPLAY_ARRIVED ? r->held[receive] : WEFT_PROGRAM_NONE;
    weft_replay_list *early = &r->early[rank];
    for (uint32_t i = 0; i < early->count; i++)
        if (fits(r, &r->messages[early->at[i]], receive))
            return list_take(early, i);
    return WEFT_PROGRAM_NONE;
}

static void post(replay *r, uint32_t rank, uint32_t receive)
{
    uint32_t handle = early_message(r, rank, receive);
    if (handle != WEFT_PROGRAM_NONE) {
        match(r, rank, handle, receive);
        return;
    }
    r->state[receive] |= WEFT_REPLAY_POSTED;
    if (weft_program_wild(r->program, rank))
        list_add(&r->posted[rank], receive);
}

/* The receive that takes a message which has come now; WEFT_PROGRAM_NONE: none is posted, and the
 * message is kept. */
static uint32_t posted_receive(replay *r, uint32_t rank, uint32_t handle)
{
    if (!weft_program_wild(r->program, rank)) {
        uint32_t receive = r->program->partners[r->messages[handle].send];
        if (r->state[receive] & WEFT_REPLAY_POSTED)
            return receive;
        r->state[receive] |= WEFT_REPLAY_ARRIVED;
        r->held[receive] = handle;
        return WEFT_PROGRAM_NONE;
    }
    weft_replay_list *posted = &r->posted[rank];
    for (uint32_t i = 0; i < posted->count; i++)
        if (fits(r, &r->messages[handle], posted->at[i]))
            return list_take(posted, i);
    list_add(&r->early[rank], handle);
    return WEFT_PROGRAM_NONE;
}

/* ---- dependencies ---- */

static void release(replay *r, uint32_t rank, uint32_t operation);

static void start(replay *r, uint32_t rank, uint32_t operation)
{
    const weft_operation *its = &r->program->operations[operation];
    r->state[operation] |= WEFT_REPLAY_STARTED;
    for (uint32_t d = its->on_start; d < its[1].on_end; d++)
        if (--r->need[r->program->dependents[d]] == 0)
            push(r, r->now, RELEASE, rank, r->program->dependents[d]);
}

/* All it waits for has happened. */
static void release(replay *r, uint32_t rank, uint32_t operation)
{
    const weft_operation *its = &r->program->operations[operation];
    uint32_t number = operation - r->program->first[rank];
    if (its->kind == WEFT_OPERATION_RECV) {
        start(r, rank, operation);
        post(r, rank, operation);
        return;
    }
    make_ready(r, rank, its->kind == WEFT_OPERATION_SEND ? 1u + its->nic : 0,
               (uint64_t)1 << 63 | number, operation);
}

static void finish(replay *r, uint32_t rank, uint32_t operation)
{
    const weft_operation *its = &r->program->operations[operation];
    r->state[operation] |= WEFT_REPLAY_DONE;
    r->finish[rank] = r->now;
    r->n_done++;
    for (uint32_t d = its->on_end; d < its->on_start; d++)
        if (--r->need[r->program->dependents[d]] == 0)
            release(r, rank, r->program->dependents[d]);
}

/* ---- the CPU ---- */

static uint64_t begin_receive(replay *r, uint32_t receive)
{
    const weft_replay_message *message = &r->messages[r->held[receive]];
    uint64_t each = r->costs.overhead_per_byte > r->costs.per_byte
                        ? r->costs.overhead_per_byte - r->costs.per_byte
                        : 0;
    uint64_t takes = r->costs.overhead + further(r, message->send) * each;
    give_message(r, r->held[receive]);
    return takes;
}

static uint64_t begin_send(replay *r, uint32_t rank, uint32_t send)
{
    const weft_operation *its = &r->program->operations[send];
    bool request = asks(r, send);
    uint64_t bytes = request ? 0 : further(r, send);
    start(r, rank, send);
    *nic_at(r, r->send_free, rank, its->nic) = r->now + link_time(r, bytes);
    uint32_t handle = take_message(r, (weft_replay_message){.source = rank,
                                                            .index = r->sent[rank]++,
                                                            .send = send,
                                                            .receive = WEFT_PROGRAM_NONE,
                                                            .request = request});
    push(r, r->now + r->costs.overhead + r->costs.latency, HEAD, its->peer, handle);
    return r->costs.overhead + bytes * r->costs.overhead_per_byte;
}

/* Starts an operation on its CPU, which is free. */
static void begin(replay *r, uint32_t rank, uint32_t operation)
{
    const weft_operation *its = &r->program->operations[operation];
    uint64_t takes;
    bool over = true;
    if (its->kind == WEFT_OPERATION_RECV) {
        takes = begin_receive(r, operation);
    } else if (its->kind == WEFT_OPERATION_SEND) {
        takes = begin_send(r, rank, operation);
        over = !asks(r, operation);
    } else {
        start(r, rank, operation);
        takes = weft_operation_size(its);
    }
    r->cpu_free[(size_t)rank * r->program->n_cpus + its->cpu] = r->now + takes;
    if (over)
        push(r, r->now + takes, DONE, rank, operation);
}

/* The first of what is ready for a CPU and can start now; NULL: none. *when: the next tick in which
 * a NIC lets a send start. */
static weft_heap *first_ready(const replay *r, uint32_t rank, weft_heap *queues, uint64_t *when)
{
    weft_heap *found = NULL;
    *when = NEVER;
    for (uint32_t queue = 0; queue <= r->program->n_nics; queue++) {
        if (queues[queue].count == 0)
            continue;
        uint64_t free = queue ? *nic_at(r, r->send_free, rank, queue - 1) : 0;
        if (free > r->now)
            *when = free < *when ? free : *when;
        else if (!found || weft_heap_less(queues[queue].entries, found->entries))
            found = &queues[queue];
    }
    return found;
}

static void decide(replay *r, uint32_t rank)
{
    size_t n_queues = 1 + (size_t)r->program->n_nics;
    for (uint32_t cpu = 0; cpu < r->program->n_cpus; cpu++) {
        size_t number = (size_t)rank * r->program->n_cpus + cpu;
        weft_heap *queues = &r->ready[number * n_queues], *found;
        uint64_t when;
        while ((found = first_ready(r, rank, queues, &when)) && r->cpu_free[number] <= r->now)
            begin(r, rank, weft_heap_pop(found).what);
        if (found)
            when = r->cpu_free[number];
        if (when != NEVER)
            arm(r, rank, when > r->cpu_free[number] ? when : r->cpu_free[number]);
    }
}

/* ---- the network ---- */

static void take_head(replay *r, uint32_t rank, uint32_t handle)
{
    const weft_replay_message *message = &r->messages[handle];
    uint64_t bytes = message->request ? 0 : further(r, message->send);
    uint64_t *free = nic_at(r, r->link_free, rank, r->program->operations[message->send].nic);
    uint64_t first = *free > r->now ? *free : r->now;
    *free = first + link_time(r, bytes);
    push(r, first + bytes * r->costs.per_byte, TAIL, rank, handle);
}

static void take_tail(replay *r, uint32_t rank, uint32_t handle)
{
    uint32_t receive = r->messages[handle].receive;
    if (receive == WEFT_PROGRAM_NONE)
        receive = posted_receive(r, rank, handle);
    if (receive != WEFT_PROGRAM_NONE)
        match(r, rank, handle, receive);
}

/* The answer to a request is at the sender: the data follow. */
static void take_answer(replay *r, uint32_t rank, uint32_t handle)
{
    weft_replay_message *message = &r->messages[handle];
    const weft_operation *its = &r->program->operations[message->send];
    uint64_t bytes = further(r, message->send);
    uint64_t *free = nic_at(r, r->send_free, rank, its->nic);
    uint64_t first = *free > r->now ? *free : r->now;
    *free = first + link_time(r, bytes);
    message->request = false;
    push(r, first + r->costs.latency, HEAD, its->peer, handle);
    push(r, first + bytes * r->costs.per_byte, DONE, rank, message->send);
}

static void take(replay *r, weft_heap_entry entry)
{
    uint32_t rank = (uint32_t)(entry.order >> RANK_SHIFT) & (WEFT_PROGRAM_RANKS_MAX - 1);
    r->now = entry.time;
    switch ((entry_kind)(entry.order >> KIND_SHIFT)) {
    case DONE:
        finish(r, rank, entry.what);
        break;
    case RELEASE:
        release(r, rank, entry.what);
        break;
    case HEAD:
        take_head(r, rank, entry.what);
        break;
    case TAIL:
        take_tail(r, rank, entry.what);
        break;
    case ANSWER:
        take_answer(r, rank, entry.what);
        break;
    case DECIDE:
        if (r->armed[rank] == r->now) { /* else another one came first */
            r->armed[rank] = NEVER;
            decide(r, rank);
        }
        break;
    }
}

/* ---- the whole ---- */

#define BYTES_MAX ((uint64_t)1 << 34) /* of queues and NICs */

static weft_status check(const weft_program *program, const weft_host_costs *costs, weft_error *err)
{
    uint64_t queues = (uint64_t)program->n_ranks * program->n_cpus * (1 + program->n_nics);
    uint64_t limit = (uint64_t)1 << 32;
    if (costs->latency > limit || costs->overhead > limit || costs->gap > limit ||
        costs->per_byte > (1u << 12) || costs->overhead_per_byte > (1u << 12))
        return weft_fail(err, WEFT_BAD_INPUT,
                         "latency, overhead and gap are at most 2^32 ticks, ticks per byte at most "
                         "4096");
    if (queues * sizeof(weft_heap) > BYTES_MAX)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%u ranks with %u CPUs and %u NICs each are too many for a replay",
                         program->n_ranks, program->n_cpus, program->n_nics);
    return WEFT_OK;
}

static void open(replay *r)
{
    const weft_program *program = r->program;
    size_t ranks = program->n_ranks, operations = (size_t)program->n_operations + 1;
    size_t nics = ranks * program->n_nics + 1, cpus = ranks * program->n_cpus + 1;
    r->free_message = WEFT_PROGRAM_NONE;
    r->message_room = 256;
    r->messages = weft_realloc(NULL, r->message_room, sizeof *r->messages);
    r->armed = weft_realloc(NULL, ranks, sizeof *r->armed);
    memset(r->armed, 0xff, ranks * sizeof *r->armed);
    r->cpu_free = weft_alloc(cpus * sizeof *r->cpu_free);
    r->send_free = weft_alloc(nics * sizeof *r->send_free);
    r->link_free = weft_alloc(nics * sizeof *r->link_free);
    r->ready = weft_alloc(cpus * (1 + (size_t)program->n_nics) * sizeof *r->ready);
    r->sent = weft_alloc(ranks * sizeof *r->sent);
    r->need = weft_alloc(operations * sizeof *r->need);
    r->held = weft_alloc(operations * sizeof *r->held);
    r->state = weft_alloc(operations);
    r->posted = weft_alloc(ranks * sizeof *r->posted);
    r->early = weft_alloc(ranks * sizeof *r->early);
    for (uint32_t d = 0; d < program->n_dependents; d++)
        r->need[program->dependents[d]]++;
}

static void close(replay *r)
{
    size_t queues = (size_t)r->program->n_ranks * r->program->n_cpus * (1 + r->program->n_nics);
    for (size_t i = 0; i < queues; i++)
        weft_heap_done(&r->ready[i]);
    for (uint32_t rank = 0; rank < r->program->n_ranks; rank++) {
        free(r->posted[rank].at);
        free(r->early[rank].at);
    }
    weft_heap_done(&r->agenda);
    free(r->armed);
    free(r->cpu_free);
    free(r->send_free);
    free(r->link_free);
    free(r->ready);
    free(r->sent);
    free(r->need);
    free(r->held);
    free(r->state);
    free(r->posted);
    free(r->early);
    free(r->messages);
}

/* Those that need nothing; found first, since the start of one may free another. */
static void release_first(replay *r)
{
    const weft_program *program = r->program;
    uint8_t *first = weft_alloc((size_t)program->n_operations + 1);
    for (uint32_t i = 0; i < program->n_operations; i++)
        first[i] = r->need[i] == 0;
    for (uint32_t rank = 0; rank < program->n_ranks; rank++)
        for (uint32_t i = program->first[rank]; i < program->first[rank + 1]; i++)
            if (first[i])
                release(r, rank, i);
    free(first);
}

#define TOLD 0x1fffff /* every so many entries */

static void run(replay *r, const weft_replay_observer *observer)
{
    uint64_t taken = 0;
    while (r->agenda.count > 0 && !r->late) {
        take(r, weft_heap_pop(&r->agenda));
        if ((++taken & TOLD) == 0 && observer && observer->progress)
            observer->progress(observer->user, (double)r->n_done / r->program->n_operations);
    }
}

weft_status weft_replay(const weft_program *program, const weft_host_costs *costs,
                        const weft_replay_observer *observer, uint64_t *finish_of, weft_error *err)
{
    replay r = {.program = program, .costs = *costs, .finish = finish_of};
    WEFT_TRY(check(program, costs, err));
    memset(finish_of, 0, sizeof *finish_of * program->n_ranks);
    open(&r);
    release_first(&r);
    run(&r, observer);
    weft_status status = WEFT_OK;
    if (r.late)
        status = weft_fail(err, WEFT_BAD_INPUT, "the program takes more than 2^62 ticks");
    else if (r.n_done < program->n_operations)
        status = weft_replay_stuck(&r, err);
    close(&r);
    return status;
}
