/* SPDX-License-Identifier: Apache-2.0 */
/* All ranks of a program on a network in which only links of hosts are shared. One agenda for all;
 * at equal ticks ranks in ascending order. Messages are the sends they belong to. */
#include "program/replay.h"

#include "base/memory.h"
#include "program/ranks.h"

#include <stdlib.h>
#include <string.h>

typedef struct replay {
    weft_ranks ranks;
    uint64_t *link_free; /* rank × NICs: its link for receiving */
    uint64_t finished;   /* entries of operations that are over, for progress */
    const weft_replay_plan *plan;
    /* Per send: messages whose first and last bytes have come. Of one that asks every second
     * message is its data. */
    uint32_t *heads, *tails;
} replay;

/* The network takes a message, or the answer to one. */
static void send_message(void *user, uint64_t at, uint32_t local, uint32_t operation, uint32_t send)
{
    replay *r = user;
    const weft_program *program = r->ranks.program;
    bool answer = operation != send;
    uint32_t to = answer ? weft_program_rank_of(program, send) : program->operations[send].peer;
    uint64_t latency =
        r->plan->latency ? r->plan->latency(r->plan->user, local, to) : r->ranks.costs.latency;
    weft_ranks_push(&r->ranks, at + latency, answer ? WEFT_RANKS_REPLY : WEFT_RANKS_HEAD, to, send);
}

static void take_head(replay *r, uint32_t rank, uint32_t send)
{
    const weft_ranks *ranks = &r->ranks;
    bool data = !weft_ranks_asks(ranks, send) || r->heads[send] % 2 == 1;
    uint64_t flits = data ? weft_ranks_flits(ranks, send) : 0;
    r->heads[send]++;
    uint64_t *free =
        &r->link_free[(size_t)rank * ranks->program->n_nics + ranks->program->operations[send].nic];
    uint64_t first = *free > ranks->now ? *free : ranks->now;
    *free = first + (r->plan->free_receivers ? weft_ranks_product(flits + 1, ranks->costs.per_byte)
                                             : weft_ranks_link_time(ranks, flits));
    weft_ranks_push(&r->ranks, first + flits * ranks->costs.per_byte, WEFT_RANKS_TAIL, rank, send);
}

static void take_tail(replay *r, uint32_t rank, uint32_t send)
{
    const weft_program *program = r->ranks.program;
    uint32_t source = weft_program_rank_of(program, send);
    bool asks = weft_ranks_asks(&r->ranks, send);
    uint32_t nth = r->tails[send]++, repetition = asks ? nth / 2 : nth;
    uint32_t operation =
        repetition * weft_ranks_operations(program, source) + (send - program->first[source]);
    weft_ranks_arrive(&r->ranks, rank,
                      (weft_ranks_message){source, 2 * operation + (asks ? nth % 2 : 0)});
}

static void take(replay *r, weft_heap_entry entry)
{
    uint32_t rank = weft_ranks_local(entry);
    weft_ranks_entry kind = weft_ranks_kind(entry);
    r->ranks.now = entry.time;
    r->finished += kind == WEFT_RANKS_OVER;
    if (kind == WEFT_RANKS_HEAD)
        take_head(r, rank, entry.what);
    else if (kind == WEFT_RANKS_TAIL)
        take_tail(r, rank, entry.what);
    else if (kind == WEFT_RANKS_REPLY)
        weft_ranks_reply(&r->ranks, rank, entry.what);
    else
        weft_ranks_take(&r->ranks, entry);
}

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

#define TOLD 0x1fffff /* every so many entries */

static void run(replay *r, const weft_replay_observer *observer)
{
    uint64_t taken = 0;
    for (uint32_t rank = 0; rank < r->ranks.count; rank++)
        weft_ranks_begin(&r->ranks, rank);
    while (r->ranks.agenda.count > 0 && !r->ranks.late) {
        take(r, weft_heap_pop(&r->ranks.agenda));
        if ((++taken & TOLD) == 0 && observer && observer->progress)
            observer->progress(observer->user, (double)r->finished /
                                                   r->ranks.program->n_operations /
                                                   r->plan->repeats);
    }
}

static weft_status stuck(const weft_ranks *ranks, weft_error *err)
{
    weft_ranks_wait *waits = weft_alloc(sizeof *waits * ((size_t)ranks->count + 1));
    for (uint32_t i = 0; i < ranks->count; i++) {
        waits[i].number = weft_ranks_waits(ranks, i);
        if (waits[i].number)
            waits[i].operation =
                ranks->program->operations[ranks->program->first[i] + waits[i].number - 1];
    }
    weft_status status = weft_ranks_stuck(ranks->program, waits, ranks->now, "the program", err);
    free(waits);
    return status;
}

weft_status weft_replay_planned(const weft_program *program, const weft_host_costs *costs,
                                const weft_replay_plan *plan, const weft_replay_observer *observer,
                                uint64_t *finish, weft_error *err)
{
    replay r = {.plan = plan,
                .ranks = {.program = program,
                          .costs = *costs,
                          .flit = plan->flit,
                          .calc = plan->calc,
                          .repeats = plan->repeats,
                          .send = send_message}};
    size_t operations = (size_t)program->n_operations + 1;
    WEFT_TRY(check(program, costs, err));
    r.ranks.user = &r;
    weft_ranks_open(&r.ranks, NULL, program->n_ranks);
    r.link_free =
        weft_alloc(((size_t)program->n_ranks * program->n_nics + 1) * sizeof *r.link_free);
    r.heads = weft_alloc(operations * sizeof *r.heads);
    r.tails = weft_alloc(operations * sizeof *r.tails);
    run(&r, observer);
    memcpy(finish, r.ranks.finish, sizeof *finish * program->n_ranks);
    weft_status status = WEFT_OK;
    if (r.ranks.late)
        status = weft_fail(err, WEFT_BAD_INPUT, "the program takes more than 2^62 ticks");
    else if (r.ranks.n_left > 0)
        status = stuck(&r.ranks, err);
    free(r.heads);
    free(r.tails);
    free(r.link_free);
    weft_ranks_close(&r.ranks);
    return status;
}

weft_status weft_replay(const weft_program *program, const weft_host_costs *costs,
                        const weft_replay_observer *observer, uint64_t *finish, weft_error *err)
{
    weft_replay_plan plan = {.flit = 1, .calc = 1, .repeats = 1};
    return weft_replay_planned(program, costs, &plan, observer, finish, err);
}
