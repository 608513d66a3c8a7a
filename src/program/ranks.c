/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of hosts. Within a tick: what is over, what that sets free, messages that arrive, and
 * then decisions. Ranks do not see each other but by messages. */
#include "program/ranks.h"

#include "base/memory.h"

#include <assert.h>
#include <string.h>

enum { KIND_SHIFT = 61, RANK_SHIFT = 33 };

typedef weft_ranks_message message_name;

void weft_ranks_push(weft_ranks *ranks, uint64_t time, weft_ranks_entry kind, uint32_t local,
                     uint32_t what)
{
    uint64_t count = ranks->pushed++ & (((uint64_t)1 << RANK_SHIFT) - 1);
    uint64_t order = (uint64_t)kind << KIND_SHIFT | (uint64_t)local << RANK_SHIFT | count;
    if (time > WEFT_RANKS_TIME_MAX) {
        ranks->late = true;
        return;
    }
    weft_heap_push(&ranks->agenda, (weft_heap_entry){.time = time, .order = order, .what = what});
}

static uint64_t further(uint64_t size)
{
    return size > 0 ? size - 1 : 0;
}

static uint64_t size_of(const weft_ranks *ranks, uint32_t operation)
{
    return weft_operation_size(&ranks->program->operations[operation]);
}

uint64_t weft_ranks_flits(const weft_ranks *ranks, uint32_t operation)
{
    return further(size_of(ranks, operation)) / ranks->flit;
}

uint64_t weft_ranks_link_time(const weft_ranks *ranks, uint64_t flits)
{
    return ranks->costs.gap + weft_ranks_product(flits, ranks->costs.per_byte);
}

static bool wild(const weft_ranks *ranks, uint32_t local)
{
    return weft_program_wild(ranks->program, ranks->rank[local]);
}

static uint8_t *state_of(const weft_ranks *ranks, uint32_t local, uint32_t operation)
{
    return &ranks->state[weft_ranks_at(ranks, local, operation)];
}

static void arm(weft_ranks *ranks, uint32_t local, uint64_t time)
{
    if (time >= ranks->armed[local])
        return;
    ranks->armed[local] = time;
    weft_ranks_push(ranks, time, WEFT_RANKS_DECIDE, local, 0);
}

/* Something is ready for a CPU: queue 0 for receives and calculations, 1 + NIC for sends. */
static void make_ready(weft_ranks *ranks, uint32_t local, uint32_t queue, uint64_t order,
                       uint32_t operation)
{
    uint32_t cpu = ranks->program->operations[operation].cpu;
    size_t queues = 1 + (size_t)ranks->program->n_nics;
    weft_heap *ready =
        &ranks->ready[((size_t)local * ranks->program->n_cpus + cpu) * queues + queue];
    weft_heap_push(ready, (weft_heap_entry){.time = ranks->now, .order = order, .what = operation});
    arm(ranks, local, ranks->now);
}

/* ---- matching ---- */

static void list_add(weft_ranks_list *list, message_name message)
{
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 8;
        list->at = weft_realloc(list->at, list->room, sizeof *list->at);
    }
    list->at[list->count++] = message;
}

static message_name list_take(weft_ranks_list *list, uint32_t i)
{
    message_name found = list->at[i];
    memmove(list->at + i, list->at + i + 1, sizeof *list->at * (--list->count - i));
    return found;
}

static bool fits(const weft_ranks *ranks, message_name message, uint32_t receive)
{
    const weft_operation *wants = &ranks->program->operations[receive];
    uint32_t tag = ranks->program->operations[weft_ranks_operation(ranks->program, message)].tag;
    return (wants->peer == WEFT_PROGRAM_ANY || wants->peer == message.source) &&
           (wants->tag == WEFT_PROGRAM_ANY || tag == WEFT_PROGRAM_ANY || wants->tag == tag);
}

/* All of a message is there, and its receive is posted. */
static void receive_data(weft_ranks *ranks, uint32_t local, message_name message, uint32_t receive)
{
    if (ranks->log)
        weft_ranks_note(ranks, local, WEFT_RANK_TAKEN, receive, message);
    make_ready(ranks, local, 0, (uint64_t)message.source << 32 | message.number, receive);
}

/* A message has come for a receive that waits: the receive is ready, or the request is answered. */
static void match(weft_ranks *ranks, uint32_t local, message_name message, uint32_t receive)
{
    uint32_t send = receive; /* it has the size of what is sent */
    *state_of(ranks, local, receive) &= (uint8_t)~WEFT_RANKS_POSTED;
    if (ranks->held) {
        send = weft_ranks_operation(ranks->program, message);
        ranks->held[weft_ranks_at(ranks, local, receive)] = send;
    }
    if (!weft_ranks_asks(ranks, send)) {
        receive_data(ranks, local, message, receive);
        return;
    }
    if (wild(ranks, local))
        list_add(&ranks->answered[local], (message_name){.number = receive});
    if (ranks->log)
        weft_ranks_note(ranks, local, WEFT_RANK_ANSWER, receive, message);
    ranks->send(ranks->user, ranks->now, local, receive, send);
}

/* Finds the message that a receive takes which is posted now; false: none has come. */
static bool early_message(weft_ranks *ranks, uint32_t local, uint32_t receive, message_name *found)
{
    const weft_program *program = ranks->program;
    if (!wild(ranks, local)) {
        uint32_t source = program->operations[receive].peer;
        uint32_t send = program->divided ? program->operations[receive].tag
                                         : program->partners[receive] - program->first[source];
        uint32_t each = weft_ranks_operations(program, source);
        *found = (message_name){source, (ranks->repetition[local] * each + send) * 2};
        return *state_of(ranks, local, receive) & WEFT_RANKS_ARRIVED;
    }
    weft_ranks_list *early = &ranks->early[local];
    for (uint32_t i = 0; i < early->count; i++)
        if (fits(ranks, early->at[i], receive)) {
            *found = list_take(early, i);
            return true;
        }
    return false;
}

static void post(weft_ranks *ranks, uint32_t local, uint32_t receive)
{
    message_name found;
    if (early_message(ranks, local, receive, &found)) {
        match(ranks, local, found, receive);
        return;
    }
    *state_of(ranks, local, receive) |= WEFT_RANKS_POSTED;
    if (wild(ranks, local))
        list_add(&ranks->posted[local], (message_name){.number = receive});
}

/* The receive of a message at a rank where that was known before it came. */
static uint32_t receive_of(const weft_ranks *ranks, uint32_t local, message_name message)
{
    if (ranks->program->divided)
        return weft_ranks_known(ranks, local, message);
    return ranks->program->partners[weft_ranks_operation(ranks->program, message)];
}

/* The receive that takes a message which has come now; WEFT_PROGRAM_NONE: none is posted, and the
 * message is kept. */
static uint32_t posted_receive(weft_ranks *ranks, uint32_t local, message_name message)
{
    if (!wild(ranks, local)) {
        uint32_t receive = receive_of(ranks, local, message);
        uint8_t *state = state_of(ranks, local, receive);
        if (*state & WEFT_RANKS_POSTED)
            return receive;
        *state |= WEFT_RANKS_ARRIVED;
        return WEFT_PROGRAM_NONE;
    }
    weft_ranks_list *posted = &ranks->posted[local];
    for (uint32_t i = 0; i < posted->count; i++)
        if (fits(ranks, message, posted->at[i].number))
            return list_take(posted, i).number;
    list_add(&ranks->early[local], message);
    return WEFT_PROGRAM_NONE;
}

/* The receive whose request was answered and whose data have come. */
static uint32_t answered_receive(weft_ranks *ranks, uint32_t local, message_name message)
{
    weft_ranks_list *answered = &ranks->answered[local];
    if (!wild(ranks, local))
        return receive_of(ranks, local, message);
    uint32_t send = weft_ranks_operation(ranks->program, message);
    for (uint32_t i = 0; i < answered->count; i++)
        if (ranks->held[weft_ranks_at(ranks, local, answered->at[i].number)] == send)
            return list_take(answered, i).number;
    assert(0);
    return WEFT_PROGRAM_NONE;
}

void weft_ranks_arrive(weft_ranks *ranks, uint32_t local, message_name message)
{
    if (weft_ranks_repetition(ranks->program, message) != ranks->repetition[local]) {
        list_add(&ranks->ahead[local], message);
        return;
    }
    if (message.number & 1) {
        receive_data(ranks, local, message, answered_receive(ranks, local, message));
        return;
    }
    uint32_t receive = posted_receive(ranks, local, message);
    if (receive != WEFT_PROGRAM_NONE)
        match(ranks, local, message, receive);
}

/* ---- dependencies ---- */

static void release(weft_ranks *ranks, uint32_t local, uint32_t operation);

static void start(weft_ranks *ranks, uint32_t local, uint32_t operation)
{
    const weft_operation *its = &ranks->program->operations[operation];
    *state_of(ranks, local, operation) |= WEFT_RANKS_STARTED;
    if (!its->leads)
        return;
    for (uint32_t d = its->dependents; d < its[1].dependents; d++) {
        uint32_t entry = ranks->program->dependents[d];
        uint32_t number = entry & ~WEFT_PROGRAM_ON_START;
        if (number == entry || --ranks->need[ranks->base[local] + number] > 0)
            continue;
        uint32_t later = ranks->program->at[ranks->rank[local]] + number;
        if (ranks->log)
            weft_ranks_note(ranks, local, WEFT_RANK_FOLLOW, later,
                            (message_name){.number = operation});
        weft_ranks_push(ranks, ranks->now, WEFT_RANKS_RELEASE, local, later);
    }
}

/* All it waits for has happened. */
static void release(weft_ranks *ranks, uint32_t local, uint32_t operation)
{
    const weft_operation *its = &ranks->program->operations[operation];
    uint32_t number = operation - ranks->program->at[ranks->rank[local]];
    if (its->kind == WEFT_OPERATION_RECV) {
        start(ranks, local, operation);
        post(ranks, local, operation);
        return;
    }
    make_ready(ranks, local, its->kind == WEFT_OPERATION_SEND ? 1u + its->nic : 0,
               (uint64_t)1 << 63 | number, operation);
}

/* Counts the dependencies of a rank's operations, and releases those that have none; found first,
 * since the start of one may free another. */
static void begin_repetition(weft_ranks *ranks, uint32_t local)
{
    const weft_program *program = ranks->program;
    uint32_t rank = ranks->rank[local], first = program->at[rank];
    uint32_t each = weft_ranks_operations(program, rank), base = ranks->base[local];
    uint32_t *need = ranks->need + base;
    memset(need, 0, sizeof *need * each);
    memset(ranks->state + base, 0, each);
    ranks->left[local] = each;
    for (uint32_t d = program->operations[first].dependents;
         d < program->operations[first + each].dependents; d++)
        need[program->dependents[d] & ~WEFT_PROGRAM_ON_START]++;
    for (uint32_t i = 0; i < each; i++)
        if (need[i] == 0)
            weft_ranks_push(ranks, ranks->now, WEFT_RANKS_RELEASE, local, first + i);
}

/* Messages of this repetition that have come before it began. */
static void take_ahead(weft_ranks *ranks, uint32_t local)
{
    weft_ranks_list *ahead = &ranks->ahead[local];
    for (uint32_t i = 0; i < ahead->count;)
        if (weft_ranks_repetition(ranks->program, ahead->at[i]) == ranks->repetition[local])
            weft_ranks_arrive(ranks, local, list_take(ahead, i));
        else
            i++;
}

void weft_ranks_begin(weft_ranks *ranks, uint32_t local)
{
    if (weft_ranks_operations(ranks->program, ranks->rank[local]) == 0) {
        ranks->repetition[local] = ranks->repeats;
        ranks->n_left--;
        return;
    }
    for (uint32_t cpu = 0; cpu < ranks->program->n_cpus && ranks->repetition[local] == 0; cpu++)
        ranks->cpu_free[(size_t)local * ranks->program->n_cpus + cpu] = ranks->now;
    begin_repetition(ranks, local);
    take_ahead(ranks, local);
}

static void finish(weft_ranks *ranks, uint32_t local, uint32_t operation)
{
    const weft_operation *its = &ranks->program->operations[operation];
    *state_of(ranks, local, operation) |= WEFT_RANKS_DONE;
    ranks->finish[local] = ranks->now;
    for (uint32_t d = its->dependents; d < its[1].dependents; d++) {
        uint32_t number = ranks->program->dependents[d];
        if (number & WEFT_PROGRAM_ON_START)
            break;
        if (--ranks->need[ranks->base[local] + number] > 0)
            continue;
        uint32_t later = ranks->program->at[ranks->rank[local]] + number;
        if (ranks->log)
            weft_ranks_note(ranks, local, WEFT_RANK_READY, later,
                            (message_name){.number = operation});
        release(ranks, local, later);
    }
    if (--ranks->left[local] > 0)
        return;
    ranks->repetition[local]++;
    weft_ranks_step(ranks, local);
    if (ranks->repetition[local] < ranks->repeats)
        weft_ranks_begin(ranks, local);
    else
        ranks->n_left--;
}

/* ---- the CPU ---- */

static uint64_t receive_time(const weft_ranks *ranks, uint32_t send)
{
    uint64_t bytes = further(size_of(ranks, send));
    uint64_t cpu = weft_ranks_product(bytes, ranks->costs.overhead_per_byte);
    uint64_t link = weft_ranks_product(weft_ranks_flits(ranks, send), ranks->costs.per_byte);
    return ranks->costs.overhead + (cpu > link ? cpu - link : 0);
}

static uint64_t *nic_free(const weft_ranks *ranks, uint32_t local, uint32_t nic)
{
    return &ranks->send_free[(size_t)local * ranks->program->n_nics + nic];
}

static uint64_t begin_send(weft_ranks *ranks, uint32_t local, uint32_t send)
{
    const weft_operation *its = &ranks->program->operations[send];
    bool request = weft_ranks_asks(ranks, send);
    uint64_t bytes = request ? 0 : further(weft_operation_size(its));
    start(ranks, local, send);
    *nic_free(ranks, local, its->nic) =
        ranks->now + weft_ranks_link_time(ranks, request ? 0 : weft_ranks_flits(ranks, send));
    ranks->send(ranks->user, ranks->now + ranks->costs.overhead, local, send, send);
    return ranks->costs.overhead + weft_ranks_product(bytes, ranks->costs.overhead_per_byte);
}

/* Starts an operation on its CPU, which is free. */
static void begin(weft_ranks *ranks, uint32_t local, uint32_t operation)
{
    const weft_operation *its = &ranks->program->operations[operation];
    uint64_t takes;
    bool over = true;
    if (its->kind == WEFT_OPERATION_RECV) {
        takes = receive_time(
            ranks, ranks->held ? ranks->held[weft_ranks_at(ranks, local, operation)] : operation);
    } else if (its->kind == WEFT_OPERATION_SEND) {
        takes = begin_send(ranks, local, operation);
        over = !weft_ranks_asks(ranks, operation);
    } else {
        start(ranks, local, operation);
        takes = weft_ranks_product(weft_operation_size(its), ranks->calc);
    }
    uint64_t *free = &ranks->cpu_free[(size_t)local * ranks->program->n_cpus + its->cpu];
    weft_ranks_spend(ranks, local, its, *free, takes);
    *free = ranks->now + takes;
    if (ranks->log)
        weft_ranks_note_run(ranks, local, operation, takes);
    if (over)
        weft_ranks_push(ranks, ranks->now + takes, WEFT_RANKS_OVER, local, operation);
}

/* The first of what is ready for a CPU and can start now; NULL: none. *when: the next tick in which
 * a NIC lets a send start. */
static weft_heap *first_ready(const weft_ranks *ranks, uint32_t local, weft_heap *queues,
                              uint64_t *when)
{
    weft_heap *found = NULL;
    *when = WEFT_RANKS_NEVER;
    for (uint32_t queue = 0; queue <= ranks->program->n_nics; queue++) {
        if (queues[queue].count == 0)
            continue;
        uint64_t free = queue ? *nic_free(ranks, local, queue - 1) : 0;
        if (free > ranks->now)
            *when = free < *when ? free : *when;
        else if (!found || weft_heap_less(queues[queue].entries, found->entries))
            found = &queues[queue];
    }
    return found;
}

static void decide(weft_ranks *ranks, uint32_t local)
{
    size_t n_queues = 1 + (size_t)ranks->program->n_nics;
    for (uint32_t cpu = 0; cpu < ranks->program->n_cpus; cpu++) {
        size_t number = (size_t)local * ranks->program->n_cpus + cpu;
        weft_heap *queues = &ranks->ready[number * n_queues], *found;
        uint64_t when;
        while ((found = first_ready(ranks, local, queues, &when)) &&
               ranks->cpu_free[number] <= ranks->now)
            begin(ranks, local, weft_heap_pop(found).what);
        if (found)
            when = ranks->cpu_free[number];
        if (when != WEFT_RANKS_NEVER)
            arm(ranks, local, when > ranks->cpu_free[number] ? when : ranks->cpu_free[number]);
    }
}

/* The data of a send follow the answer to its request. */
void weft_ranks_reply(weft_ranks *ranks, uint32_t local, uint32_t send)
{
    const weft_operation *its = &ranks->program->operations[send];
    uint64_t flits = weft_ranks_flits(ranks, send), *free = nic_free(ranks, local, its->nic);
    uint64_t first = *free > ranks->now ? *free : ranks->now;
    *free = first + weft_ranks_link_time(ranks, flits);
    *state_of(ranks, local, send) |= WEFT_RANKS_ANSWERED;
    ranks->send(ranks->user, first, local, send, send);
    weft_ranks_push(ranks, first + weft_ranks_product(flits, ranks->costs.per_byte),
                    WEFT_RANKS_OVER, local, send);
    if (ranks->log)
        weft_ranks_note_data(ranks, local, send, first, first + flits * ranks->costs.per_byte);
}

void weft_ranks_take(weft_ranks *ranks, weft_heap_entry entry)
{
    uint32_t local = weft_ranks_local(entry);
    weft_ranks_entry kind = weft_ranks_kind(entry);
    if (kind == WEFT_RANKS_OVER) {
        finish(ranks, local, entry.what);
    } else if (kind == WEFT_RANKS_RELEASE) {
        release(ranks, local, entry.what);
    } else if (ranks->armed[local] == ranks->now) { /* else another one came first */
        ranks->armed[local] = WEFT_RANKS_NEVER;
        decide(ranks, local);
    }
}
