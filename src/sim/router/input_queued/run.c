/* SPDX-License-Identifier: Apache-2.0 */
/* The tick of input-queued routers: first all events, then every router that has to decides
 * once. Most of a simulation's time is spent here, so the code is made four times: for the plain
 * router with FIFOs, for the plain one with VOQs, for any other, and for any where routers are
 * of several layouts (layout.h explains how). */
#include "sim/router/input_queued/run.h"

#include "sim/router/input_queued/pass_impl.h"
#include "sim/router/input_queued/vc_stage.h"

/* One granted pair: false if what it was granted on has gone to another one of this tick. */
WEFT_HOT bool grant(unsigned features, const weft_iq_context *ctx, uint32_t line, uint32_t v,
                    uint32_t y)
{
    const weft_iq *iq = ctx->iq;
    const weft_iq_layout *layout = ctx->layout;
    char *record = ctx->record;
    uint32_t t = ctx->t, in = line, out = y;
    if (features & WEFT_IQ_FAST_IN)
        in = line / layout->in_speed;
    if (features & WEFT_IQ_FAST_OUT)
        out = y / layout->out_speed;
    uint32_t queue = in * layout->n_vcs + v;
    bool each = features & WEFT_IQ_QUEUE_EACH;
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
                       .escape = (features & WEFT_IQ_SEVERAL) && front->escape,
                       .packet = packet};
    if (!weft_iq_choose_hop(features, ctx, &bid, &vc, &after))
        return false;
    if ((features & WEFT_IQ_BUFFERED) && weft_iq_buffer_wait(layout, record, out, flits, t))
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
                         .flits = flits,
                         .ready = packet->event.when,
                         .since = each ? packet->ready : front->ready,
                         .vcs = packet->several ? 1u << vc : bid.vcs};
    uint32_t end = weft_iq_depart(features, ctx, &move);
    weft_iq_leave(features, ctx, in, v, out, end);
    return true;
}

/* In the tick that iq is in. */
WEFT_HOT weft_iq_context context_again(unsigned features, weft_iq *iq, uint32_t router,
                                       char *record)
{
    return weft_iq_context_by(features, iq, iq->block, router, record, iq->now);
}

/* Instances of grant; functions of their own, so that who calls them keeps its registers. What
 * they are given fits into registers too, which a pointer to the caller's context would not let
 * it keep. */
static __attribute__((noinline)) bool grant_plain(weft_iq *iq, uint32_t router, char *record,
                                                  uint32_t line, uint32_t v, uint32_t y)
{
    const weft_iq_context ctx = context_again(WEFT_IQ_PLAIN, iq, router, record);
    return grant(WEFT_IQ_PLAIN, &ctx, line, v, y);
}

static __attribute__((noinline)) bool grant_voq(weft_iq *iq, uint32_t router, char *record,
                                                uint32_t line, uint32_t v, uint32_t y)
{
    const weft_iq_context ctx = context_again(WEFT_IQ_QUEUE_EACH, iq, router, record);
    return grant(WEFT_IQ_QUEUE_EACH, &ctx, line, v, y);
}

static __attribute__((noinline)) bool grant_any(weft_iq *iq, uint32_t router, char *record,
                                                uint32_t line, uint32_t v, uint32_t y)
{
    unsigned features = iq->layout.features & ~(unsigned)WEFT_IQ_UNLIKE;
    const weft_iq_context ctx = context_again(features, iq, router, record);
    return grant(features, &ctx, line, v, y);
}

static __attribute__((noinline)) bool grant_unlike(weft_iq *iq, uint32_t router, char *record,
                                                   uint32_t line, uint32_t v, uint32_t y)
{
    unsigned features = iq->layout.features | WEFT_IQ_UNLIKE;
    const weft_iq_context ctx = context_again(features, iq, router, record);
    return grant(features, &ctx, line, v, y);
}

WEFT_HOT bool grant_by(unsigned features, const weft_iq_context *ctx, uint32_t line, uint32_t v,
                       uint32_t y)
{
    return (features & WEFT_IQ_UNLIKE   ? grant_unlike
            : features == WEFT_IQ_PLAIN ? grant_plain
            : features == WEFT_IQ_QUEUE_EACH
                ? grant_voq
                : grant_any)(ctx->iq, ctx->router, ctx->record, line, v, y);
}

/* After the grants: sets the tick before which a line that asked need not be scanned again. */
WEFT_HOT void look_again(const weft_iq_context *ctx, uint32_t line, bool granted,
                         const uint64_t *wants, uint32_t asking)
{
    const weft_iq_layout *layout = ctx->layout;
    char *record = ctx->record;
    uint32_t t = ctx->t;
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
    if (layout->features &
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

typedef struct asking { /* the requests of one decision */
    uint64_t lines;
    uint16_t vcs[WEFT_CROSSBAR_PORTS_MAX];
    uint64_t wants[WEFT_CROSSBAR_PORTS_MAX * WEFT_VCS_MAX];
} asking;

typedef struct ager { /* finds the ages of a decision's packets */
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
WEFT_HOT void match(unsigned features, const weft_iq_context *ctx, asking *ask)
{
    const weft_iq_layout *layout = ctx->layout;
    char *record = ctx->record;
    const weft_scheduler *scheduler = &layout->scheduler;
    void *state = weft_iq_state(layout, record);
    ager by = {.iq = ctx->iq, .record = record, .t = ctx->t};
    weft_requests requests = {.wants = ask->wants,
                              .asking = ask->lines,
                              .age = age,
                              .user = &by,
                              .occasion = {.seed = layout->platform->network->seed,
                                           .tick = (uint64_t)ctx->now,
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
        if (!grant_by(features, ctx, x, found.vc[x], found.output[x]))
            continue;
        scheduler->kind->granted(scheduler, state, x, found.vc[x], found.output[x],
                                 (found.first >> x & 1) != 0);
        granted |= (uint64_t)1 << x;
    }
    if (scheduler->kind->learn)
        scheduler->kind->learn(scheduler, state, &found);
    for (uint64_t lines = ask->lines; lines; lines &= lines - 1) {
        uint32_t x = (uint32_t)__builtin_ctzll(lines);
        look_again(ctx, x, granted >> x & 1, ask->wants + (size_t)x * layout->n_vcs, ask->vcs[x]);
    }
}

/* The only pair there can be. */
WEFT_HOT void grant_only(unsigned features, const weft_iq_context *ctx, uint32_t line, uint32_t v,
                         uint32_t y)
{
    const weft_iq_layout *layout = ctx->layout;
    bool granted = grant_by(features, ctx, line, v, y);
    assert(granted);
    layout->scheduler.kind->granted(&layout->scheduler, weft_iq_state(layout, ctx->record), line, v,
                                    y, true);
    look_again(ctx, line, granted, NULL, 0);
}

/* Looks at all lines whose time has come, and lets the scheduler choose; *least is brought
 * forward to the ticks until another line is to be looked at. */
WEFT_HOT void cross(unsigned features, const weft_iq_context *ctx, uint32_t *least)
{
    const weft_iq_layout *layout = ctx->layout;
    char *record = ctx->record;
    weft_iq_head *head = weft_iq_head_of(record);
    weft_iq_line *from = weft_iq_lines_of(record);
    uint64_t seen = 0, asks = 0;
    uint32_t t = ctx->t, pairs = 0, vcs = 0;
    asking ask;
    for (uint64_t lines = head->awake; lines; lines &= lines - 1) {
        uint32_t x = (uint32_t)__builtin_ctzll(lines), bound;
        if (weft_iq_later(from[x].next, t)) {
            weft_iq_bound(least, from[x].next - t);
            continue;
        }
        uint64_t bit = (uint64_t)1 << x;
        seen |= bit;
        if (features & WEFT_IQ_FAST_IN)
            weft_iq_content(layout, record, x);
        uint32_t found = weft_iq_scan(features, ctx, x, ask.wants + x * layout->n_vcs, &bound);
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
            grant_only(features, ctx, x, v, (uint32_t)__builtin_ctzll(wants));
        else
            match(features, ctx, &ask);
    }
    for (seen &= head->awake; seen; seen &= seen - 1)
        weft_iq_bound(least, from[__builtin_ctzll(seen)].next - t);
}

WEFT_HOT void decide(unsigned features, const weft_iq_context *ctx)
{
    const weft_iq_layout *layout = ctx->layout;
    char *record = ctx->record;
    weft_iq_head *head = weft_iq_head_of(record);
    const uint32_t *ends = weft_iq_end_next(layout, record);
    uint32_t t = ctx->t, least = WEFT_IQ_NEVER;
    if (head->wake == t)
        head->armed = 0;
    for (uint64_t calls = head->calls; calls; calls &= calls - 1) {
        uint32_t host = (uint32_t)__builtin_ctzll(calls);
        if (!weft_iq_later(ends[host], t))
            weft_iq_endpoint_send(features, ctx, host);
        if (head->calls >> host & 1)
            weft_iq_bound(&least, ends[host] - t);
    }
    cross(features, ctx, &least);
    if (features & WEFT_IQ_VC_STAGE)
        weft_iq_allocate_vcs(ctx->iq, record, t, &least);
    if (least != WEFT_IQ_NEVER)
        weft_iq_wake(ctx, ctx->now + least);
}

/* Takes one event; true if the router has to decide. */
WEFT_HOT bool take(unsigned features, const weft_iq_context *ctx, const weft_event *event)
{
    const weft_iq_layout *layout = ctx->layout;
    uint32_t due;
    weft_iq_credit_burst credit_burst;
    switch (weft_event_kind(event)) {
    case WEFT_HEADER:
    case WEFT_ENTER:
        return weft_iq_arrive(features, ctx, event);
    case WEFT_CREDIT:
        credit_burst = (weft_iq_credit_burst){.start = ctx->t,
                                              .units = (uint16_t)weft_credit_units(event),
                                              .vc = (uint8_t)weft_credit_vc(event),
                                              .class = (uint8_t)weft_credit_link_class(event)};
        if (!weft_iq_credit(features, ctx, weft_event_port(event), credit_burst, &due))
            return false;
        if (!weft_iq_later(due, ctx->t))
            return true;
        weft_iq_wake(ctx, ctx->now + (int32_t)(due - ctx->t));
        return false;
    case WEFT_WAKE:
        if (weft_event_port(event) == 0)
            weft_iq_call(layout, ctx->record,
                         weft_wake_number(event) / layout->traffic_classes % layout->hosts, ctx->t);
        return true;
    case WEFT_DELIVER:
        weft_assembly_deliver(ctx->iq->site, ctx->router, event, ctx->now);
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

/* The kernel does this where records are all alike. */
static void fetch_ahead(const weft_iq *iq, const weft_batch *batch)
{
    for (uint32_t i = 0; iq->bytes > CACHED && i < batch->n_events; i++)
        __builtin_prefetch(weft_iq_record(iq, batch->events[i].to), 1);
}

/* All events of a tick, in any order, then the decisions. The first head that comes to a router is
 * kept back until all events are there: it may pass. */
WEFT_HOT void run(unsigned features, weft_iq *iq, weft_block *block, const weft_batch *given)
{
    const weft_batch batch = *given; /* a copy the handlers cannot reach */
    uint32_t count = 0, t = (uint32_t)batch.now;
    bool shuffled = (features & WEFT_IQ_WATCHED) && iq->layout.platform->trace->shuffle;
    order drawn = {.step = 1};
    if (shuffled)
        drawn = draw_order(iq->layout.platform->trace, batch.n_events, batch.now);
    uint32_t rounds =
        features & WEFT_IQ_REROUTES ? 2 : 1; /* heads come last: they look at credits */
    for (uint32_t n = 0; n < rounds * batch.n_events; n++) {
        uint32_t i = n < batch.n_events ? n : n - batch.n_events;
        if (shuffled)
            i = (uint32_t)((drawn.first + (uint64_t)i * drawn.step) % batch.n_events);
        const weft_event *event = &batch.events[i];
        if (rounds == 2 && weft_event_is_head(event) != (n >= batch.n_events))
            continue;
        weft_iq_context ctx = weft_iq_context_of(features, iq, block, event->to, batch.now);
        weft_iq_head *head = weft_iq_head_of(ctx.record);
        bool listed = head->mark == t,
             back = WEFT_IQ_PASSES(features) && !listed && weft_event_kind(event) <= WEFT_ENTER;
        if (!back) {
            if (!take(features, &ctx, event))
                continue;
            head->must = t;
        }
        if (!listed) {
            head->mark = t;
            iq->listed[count++] = (weft_iq_listing){ctx.router, back ? i : WEFT_IQ_NONE};
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        weft_iq_listing it = iq->listed[shuffled ? count - 1 - i : i];
        weft_iq_context ctx = weft_iq_context_of(features, iq, block, it.router, batch.now);
        if (WEFT_IQ_PASSES(features) && it.event != WEFT_IQ_NONE) {
            const weft_event *event = &batch.events[it.event];
            if (weft_iq_pass(features, &ctx, event))
                continue;
            if (!weft_iq_arrive(features, &ctx, event) && weft_iq_head_of(ctx.record)->must != t)
                continue;
        }
        decide(features, &ctx);
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
    run(iq->layout.features & ~(unsigned)WEFT_IQ_UNLIKE, iq, block, given);
}

static __attribute__((noinline)) void run_unlike(weft_iq *iq, weft_block *block,
                                                 const weft_batch *given)
{
    fetch_ahead(iq, given);
    run(iq->layout.features | WEFT_IQ_UNLIKE, iq, block, given);
}

void weft_iq_run(weft_iq *iq, weft_block *block, const weft_batch *given)
{
    iq->block = block;
    iq->now = given->now;
    if (iq->layout.topology->faults)
        iq->down = given->now >= iq->layout.platform->network->faults_at;
    if (iq->layout.features == WEFT_IQ_PLAIN)
        run_plain(iq, block, given);
    else if (iq->layout.features == WEFT_IQ_QUEUE_EACH)
        run_voq(iq, block, given);
    else if (iq->layout.features & WEFT_IQ_UNLIKE)
        run_unlike(iq, block, given);
    else
        run_any(iq, block, given);
}
