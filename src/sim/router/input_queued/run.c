/* SPDX-License-Identifier: Apache-2.0 */
/* The tick of input-queued routers: first all events, then every router that has to decides
 * once. Most of a simulation's time is spent here, so the code is made four times: for the plain
 * router with FIFOs, for the plain one with VOQs, for any other, and for any where routers are
 * of several layouts. */
#include "sim/router/input_queued/run.h"

#include "sim/router/input_queued/pass.h"
#include "sim/router/input_queued/stage.h"

/* One granted pair: false if what it was granted on has gone to another one of this tick. */
WEFT_HOT bool grant(unsigned mode, weft_iq *iq, weft_block *block, uint32_t router, char *record,
                    uint32_t line, uint32_t v, uint32_t y, weft_time now)
{
    const weft_iq_layout *layout = weft_iq_layout_by(mode, iq, record);
    uint32_t t = (uint32_t)now, in = line, out = y;
    if (mode & WEFT_IQ_FAST_IN)
        in = line / layout->in_speed;
    if (mode & WEFT_IQ_FAST_OUT)
        out = y / layout->out_speed;
    uint32_t queue = in * layout->n_vcs + v;
    bool each = mode & WEFT_IQ_QUEUE_EACH;
    const weft_iq_front *front = &weft_iq_fronts(layout, record)[queue];
    uint32_t head = front->head;
    if (each)
        head =
            weft_iq_packet_at(iq, weft_iq_tails(layout, record)[(size_t)queue * layout->ins + out])
                ->event.to;
    const weft_iq_packet *packet = weft_iq_packet_at(iq, head);
    uint32_t flits = weft_packet_flits(&packet->event), after = 0, vc;
    weft_iq_bid bid = {.in = in,
                       .vc = v,
                       .line = line,
                       .flits = flits,
                       .vcs = each ? packet->vcs : front->vcs,
                       .out = out,
                       .escape = (mode & WEFT_IQ_SEVERAL) && front->escape,
                       .packet = packet};
    if (!weft_iq_choose_hop(mode, iq, record, &bid, t, &vc, &after))
        return false;
    if ((mode & WEFT_IQ_BUFFERED) && weft_iq_buffer_wait(layout, record, out, flits, t))
        return false;
    weft_iq_move move = {.packet = &packet->event,
                         .cut = in < layout->ports && packet->event.when == t,
                         .in = in,
                         .vc = v,
                         .line = line,
                         .out = out,
                         .out_vc = vc,
                         .out_line = y,
                         .after = after,
                         .ready = packet->event.when,
                         .since = each ? packet->ready : front->ready,
                         .vcs = packet->several ? 1u << vc : bid.vcs};
    uint32_t end = weft_iq_depart(mode, iq, block, router, record, &move, now);
    weft_iq_leave(mode, iq, record, in, v, out, end);
    return true;
}

/* Made for each of the usual modes, and once for any; functions of their own, so that who calls
 * them keeps its registers. */
static __attribute__((noinline)) bool grant_plain(weft_iq *iq, weft_block *block, uint32_t router,
                                                  char *record, uint32_t line, uint32_t v,
                                                  uint32_t y, weft_time now)
{
    return grant(WEFT_IQ_PLAIN, iq, block, router, record, line, v, y, now);
}

static __attribute__((noinline)) bool grant_voq(weft_iq *iq, weft_block *block, uint32_t router,
                                                char *record, uint32_t line, uint32_t v, uint32_t y,
                                                weft_time now)
{
    return grant(WEFT_IQ_QUEUE_EACH, iq, block, router, record, line, v, y, now);
}

static __attribute__((noinline)) bool grant_any(weft_iq *iq, weft_block *block, uint32_t router,
                                                char *record, uint32_t line, uint32_t v, uint32_t y,
                                                weft_time now)
{
    return grant(iq->layout.mode & ~(unsigned)WEFT_IQ_UNLIKE, iq, block, router, record, line, v, y,
                 now);
}

static __attribute__((noinline)) bool grant_unlike(weft_iq *iq, weft_block *block, uint32_t router,
                                                   char *record, uint32_t line, uint32_t v,
                                                   uint32_t y, weft_time now)
{
    return grant(iq->layout.mode | WEFT_IQ_UNLIKE, iq, block, router, record, line, v, y, now);
}

WEFT_HOT bool grant_by(unsigned mode, weft_iq *iq, weft_block *block, uint32_t router, char *record,
                       uint32_t line, uint32_t v, uint32_t y, weft_time now)
{
    return (mode & WEFT_IQ_UNLIKE        ? grant_unlike
            : mode == WEFT_IQ_PLAIN      ? grant_plain
            : mode == WEFT_IQ_QUEUE_EACH ? grant_voq
                                         : grant_any)(iq, block, router, record, line, v, y, now);
}

/* After the grants: no earlier than when may a line that asked send (again)? */
static inline void look_again(const weft_iq_layout *layout, char *record, uint32_t line,
                              bool granted, const uint64_t *wants, uint32_t asking, uint32_t t)
{
    if (granted) {
        weft_iq_line *from = &weft_iq_lines_of(record)[line];
        weft_iq_head *head = weft_iq_head_of(record);
        from->next = from->free;
        if (from->waiting)
            head->awake |= (uint64_t)1 << line;
        else
            head->awake &= ~((uint64_t)1 << line);
        return;
    }
    if (layout->mode &
        (WEFT_IQ_SEVERAL | WEFT_IQ_FAST_OUT)) { /* what it did not ask for may be open too */
        weft_iq_rouse(record, line, t + 1);
        return;
    }
    const uint32_t *free = weft_iq_out_free(layout, record);
    uint64_t lines = 0;
    for (; asking; asking &= asking - 1)
        lines |= wants[__builtin_ctz(asking)];
    for (; lines; lines &= lines - 1) {
        uint32_t y = (uint32_t)__builtin_ctzll(lines);
        weft_iq_rouse(record, line, weft_iq_later(free[y], t) ? free[y] : t + 1);
    }
}

typedef struct asking { /* what one decision has found */
    uint64_t lines;
    uint16_t vcs[WEFT_LINES_MAX];
    uint64_t wants[WEFT_LINES_MAX * WEFT_VCS_MAX];
} asking;

typedef struct ager { /* what the ages of a decision's packets are found by */
    const weft_iq *iq;
    char *record;
    uint32_t t;
} ager;

static uint32_t age(const void *user, uint32_t line, uint32_t v, uint32_t y)
{
    const ager *by = user;
    const weft_iq_layout *layout = weft_iq_layout_of(by->iq, by->record);
    uint32_t in = line / layout->in_speed, queue = in * layout->n_vcs + v;
    uint32_t tail =
        weft_iq_has(layout, WEFT_IQ_QUEUE_EACH)
            ? weft_iq_tails(layout, by->record)[(size_t)queue * layout->ins + y / layout->out_speed]
            : weft_iq_fronts(layout, by->record)[queue].tail;
    const weft_event *packet =
        &weft_iq_packet_at(by->iq, weft_iq_packet_at(by->iq, tail)->event.to)->event;
    return by->t - packet->when;
}

/* Several pairs are possible: the scheduler chooses. */
WEFT_HOT void match(unsigned mode, weft_iq *iq, weft_block *block, uint32_t router, char *record,
                    asking *ask, weft_time now)
{
    const weft_iq_layout *layout = weft_iq_layout_by(mode, iq, record);
    const weft_scheduler *scheduler = &layout->scheduler;
    void *state = weft_iq_state(layout, record);
    ager by = {.iq = iq, .record = record, .t = (uint32_t)now};
    weft_requests requests = {.wants = ask->wants,
                              .asking = ask->lines,
                              .age = age,
                              .user = &by,
                              .occasion = {.seed = layout->platform->network->seed,
                                           .tick = (uint64_t)now,
                                           .crossbar = weft_iq_head_of(record)->id}};
    weft_match found;
    for (uint64_t lines = ask->lines; lines; lines &= lines - 1) {
        uint32_t x = (uint32_t)__builtin_ctzll(lines);
        for (uint32_t rest = layout->all_vcs & ~(uint32_t)ask->vcs[x]; rest; rest &= rest - 1)
            ask->wants[x * layout->n_vcs + (uint32_t)__builtin_ctz(rest)] = 0;
    }
    scheduler->kind->match(scheduler, state, &requests, &found);
    uint64_t granted = 0;
    for (uint64_t lines = found.inputs; lines; lines &= lines - 1) {
        uint32_t x = (uint32_t)__builtin_ctzll(lines);
        if (!grant_by(mode, iq, block, router, record, x, found.vc[x], found.output[x], now))
            continue;
        scheduler->kind->granted(scheduler, state, x, found.vc[x], found.output[x],
                                 (found.first >> x & 1) != 0);
        granted |= (uint64_t)1 << x;
    }
    if (scheduler->kind->learn)
        scheduler->kind->learn(scheduler, state, &found);
    for (uint64_t lines = ask->lines; lines; lines &= lines - 1) {
        uint32_t x = (uint32_t)__builtin_ctzll(lines);
        look_again(layout, record, x, granted >> x & 1, ask->wants + (size_t)x * layout->n_vcs,
                   ask->vcs[x], (uint32_t)now);
    }
}

/* The only pair there can be. */
WEFT_HOT void grant_only(unsigned mode, weft_iq *iq, weft_block *block, uint32_t router,
                         char *record, uint32_t line, uint32_t v, uint32_t y, weft_time now)
{
    const weft_iq_layout *layout = weft_iq_layout_by(mode, iq, record);
    bool granted = grant_by(mode, iq, block, router, record, line, v, y, now);
    assert(granted);
    layout->scheduler.kind->granted(&layout->scheduler, weft_iq_state(layout, record), line, v, y,
                                    true);
    look_again(layout, record, line, granted, NULL, 0, (uint32_t)now);
}

/* Looks at all lines whose time has come, and lets the scheduler choose; *least is brought
 * forward to the ticks until another line is to be looked at. */
WEFT_HOT void cross(unsigned mode, weft_iq *iq, weft_block *block, uint32_t router, char *record,
                    weft_time now, uint32_t *least)
{
    const weft_iq_layout *layout = weft_iq_layout_by(mode, iq, record);
    weft_iq_head *head = weft_iq_head_of(record);
    weft_iq_line *from = weft_iq_lines_of(record);
    uint64_t seen = 0, asks = 0;
    uint32_t t = (uint32_t)now, pairs = 0, vcs = 0;
    asking ask;
    for (uint64_t lines = head->awake; lines; lines &= lines - 1) {
        uint32_t x = (uint32_t)__builtin_ctzll(lines), bound;
        if (weft_iq_later(from[x].next, t)) {
            weft_iq_bound(least, from[x].next - t);
            continue;
        }
        uint64_t bit = (uint64_t)1 << x;
        seen |= bit;
        if (mode & WEFT_IQ_FAST_IN)
            weft_iq_content(layout, record, x);
        uint32_t found =
            weft_iq_scan(mode, iq, record, x, t, ask.wants + x * layout->n_vcs, &bound);
        from[x].next = t + bound;
        if (bound == WEFT_IQ_NEVER)
            head->awake &= ~bit;
        if (found) {
            vcs = found;
            asks |= bit;
            pairs++;
            ask.vcs[x] = (uint16_t)vcs;
        }
    }
    if (asks) {
        uint32_t x = (uint32_t)__builtin_ctzll(asks), v = (uint32_t)__builtin_ctz(vcs);
        uint64_t wants = ask.wants[x * layout->n_vcs + v];
        ask.lines = asks;
        if (pairs == 1 && !(vcs & (vcs - 1)) && !(wants & (wants - 1)))
            grant_only(mode, iq, block, router, record, x, v, (uint32_t)__builtin_ctzll(wants),
                       now);
        else
            match(mode, iq, block, router, record, &ask, now);
    }
    for (seen &= head->awake; seen; seen &= seen - 1)
        weft_iq_bound(least, from[__builtin_ctzll(seen)].next - t);
}

WEFT_HOT void decide(unsigned mode, weft_iq *iq, weft_block *block, uint32_t router, char *record,
                     weft_time now)
{
    const weft_iq_layout *layout = weft_iq_layout_by(mode, iq, record);
    weft_iq_head *head = weft_iq_head_of(record);
    const uint32_t *ends = weft_iq_end_next(layout, record);
    uint32_t t = (uint32_t)now, least = WEFT_IQ_NEVER;
    if (head->wake == t)
        head->armed = 0;
    for (uint64_t calls = head->calls; calls; calls &= calls - 1) {
        uint32_t host = (uint32_t)__builtin_ctzll(calls);
        if (!weft_iq_later(ends[host], t))
            weft_iq_endpoint_send(mode, iq, block, router, record, host, now);
        if (head->calls >> host & 1)
            weft_iq_bound(&least, ends[host] - t);
    }
    cross(mode, iq, block, router, record, now, &least);
    if (mode & WEFT_IQ_STAGED)
        weft_iq_stage(iq, record, t, &least);
    if (least != WEFT_IQ_NEVER)
        weft_iq_wake(block, router, record, now + least);
}

/* Takes one event; does the router have to decide? */
WEFT_HOT bool take(unsigned mode, weft_iq *iq, weft_block *block, char *record,
                   const weft_event *event, weft_time now)
{
    const weft_iq_layout *layout = weft_iq_layout_by(mode, iq, record);
    uint32_t due;
    weft_iq_credit_burst credit_burst;
    switch (weft_event_kind(event)) {
    case WEFT_HEADER:
    case WEFT_ENTER:
        return weft_iq_arrive(mode, iq, block, record, event, now);
    case WEFT_CREDIT:
        credit_burst = (weft_iq_credit_burst){.start = (uint32_t)now,
                                              .units = (uint16_t)weft_credit_units(event),
                                              .vc = (uint8_t)weft_credit_vc(event),
                                              .class = (uint8_t)weft_credit_link_class(event)};
        if (!weft_iq_credit(mode, layout, record, weft_event_port(event), credit_burst,
                            (uint32_t)now, &due))
            return false;
        if (!weft_iq_later(due, (uint32_t)now))
            return true;
        weft_iq_wake(block, event->to, record, now + (int32_t)(due - (uint32_t)now));
        return false;
    case WEFT_WAKE:
        if (weft_event_port(event) == 0)
            weft_iq_call(layout, record,
                         weft_wake_number(event) / layout->traffic_classes % layout->hosts,
                         (uint32_t)now);
        return true;
    case WEFT_DELIVER:
        weft_assembly_deliver(iq->site, event->to, event, now);
        break;
    case WEFT_DEPART: /* of routers that know how long a packet will wait */
        assert(0);
        break;
    }
    return false;
}

/* An order of 0 … count−1 for a tick: `first` and then every `step`-th, cyclically. */
typedef struct order {
    uint32_t first, step;
} order;

static order draw_order(const weft_trace *trace, uint32_t count, weft_time now)
{
    weft_random random =
        weft_random_stream(trace->shuffle, (uint64_t)now, count, WEFT_FOR_ESTIMATE);
    order drawn = {.first = weft_random_below(&random, count),
                   .step = weft_random_below(&random, count) + 1};
    for (;; drawn.step++) { /* up to one that has no divisor in common with count */
        uint32_t a = drawn.step, b = count;
        while (b) {
            uint32_t rest = a % b;
            a = b;
            b = rest;
        }
        if (a == 1)
            return drawn;
    }
}

#define CACHED ((size_t)512 << 10) /* fewer records stay in a core's cache by themselves */

/* What the kernel does where records are all alike. */
static void fetch_ahead(const weft_iq *iq, const weft_batch *batch)
{
    for (uint32_t i = 0; iq->bytes > CACHED && i < batch->n_events; i++)
        __builtin_prefetch(weft_iq_record(iq, batch->events[i].to), 1);
}

/* All events of a tick, in any order, then the decisions; made once for each of the usual modes,
 * and once for any. The first head that comes to a router is kept back until all events are
 * there: it may pass. */
WEFT_HOT void run(unsigned mode, weft_iq *iq, weft_block *block, const weft_batch *given)
{
    const weft_batch batch = *given; /* a copy the handlers cannot reach */
    uint32_t count = 0, t = (uint32_t)batch.now;
    bool shuffled = (mode & WEFT_IQ_WATCHED) && iq->layout.platform->trace->shuffle;
    order drawn = {.step = 1};
    if (shuffled)
        drawn = draw_order(iq->layout.platform->trace, batch.n_events, batch.now);
    uint32_t rounds = mode & WEFT_IQ_SETTLES ? 2 : 1; /* heads come last: they look at credits */
    for (uint32_t n = 0; n < rounds * batch.n_events; n++) {
        uint32_t i = n < batch.n_events ? n : n - batch.n_events;
        if (shuffled)
            i = (uint32_t)((drawn.first + (uint64_t)i * drawn.step) % batch.n_events);
        const weft_event *event = &batch.events[i];
        if (rounds == 2 && weft_event_is_head(event) != (n >= batch.n_events))
            continue;
        uint32_t router = event->to;
        char *record = weft_iq_record_by(mode, iq, router);
        weft_iq_head *head = weft_iq_head_of(record);
        bool listed = head->mark == t,
             back = WEFT_IQ_PASSES(mode) && !listed && weft_event_kind(event) <= WEFT_ENTER;
        if (!back) {
            if (!take(mode, iq, block, record, event, batch.now))
                continue;
            head->must = t;
        }
        if (!listed) {
            head->mark = t;
            iq->listed[count++] = (weft_iq_listing){router, back ? i : WEFT_IQ_NONE};
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        weft_iq_listing it = iq->listed[shuffled ? count - 1 - i : i];
        char *record = weft_iq_record_by(mode, iq, it.router);
        if (WEFT_IQ_PASSES(mode) && it.event != WEFT_IQ_NONE) {
            const weft_event *event = &batch.events[it.event];
            if (weft_iq_pass(mode, iq, block, it.router, record, event, batch.now))
                continue;
            if (!weft_iq_arrive(mode, iq, block, record, event, batch.now) &&
                weft_iq_head_of(record)->must != t)
                continue;
        }
        decide(mode, iq, block, it.router, record, batch.now);
    }
}

static __attribute__((noinline)) void run_plain(weft_iq *iq, weft_block *block,
                                                const weft_batch *given)
{
    run(WEFT_IQ_PLAIN, iq, block, given);
}

static __attribute__((noinline)) void run_voq(weft_iq *iq, weft_block *block,
                                              const weft_batch *given)
{
    run(WEFT_IQ_QUEUE_EACH, iq, block, given);
}

static __attribute__((noinline)) void run_any(weft_iq *iq, weft_block *block,
                                              const weft_batch *given)
{
    run(iq->layout.mode & ~(unsigned)WEFT_IQ_UNLIKE, iq, block, given);
}

static __attribute__((noinline)) void run_unlike(weft_iq *iq, weft_block *block,
                                                 const weft_batch *given)
{
    fetch_ahead(iq, given);
    run(iq->layout.mode | WEFT_IQ_UNLIKE, iq, block, given);
}

void weft_iq_run(weft_iq *iq, weft_block *block, const weft_batch *given)
{
    if (iq->layout.topology->faults)
        iq->down = given->now >= iq->layout.platform->network->faults_at;
    if (iq->layout.mode == WEFT_IQ_PLAIN)
        run_plain(iq, block, given);
    else if (iq->layout.mode == WEFT_IQ_QUEUE_EACH)
        run_voq(iq, block, given);
    else if (iq->layout.mode & WEFT_IQ_UNLIKE)
        run_unlike(iq, block, given);
    else
        run_any(iq, block, given);
}
