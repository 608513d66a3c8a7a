/* SPDX-License-Identifier: Apache-2.0 */
#include "program/march/replay.h"

#include "base/memory.h"
#include "program/march/march.h"

#include <stdlib.h>

typedef struct replay {
    weft_march march;
    const weft_replay_plan *plan;
    weft_agenda heads, tails; /* first and last bytes under way: by time, source, number */
    uint64_t *link_free;      /* per rank: its link for receiving */
    weft_march_inbox inbox;
} replay;

typedef struct flight { /* of a message */
    uint32_t to;
    uint64_t flits; /* after the first */
} flight;

static flight flight_of(const replay *r, uint32_t source, uint32_t number)
{
    const weft_phased *schedule = r->march.schedule;
    weft_phased_name name = weft_phased_name_of(schedule, number);
    weft_collective_step step = weft_phased_step(schedule, name.phase, source, name.step);
    bool asks = step.send > r->march.costs.eager;
    flight its = {.to = name.part == WEFT_PHASED_ANSWER ? step.from : step.to};
    if (step.send > 0 &&
        (name.part == WEFT_PHASED_DATA || (name.part == WEFT_PHASED_SENT && !asks)))
        its.flits = (step.send - 1) / r->march.flit;
    return its;
}

/* to: the rank for which it is */
static void push(weft_agenda *agenda, uint64_t time, uint32_t source, uint32_t number, uint32_t to)
{
    weft_agenda_push(
        agenda,
        (weft_heap_entry){.time = time, .order = (uint64_t)source << 32 | number, .what = to});
}

static uint32_t source_of(weft_heap_entry entry)
{
    return (uint32_t)(entry.order >> 32);
}

static uint32_t number_of(weft_heap_entry entry)
{
    return (uint32_t)entry.order;
}

/* The network takes a message. Answers are too short to hold up a link. */
static void hand(void *user, uint32_t local, uint32_t number)
{
    replay *r = user;
    uint32_t to = flight_of(r, local, number).to;
    uint64_t latency =
        r->plan->latency ? r->plan->latency(r->plan->user, local, to) : r->march.costs.latency;
    bool answer = number % 4 == WEFT_PHASED_ANSWER;
    push(answer ? &r->tails : &r->heads, r->march.now + latency, local, number, to);
}

static void take_head(replay *r, weft_heap_entry head)
{
    flight its = flight_of(r, source_of(head), number_of(head));
    uint64_t *free = &r->link_free[its.to], first = *free > head.time ? *free : head.time;
    uint64_t takes = its.flits * r->march.costs.per_byte;
    *free =
        first + takes + (r->plan->free_receivers ? r->march.costs.per_byte : r->march.costs.gap);
    push(&r->tails, first + takes, source_of(head), number_of(head), head.what);
}

static void take_tail(replay *r, weft_heap_entry tail)
{
    weft_march_inbox_add(
        &r->inbox,
        (weft_march_arrival){.local = tail.what, .message = {source_of(tail), number_of(tail)}});
}

static uint64_t earlier(const weft_agenda *agenda, uint64_t time)
{
    uint64_t next = weft_agenda_next(agenda);
    return next < time ? next : time;
}

static void run(replay *r)
{
    for (;;) {
        uint64_t now = earlier(&r->heads, earlier(&r->tails, weft_march_next(&r->march)));
        if (now == WEFT_RANKS_NEVER || r->march.late)
            return;
        while (weft_agenda_due(&r->heads, now))
            take_head(r, weft_agenda_pop(&r->heads));
        r->inbox.count = 0;
        while (weft_agenda_due(&r->tails, now))
            take_tail(r, weft_agenda_pop(&r->tails));
        weft_march_inbox_sort(&r->inbox);
        r->march.now = now;
        weft_march_run(&r->march, r->inbox.at, r->inbox.count);
    }
}

uint64_t weft_march_replay(const weft_phased *schedule, const weft_host_costs *costs,
                           const weft_replay_plan *plan)
{
    replay r = {.plan = plan,
                .march = {.schedule = schedule,
                          .costs = *costs,
                          .flit = plan->flit,
                          .calc = plan->calc,
                          .repeats = plan->repeats,
                          .hand = hand}};
    uint32_t *rank = weft_realloc(NULL, (size_t)schedule->ranks + 1, sizeof *rank);
    uint64_t last = 0;
    for (uint32_t i = 0; i < schedule->ranks; i++)
        rank[i] = i;
    r.march.user = &r;
    r.link_free = weft_alloc(sizeof *r.link_free * ((size_t)schedule->ranks + 1));
    weft_march_open(&r.march, rank, schedule->ranks);
    run(&r);
    for (uint32_t i = 0; i < schedule->ranks && r.march.n_left == 0; i++)
        last = r.march.ranks[i].finish > last ? r.march.ranks[i].finish : last;
    weft_march_close(&r.march);
    weft_agenda_done(&r.heads);
    weft_agenda_done(&r.tails);
    free(r.link_free);
    weft_march_inbox_done(&r.inbox);
    free(rank);
    return last;
}
