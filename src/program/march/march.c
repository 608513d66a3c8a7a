/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of hosts for generated programs; ranks.c has those for stored ones, to the same tick.
 * Within a tick ranks go one after the other, each through what was to be handed over, what has
 * arrived, what is over, and its decisions. */
#include "program/march/march.h"

#include "program/march/note.h"
#include "program/march/store.h"

#include <assert.h>

static uint32_t operation(uint32_t step, uint32_t part)
{
    return step * 4 + part;
}

void weft_march_push(weft_march *march, uint64_t time, uint32_t local, uint32_t kind, uint32_t what)
{
    uint64_t count = march->pushed++ & 0xffffffff;
    if (time > WEFT_RANKS_TIME_MAX) {
        march->late = true;
        return;
    }
    weft_agenda_push(&march->agenda,
                     (weft_heap_entry){.time = time,
                                       .order = weft_march_order(local, kind) | count,
                                       .what = what});
}

/* What is to be decided in this tick needs no entry: run_rank looks at it last. */
static void arm(weft_march *march, uint32_t local, uint64_t time)
{
    if (time >= march->ranks[local].armed)
        return;
    march->ranks[local].armed = time;
    if (time > march->now)
        weft_march_push(march, time, local, WEFT_MARCH_DECIDE, 0);
}

static void hand_at(weft_march *march, uint64_t time, uint32_t local, uint32_t number)
{
    if (time > march->now)
        weft_march_push(march, time, local, WEFT_MARCH_HAND, number);
    else
        march->hand(march->user, local, number);
}

static uint64_t further(uint64_t bytes)
{
    return bytes > 0 ? bytes - 1 : 0;
}

static bool asks(const weft_march *march, uint64_t bytes)
{
    return bytes > march->costs.eager;
}

/* A step of a rank's phase. What a rank does in a tick concerns the step it is in and the next one,
 * so the last even and the last odd one are kept. */
static const weft_collective_step *step_of(weft_march *march, uint32_t local, uint32_t step)
{
    const weft_march_rank *rank = &march->ranks[local];
    weft_march_memo *memo = &march->memo[step & 1];
    if (memo->step != step || memo->local != local || memo->phase != rank->phase) {
        memo->step = step;
        memo->local = local;
        memo->phase = rank->phase;
        weft_collective_step_find(&march->schedule->phases[rank->phase].collective, rank->rank,
                                  step, &memo->is);
    }
    return &memo->is;
}

static weft_march_chain *chain_of(weft_march *march, uint32_t local, uint32_t step)
{
    uint32_t chains = march->schedule->chains;
    return &march->chains[(size_t)local * chains +
                          (chains > 1 ? step_of(march, local, step)->chain : 0)];
}

static uint32_t number_of(const weft_march *march, uint32_t local, uint32_t step,
                          weft_phased_part part)
{
    const weft_march_rank *rank = &march->ranks[local];
    return weft_phased_number(march->schedule,
                              (weft_phased_name){rank->repetition, rank->phase, step, part});
}

/* ---- messages ---- */

/* A message has come for a receive that is posted: it is ready, or the request is answered. */
static void match(weft_march *march, uint32_t local, uint32_t step, weft_ranks_message message)
{
    bool data = message.number % 4 == WEFT_PHASED_DATA;
    uint32_t receive = operation(step, WEFT_MARCH_RECEIVE);
    if (!data && asks(march, step_of(march, local, step)->receive)) {
        if (march->log)
            weft_march_note_message(march, local, WEFT_RANK_ANSWER, receive, message);
        march->hand(march->user, local, number_of(march, local, step, WEFT_PHASED_ANSWER));
        return;
    }
    if (march->log)
        weft_march_note_message(march, local, WEFT_RANK_TAKEN, receive, message);
    weft_march_make_ready(march, local, (uint64_t)message.source << 32 | message.number, receive);
    arm(march, local, march->now);
}

/* The data of a send follow the answer to its request. */
static void reply(weft_march *march, uint32_t local, uint32_t step)
{
    weft_march_rank *rank = &march->ranks[local];
    uint64_t flits = further(step_of(march, local, step)->send) / march->flit;
    uint64_t first = rank->send_free > march->now ? rank->send_free : march->now;
    rank->send_free = first + march->costs.gap + flits * march->costs.per_byte;
    hand_at(march, first, local, number_of(march, local, step, WEFT_PHASED_DATA));
    uint64_t over = first + flits * march->costs.per_byte;
    weft_march_push(march, over, local, WEFT_MARCH_OVER, operation(step, WEFT_MARCH_SEND));
    if (march->log)
        weft_march_note_data(march, local, operation(step, WEFT_MARCH_SEND), first, over);
}

static void arrive(weft_march *march, uint32_t local, weft_ranks_message message)
{
    const weft_march_rank *rank = &march->ranks[local];
    weft_phased_name name = weft_phased_name_of(march->schedule, message.number);
    const weft_collective *collective = &march->schedule->phases[name.phase].collective;
    if (name.part == WEFT_PHASED_ANSWER) {
        reply(march, local,
              weft_collective_sent_in(collective, message.source, name.step, rank->rank));
        return;
    }
    if (march->log)
        weft_march_note_message(march, local, WEFT_RANK_ARRIVAL, 0, message);
    name.step = weft_collective_received_in(collective, message.source, name.step);
    if (rank->repetition == name.repetition && rank->phase == name.phase &&
        name.step < chain_of(march, local, name.step)->end)
        match(march, local, name.step, message);
    else
        weft_march_keep(march,
                        (weft_march_early){local, weft_phased_number(march->schedule, name) & ~3u,
                                           message.number});
}

/* ---- rounds ---- */

/* The first step from `step` on that sends, of those before `end`. */
static uint32_t next_send(weft_march *march, uint32_t local, uint32_t step, uint32_t end)
{
    while (step < end && step_of(march, local, step)->to == WEFT_PROGRAM_NONE)
        step++;
    return step;
}

/* Where the round ends that begins with `first`, and how many operations it has. */
static uint32_t measure_round(weft_march *march, uint32_t local, uint32_t first, uint32_t steps,
                              uint32_t *operations)
{
    uint32_t end = first, round = 0;
    for (*operations = 0; end < steps; end++) {
        const weft_collective_step *step = step_of(march, local, end);
        if (end > first && step->round != round)
            break;
        round = step->round;
        if (step->to != WEFT_PROGRAM_NONE)
            ++*operations;
        if (step->from != WEFT_PROGRAM_NONE)
            ++*operations;
    }
    return end;
}

/* Messages of the round that have come before it began. */
static void take_early(weft_march *march, uint32_t local, uint32_t first, uint32_t end)
{
    for (uint32_t k = first; k < end && march->n_early > 0; k++) {
        uint32_t number;
        if (!weft_march_take(march, local, number_of(march, local, k, WEFT_PHASED_SENT), &number))
            continue;
        match(march, local, k, (weft_ranks_message){step_of(march, local, k)->from, number});
    }
}

/* When half of the steps that are run are over, for what the others would take. */
static void note_half(weft_march *march, uint32_t local, uint32_t step)
{
    if (march->schedule->limit && step == march->schedule->limit / 2)
        march->ranks[local].half = march->now;
}

/* Begins the round with step `first`, of steps before `steps`; false: there is none. */
static bool begin_round(weft_march *march, uint32_t local, weft_march_chain *chain, uint32_t first,
                        uint32_t steps)
{
    *chain = (weft_march_chain){.since = march->now, .first = first, .end = first, .next = first};
    if (first == steps)
        return false;
    note_half(march, local, first);
    chain->end = measure_round(march, local, first, steps, &chain->left);
    if (march->log)
        weft_march_note_round(march, local, first, chain->end);
    chain->next = next_send(march, local, first, chain->end);
    if (chain->next < chain->end)
        arm(march, local, march->now);
    take_early(march, local, first, chain->end);
    return true;
}

/* The steps of a chain end where those of the next begin; of a part of the steps there is one. */
static uint32_t chain_end(const weft_march *march, const weft_march_rank *rank, uint32_t chain)
{
    const weft_collective *collective = &march->schedule->phases[rank->phase].collective;
    if (chain + 1 < weft_collective_chains(collective))
        return weft_collective_chain_first(collective, rank->rank, chain + 1);
    return weft_phased_steps(march->schedule, rank->phase, rank->rank);
}

static void begin_collective(weft_march *march, uint32_t local)
{
    weft_march_rank *rank = &march->ranks[local];
    const weft_collective *collective = &march->schedule->phases[rank->phase].collective;
    weft_march_chain *chains = &march->chains[(size_t)local * march->schedule->chains];
    for (uint32_t c = 0; c < weft_collective_chains(collective); c++) {
        uint32_t first = weft_collective_chain_first(collective, rank->rank, c);
        rank->chains += begin_round(march, local, &chains[c], first, chain_end(march, rank, c));
    }
}

static void begin_compute(weft_march *march, uint32_t local)
{
    march->ranks[local].chains = 1;
    if (march->log)
        weft_march_note_ready(march, local, operation(0, WEFT_MARCH_COMPUTE));
    weft_march_make_ready(march, local, (uint64_t)1 << 63, operation(0, WEFT_MARCH_COMPUTE));
    arm(march, local, march->now);
}

/* Begins the next phase in which the rank has something to do. */
static void begin_phase(weft_march *march, uint32_t local)
{
    weft_march_rank *rank = &march->ranks[local];
    const weft_phased *schedule = march->schedule;
    while (rank->chains == 0) {
        if (++rank->phase == schedule->n_phases) { /* from WEFT_PROGRAM_NONE to 0 */
            rank->phase = 0;
            rank->repetition++;
            weft_march_step(march, local);
        }
        if (rank->repetition == march->repeats) {
            march->n_left--;
            return;
        }
        if (schedule->phases[rank->phase].collective.kind)
            begin_collective(march, local);
        else
            begin_compute(march, local);
    }
}

/* An operation of a chain is over. */
static void count_down(weft_march *march, uint32_t local, uint32_t step)
{
    weft_march_rank *rank = &march->ranks[local];
    weft_march_chain *chain = chain_of(march, local, step);
    if (--chain->left > 0)
        return;
    uint32_t number = (uint32_t)(chain - &march->chains[(size_t)local * march->schedule->chains]);
    uint32_t end = chain->end;
    if (!begin_round(march, local, chain, end, chain_end(march, rank, number)) &&
        --rank->chains == 0)
        begin_phase(march, local);
}

static void finish(weft_march *march, uint32_t local, uint32_t what)
{
    weft_march_rank *rank = &march->ranks[local];
    const weft_phased_phase *phase = &march->schedule->phases[rank->phase];
    rank->finish = march->now;
    if (march->log)
        march->cause = weft_march_instance(march, local, what);
    if (what % 4 == WEFT_MARCH_COMPUTE) {
        rank->chains = 0;
        begin_phase(march, local);
    } else if (what % 4 == WEFT_MARCH_RECEIVE && phase->sum > 0 &&
               step_of(march, local, what / 4)->sums) {
        uint32_t sum = operation(what / 4, WEFT_MARCH_SUM);
        if (march->log)
            weft_march_note_ready(march, local, sum);
        weft_march_make_ready(march, local, (uint64_t)1 << 63 | sum, sum);
        arm(march, local, march->now);
    } else {
        count_down(march, local, what / 4);
    }
}

/* ---- the CPU ---- */

static uint64_t receive_time(const weft_march *march, uint64_t bytes)
{
    uint64_t cpu = weft_ranks_product(further(bytes), march->costs.overhead_per_byte);
    uint64_t link = weft_ranks_product(further(bytes) / march->flit, march->costs.per_byte);
    return march->costs.overhead + (cpu > link ? cpu - link : 0);
}

static uint64_t ready_time(weft_march *march, uint32_t local, uint32_t what)
{
    const weft_march_rank *rank = &march->ranks[local];
    const weft_phased_phase *phase = &march->schedule->phases[rank->phase];
    if (what % 4 == WEFT_MARCH_COMPUTE)
        return weft_phased_compute(march->schedule, rank->phase, rank->rank, rank->repetition);
    uint64_t bytes = step_of(march, local, what / 4)->receive;
    return what % 4 == WEFT_MARCH_SUM ? weft_ranks_product(bytes, phase->sum)
                                      : receive_time(march, bytes);
}

static void begin_ready(weft_march *march, uint32_t local)
{
    weft_march_rank *rank = &march->ranks[local];
    uint32_t what = weft_march_pop_ready(march, local);
    uint64_t takes = ready_time(march, local, what);
    weft_march_spend(march, local, what, takes);
    rank->cpu_free = march->now + takes;
    weft_march_push(march, rank->cpu_free, local, WEFT_MARCH_OVER, what);
}

static void begin_send(weft_march *march, uint32_t local, weft_march_chain *chain)
{
    weft_march_rank *rank = &march->ranks[local];
    uint32_t step = chain->next;
    uint64_t bytes = step_of(march, local, step)->send;
    bool request = asks(march, bytes);
    uint64_t more = request ? 0 : further(bytes);
    chain->next = next_send(march, local, step + 1, chain->end);
    rank->send_free = march->now + march->costs.gap +
                      weft_ranks_product(more / march->flit, march->costs.per_byte);
    hand_at(march, march->now + march->costs.overhead, local,
            number_of(march, local, step, WEFT_PHASED_SENT));
    uint64_t takes =
        march->costs.overhead + weft_ranks_product(more, march->costs.overhead_per_byte);
    weft_march_spend(march, local, operation(step, WEFT_MARCH_SEND), takes);
    rank->cpu_free = march->now + takes;
    if (!request)
        weft_march_push(march, rank->cpu_free, local, WEFT_MARCH_OVER,
                        operation(step, WEFT_MARCH_SEND));
}

/* The chain whose send is the first that waits; NULL: none does. */
static weft_march_chain *first_send(const weft_march *march, uint32_t local)
{
    uint32_t chains = march->schedule->chains;
    weft_march_chain *found = NULL, *its = &march->chains[(size_t)local * chains];
    for (uint32_t c = 0; c < chains; c++)
        if (its[c].next < its[c].end &&
            (!found || its[c].since < found->since ||
             (its[c].since == found->since && its[c].next < found->next)))
            found = &its[c];
    return found;
}

/* True if what is ready comes before a send. */
static bool is_first(const weft_march_ready *ready, const weft_march_chain *send)
{
    if (ready->time != send->since)
        return ready->time < send->since;
    return ready->order < ((uint64_t)1 << 63 | operation(send->next, WEFT_MARCH_SEND));
}

static void decide(weft_march *march, uint32_t local)
{
    weft_march_rank *rank = &march->ranks[local];
    for (;;) {
        weft_march_chain *send = first_send(march, local);
        const weft_march_ready *ready = weft_march_first_ready(march, local);
        uint64_t when = march->now;
        if (send && rank->send_free > march->now) {
            when = ready ? when : rank->send_free;
            send = NULL;
        } else if (!send && !ready) {
            return;
        }
        when = when > rank->cpu_free ? when : rank->cpu_free;
        if (when > march->now) {
            arm(march, local, when);
            return;
        }
        if (ready && (!send || is_first(ready, send))) {
            begin_ready(march, local);
        } else {
            assert(send);
            begin_send(march, local, send);
        }
    }
}

/* ---- a tick ---- */

/* The next entry of a rank for this tick; NULL: it has no more. */
static inline const weft_heap_entry *due_of(weft_march *march, uint32_t local)
{
    const weft_heap_entry *first = weft_agenda_due(&march->agenda, march->now);
    return first && weft_march_local(*first) == local ? first : NULL;
}

/* Lets a rank decide if it is to do so in this tick. */
static bool decides(weft_march *march, uint32_t local)
{
    weft_march_rank *rank = &march->ranks[local];
    if (rank->armed != march->now)
        return false;
    rank->armed = WEFT_RANKS_NEVER;
    decide(march, local);
    return true;
}

/* One rank in this tick; `count` messages have arrived for it. */
static void run_rank(weft_march *march, uint32_t local, const weft_march_arrival *arrivals,
                     uint32_t count)
{
    weft_march_rank *rank = &march->ranks[local];
    const weft_heap_entry *due = due_of(march, local);
    for (; due && weft_march_kind(*due) == WEFT_MARCH_HAND; due = due_of(march, local)) {
        uint32_t number = weft_agenda_pop(&march->agenda).what;
        march->hand(march->user, local, number);
    }
    march->came = count > 0;
    march->way = count > 0 ? arrivals[count - 1].age : 0;
    march->cause = WEFT_PROGRAM_NONE;
    for (uint32_t i = 0; i < count; i++)
        arrive(march, local, arrivals[i].message);
    if (rank->phase == WEFT_PROGRAM_NONE && march->start <= march->now) {
        march->n_waiting--;
        rank->cpu_free = march->now;
        begin_phase(march, local);
    }
    do {
        while (due_of(march, local)) {
            weft_heap_entry entry = weft_agenda_pop(&march->agenda);
            if (weft_march_kind(entry) == WEFT_MARCH_OVER)
                finish(march, local, entry.what);
        }
    } while (decides(march, local));
}

static void run_all(weft_march *march, const weft_march_arrival *arrivals, uint32_t count)
{
    for (uint32_t local = 0, at = 0; local < march->count; local++) {
        uint32_t first = at;
        while (at < count && arrivals[at].local == local)
            at++;
        run_rank(march, local, at > first ? arrivals + first : NULL, at - first);
    }
}

uint64_t weft_march_next(const weft_march *march)
{
    if (march->n_waiting > 0)
        return march->start;
    return weft_agenda_next(&march->agenda);
}

void weft_march_run(weft_march *march, const weft_march_arrival *arrivals, uint32_t count)
{
    if (march->n_waiting > 0 && march->start <= march->now) {
        run_all(march, arrivals, count);
        return;
    }
    for (uint32_t at = 0;;) {
        const weft_heap_entry *due = weft_agenda_due(&march->agenda, march->now);
        uint32_t local = due ? weft_march_local(*due) : WEFT_PROGRAM_NONE;
        if (at < count && arrivals[at].local < local)
            local = arrivals[at].local;
        if (local == WEFT_PROGRAM_NONE)
            return;
        uint32_t first = at;
        while (at < count && arrivals[at].local == local)
            at++;
        run_rank(march, local, at > first ? arrivals + first : NULL, at - first);
    }
}
