/* SPDX-License-Identifier: Apache-2.0 */
/* The tick of input-queued routers: first all events, then every router that has to decides
 * once. Templates over what is known of the routers (layout.h); run.c makes the instances. */
#ifndef WEFT_SIM_ROUTER_INPUT_QUEUED_RUN_IMPL_H
#define WEFT_SIM_ROUTER_INPUT_QUEUED_RUN_IMPL_H

#include "sim/jobs/processes.h"
#include "sim/pace.h"
#include "sim/router/input_queued/ask_impl.h"
#include "sim/router/input_queued/nominate_impl.h"
#include "sim/router/input_queued/pass_impl.h"
#include "sim/router/input_queued/vc_stage.h"

/* One granted pair: false if what it was granted on has gone to another one of this tick. vc: that
 * it takes behind the output, where that is known. */
WEFT_HOT bool grant(weft_iq_traits features, const weft_iq_context *ctx, uint32_t line, uint32_t v,
                    uint32_t y, uint32_t vc)
{
    const weft_iq *iq = ctx->iq;
    const weft_iq_layout *layout = ctx->layout;
    char *record = ctx->record;
    uint32_t t = ctx->t, in = line, out = y;
    if (features & WEFT_IQ_FAST_IN)
        in = line / layout->in_speed;
    if (features & WEFT_IQ_FAST_OUT)
        out = y / layout->out_speed;
    uint32_t queue = in * weft_iq_vcs(features, layout) + v;
    bool each = features & WEFT_IQ_QUEUE_EACH;
    const weft_iq_front *front = weft_iq_front_of(features, layout, record, in, v);
    uint32_t tail =
        each ? weft_iq_tails(layout, record)[(size_t)queue * layout->ins + out] : front->tail;
    uint32_t head = weft_iq_packet_at(iq, tail)->event.to;
    const weft_iq_packet *packet = weft_iq_packet_at(iq, head);
    uint32_t flits = weft_packet_flits(&packet->event), after = packet->after;
    weft_iq_bid bid = {.in = in,
                       .vc = v,
                       .line = line,
                       .flits = flits,
                       .vcs = each ? packet->vcs : front->vcs,
                       .out = out,
                       .escape = (features & WEFT_IQ_SEVERAL) && front->escape,
                       .packet = packet};
    if (!(features & WEFT_IQ_POINTERS) && !weft_iq_choose_hop(features, ctx, &bid, &vc, &after))
        return false;
    if ((features & WEFT_IQ_BUFFERED) && weft_iq_buffer_wait(layout, record, out, flits, t))
        return false;
    weft_iq_marking starts = {.packet = packet, .line = line, .vc = v, .out = out, .out_vc = vc};
    if (weft_iq_marking_start(features, ctx, &starts))
        weft_packet_set_mark(&weft_iq_packet_at(iq, head)->event, WEFT_MARK_CONGESTED);
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
                         .vcs = weft_iq_several(features, layout, &packet->event) ? 1u << vc
                                                                                  : bid.vcs};
    uint32_t end = weft_iq_depart(features, ctx, &move);
    weft_iq_leave(features, ctx, in, v, out, tail, end);
    return true;
}

/* The instance of grant: a function of its own, so that who calls it keeps its registers. */
static bool grant_by(weft_iq_traits features, const weft_iq_context *ctx, uint32_t line, uint32_t v,
                     uint32_t y, uint32_t vc) __attribute__((always_inline));

/* Several pairs are possible: the scheduler chooses. */
WEFT_HOT void match(weft_iq_traits features, const weft_iq_context *ctx, weft_iq_asking *ask,
                    uint64_t asks)
{
    const weft_iq_layout *layout = ctx->layout;
    char *record = ctx->record;
    const weft_scheduler *scheduler = &layout->scheduler;
    void *state = weft_iq_state(layout, record);
    weft_iq_ager by = {.iq = ctx->iq, .record = record, .t = ctx->t};
    weft_requests requests = {.wants = ask->wants,
                              .asking = asks,
                              .age = weft_iq_age,
                              .user = &by,
                              .occasion = weft_iq_occasion(ctx),
                              .next_vc = features & WEFT_IQ_SIZED ? weft_iq_asking_next_vc : NULL};
    weft_match found;
    for (uint64_t lines = asks; lines; lines &= lines - 1) {
        uint32_t x = (uint32_t)__builtin_ctzll(lines);
        for (uint32_t rest = layout->every_vc & ~(uint32_t)ask->vcs[x]; rest; rest &= rest - 1)
            ask->wants[x * weft_iq_vcs(features, layout) + (uint32_t)__builtin_ctz(rest)] = 0;
    }
    scheduler->kind->match(scheduler, state, &requests, &found);
    uint64_t granted = 0;
    for (uint64_t lines = found.inputs; lines; lines &= lines - 1) {
        uint32_t x = (uint32_t)__builtin_ctzll(lines);
        if (!grant_by(features, ctx, x, found.vc[x], found.output[x], 0))
            continue;
        scheduler->kind->granted(scheduler, state, x, found.vc[x], found.output[x],
                                 (found.first >> x & 1) != 0);
        granted |= (uint64_t)1 << x;
    }
    if (scheduler->kind->learn)
        scheduler->kind->learn(scheduler, state, &found);
    for (uint64_t lines = asks; lines; lines &= lines - 1) {
        uint32_t x = (uint32_t)__builtin_ctzll(lines);
        weft_iq_look_again(features, ctx, x, granted >> x & 1,
                           ask->wants + (size_t)x * weft_iq_vcs(features, layout), ask->vcs[x]);
    }
}

/* The same in a wide crossbar. */
WEFT_HOT void match_wide(weft_iq_traits features, const weft_iq_context *ctx, const uint64_t *asks)
{
    const weft_iq_layout *layout = ctx->layout;
    const weft_scheduler *scheduler = &layout->scheduler;
    weft_iq_wide *wide = ctx->iq->wide;
    weft_wide_match *found = &wide->found;
    void *state = weft_iq_state(layout, ctx->record);
    uint32_t words = layout->words, end = 64 * words;
    size_t line_words = (size_t)weft_iq_vcs(features, layout) * words;
    uint64_t granted[WEFT_WIDE_WORDS] = {0};
    weft_iq_ager by = {.iq = ctx->iq, .record = ctx->record, .t = ctx->t};
    weft_wide_requests requests = {.words = words,
                                   .wants = wide->wants,
                                   .asking = asks,
                                   .age = weft_iq_age,
                                   .user = &by,
                                   .occasion = weft_iq_occasion(ctx),
                                   .room = wide->room,
                                   .next_vc = weft_iq_asking_next_vc};
    for (uint32_t x = weft_set_next(words, asks, 0); x < end; x = weft_set_next(words, asks, x + 1))
        for (uint32_t rest = layout->every_vc & ~(uint32_t)wide->vcs[x]; rest; rest &= rest - 1)
            weft_set_clear(words, wide->wants + x * line_words +
                                      (size_t)words * (uint32_t)__builtin_ctz(rest));
    scheduler->kind->match_ports(scheduler, state, &requests, found);
    for (uint32_t x = weft_set_next(words, found->inputs, 0); x < end;
         x = weft_set_next(words, found->inputs, x + 1)) {
        if (!grant_by(features, ctx, x, found->vc[x], found->output[x], 0))
            continue;
        scheduler->kind->granted(scheduler, state, x, found->vc[x], found->output[x], true);
        weft_set_add(words, granted, x);
    }
    for (uint32_t x = weft_set_next(words, asks, 0); x < end; x = weft_set_next(words, asks, x + 1))
        weft_iq_look_again(features, ctx, x, weft_set_has(words, granted, x),
                           wide->wants + x * line_words, wide->vcs[x]);
}

/* The only pair there can be. */
WEFT_HOT void grant_only(weft_iq_traits features, const weft_iq_context *ctx, uint32_t line,
                         uint32_t v, uint32_t y)
{
    const weft_iq_layout *layout = ctx->layout;
    bool granted = grant_by(features, ctx, line, v, y, 0);
    assert(granted);
    layout->scheduler.kind->granted(&layout->scheduler, weft_iq_state(layout, ctx->record), line, v,
                                    y, true);
    weft_iq_look_again(features, ctx, line, granted, NULL, 0);
}

/* Scans a line, and notes in `ask` and `asks` what it asks for; returns the VCs that do. */
WEFT_HOT uint32_t scan_line(weft_iq_traits features, const weft_iq_context *ctx, uint32_t x,
                            uint64_t *wants)
{
    const weft_iq_layout *layout = ctx->layout;
    char *record = ctx->record;
    uint32_t bound;
    if (features & WEFT_IQ_FAST_IN)
        weft_iq_content(features, layout, record, x);
    uint32_t found = weft_iq_scan(features, ctx, x, wants, &bound);
    weft_iq_lines_of(record)[x].next = ctx->t + bound;
    if (bound == WEFT_IQ_NEVER)
        weft_set_remove(weft_iq_words(features, layout), weft_iq_awake(features, layout, record),
                        x);
    return found;
}

/* What the lines that were looked at ask for: the only pair, or the scheduler chooses. */
WEFT_HOT void serve(weft_iq_traits features, const weft_iq_context *ctx, weft_iq_asking *ask,
                    const uint64_t *asks, uint32_t pairs, uint32_t vcs)
{
    const weft_iq_layout *layout = ctx->layout;
    uint32_t words = weft_iq_words(features, layout);
    uint32_t x = weft_iq_first_member(words, asks), v = (uint32_t)__builtin_ctz(vcs);
    const uint64_t *wants = weft_iq_asking_wants(features, ctx, ask, x) + (size_t)v * words;
    if (pairs == 1 && !(vcs & (vcs - 1)) && weft_iq_has_one_member(words, wants))
        grant_only(features, ctx, x, v, weft_iq_first_member(words, wants));
    else if (features & WEFT_IQ_WIDE)
        match_wide(features, ctx, asks);
    else
        match(features, ctx, ask, *asks);
}

/* Looks at all lines whose time has come, and lets the scheduler choose; *least is brought
 * forward to the ticks until another line is to be looked at. */
WEFT_HOT void cross(weft_iq_traits features, const weft_iq_context *ctx, uint32_t *least)
{
    const weft_iq_layout *layout = ctx->layout;
    weft_iq_line *from = weft_iq_lines_of(ctx->record);
    const uint64_t *awake = weft_iq_awake(features, layout, ctx->record);
    uint64_t seen[WEFT_WIDE_WORDS], asks[WEFT_WIDE_WORDS];
    uint32_t t = ctx->t, words = weft_iq_words(features, layout), pairs = 0, vcs = 0;
    weft_iq_asking ask;
    for (uint32_t w = 0; w < words; w++) {
        seen[w] = asks[w] = 0;
        for (uint64_t lines = awake[w]; lines; lines &= lines - 1) {
            uint32_t x = 64 * w + weft_lowest(lines);
            if (weft_iq_later(from[x].next, t)) {
                weft_iq_bound(least, from[x].next - t);
                continue;
            }
            seen[w] |= weft_bit(x % 64);
            uint32_t found =
                scan_line(features, ctx, x, weft_iq_asking_wants(features, ctx, &ask, x));
            if (found) {
                vcs = found;
                asks[w] |= weft_bit(x % 64);
                pairs++;
                weft_iq_asking_vcs(features, ctx, &ask)[x] = (uint16_t)vcs;
            }
        }
    }
    if ((features & WEFT_IQ_MANAGED) && pairs &&
        weft_iq_managed(layout, ctx->record)[layout->ins] > 0) {
        uint16_t *asking = weft_iq_asking_vcs(features, ctx, &ask);
        pairs = weft_iq_give_way(ctx->iq, ctx->record, t, asks,
                                 weft_iq_asking_wants(features, ctx, &ask, 0), asking);
        vcs = pairs ? asking[weft_iq_first_member(words, asks)] : 0;
    }
    if (pairs)
        serve(features, ctx, &ask, asks, pairs, vcs);
    for (uint32_t w = 0; w < words; w++)
        for (uint64_t left = seen[w] & awake[w]; left; left &= left - 1)
            weft_iq_bound(least, from[64 * w + weft_lowest(left)].next - t);
}

/* The same with the scheduler's bare pointers: every line nominates a front, every output takes one
 * of the lines. Of those that lose the other fronts are looked at, for the tick of the next try. */
WEFT_HOT void cross_pointers(weft_iq_traits features, const weft_iq_context *ctx, uint32_t *least)
{
    weft_iq_line *from = weft_iq_lines_of(ctx->record);
    weft_iq_head *head = weft_iq_head_of(ctx->record);
    uint64_t due = head->awake, winners = 0, outputs = 0, losers = 0;
    uint32_t t = ctx->t;
    weft_iq_nominee of[WEFT_CROSSBAR_PORTS_MAX];
    uint8_t leader[WEFT_CROSSBAR_PORTS_MAX];
    for (; due; due &= due - 1) {
        uint32_t x = weft_lowest(due), wait = from[x].next - t;
        if (!weft_iq_later(from[x].next, t)) {
            if (weft_iq_nominate(features, ctx, x, &of[x], &wait)) {
                uint32_t out = of[x].out;
                if (!(outputs & weft_bit(out)) ||
                    weft_iq_overtakes(features, ctx, out, leader[out], x)) {
                    if (outputs & weft_bit(out))
                        losers |= weft_bit(leader[out]);
                    leader[out] = (uint8_t)x;
                    outputs |= weft_bit(out);
                } else {
                    losers |= weft_bit(x);
                }
                winners |= weft_bit(x);
                continue;
            }
            if (wait == WEFT_IQ_NEVER)
                head->awake &= ~weft_bit(x);
            from[x].next = t + wait;
        }
        weft_iq_bound(least, wait);
    }
    for (winners &= ~losers; winners; winners &= winners - 1) {
        uint32_t x = weft_lowest(winners);
        (void)grant(features, ctx, x, of[x].vc, of[x].out, of[x].out_vc);
        weft_iq_move_pointers(features, ctx, x, of[x].vc, of[x].out);
        from[x].next = from[x].free;
        if (from[x].waiting)
            weft_iq_bound(least, from[x].free - t);
        else
            head->awake &= ~weft_bit(x);
    }
    for (; losers; losers &= losers - 1) {
        uint32_t x = weft_lowest(losers), wait = weft_iq_lost(features, ctx, x, &of[x]);
        from[x].next = t + wait;
        weft_iq_bound(least, wait);
    }
}

WEFT_HOT void decide(weft_iq_traits features, const weft_iq_context *ctx)
{
    const weft_iq_layout *layout = ctx->layout;
    char *record = ctx->record;
    weft_iq_head *head = weft_iq_head_of(record);
    const uint32_t *ends = weft_iq_end_next(layout, record);
    uint32_t t = ctx->t, least = WEFT_IQ_NEVER;
    if (head->wake == t)
        head->armed = 0;
    const uint64_t *all = weft_iq_calls(features, layout, record);
    for (uint32_t w = 0; w < weft_iq_words(features, layout); w++)
        for (uint64_t calls = all[w]; calls; calls &= calls - 1) {
            uint32_t host = 64 * w + weft_lowest(calls);
            if (weft_iq_later(ends[host], t)) {
                weft_iq_bound(&least, ends[host] - t);
                continue;
            }
            weft_iq_endpoint_send(features, ctx, host);
            if (all[w] >> host % 64 & 1)
                weft_iq_bound(&least, ends[host] - t);
        }
    if (features & WEFT_IQ_MARKED)
        weft_iq_mark_waiting(ctx->iq, record);
    if (features & WEFT_IQ_POINTERS)
        cross_pointers(features, ctx, &least);
    else
        cross(features, ctx, &least);
    if (features & WEFT_IQ_VC_STAGE)
        weft_iq_allocate_vcs(ctx->iq, record, t, &least);
    if (least != WEFT_IQ_NEVER)
        weft_iq_wake(ctx, ctx->now + least);
}

/* The instance of decide, for the same reason. */
static void decide_by(weft_iq_traits features, const weft_iq_context *ctx)
    __attribute__((always_inline));

/* Takes one event; true if the router has to decide. */
WEFT_HOT bool take(weft_iq_traits features, const weft_iq_context *ctx, const weft_event *event)
{
    const weft_iq_layout *layout = ctx->layout;
    uint32_t due, port = weft_event_port(weft_iq_key(features, layout), event);
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
        if (!weft_iq_credit(features, ctx, port, credit_burst, &due))
            return false;
        if (!weft_iq_later(due, ctx->t))
            return true;
        weft_iq_wake(ctx, ctx->now + (int32_t)(due - ctx->t));
        return false;
    case WEFT_DELIVER:
        weft_assembly_deliver(ctx->iq->site, ctx->router, event, ctx->now);
        break;
    case WEFT_ACK:
        if (!(features & WEFT_IQ_PACED))
            break;
        weft_pace_acknowledge(ctx->iq->site,
                              ctx->router * layout->stride * weft_iq_classes(features, layout) +
                                  weft_ack_source(event),
                              weft_ack_marked(event));
        weft_iq_call(features, layout, ctx->record,
                     weft_ack_source(event) / weft_iq_classes(features, layout), ctx->t);
        return true;
    case WEFT_WAKE:   /* see below */
    case WEFT_DEPART: /* of routers that know how long a packet will wait */
        assert(0);
        break;
    }
    return false;
}

/* The same for a wake-up. */
WEFT_HOT bool take_wake(weft_iq_traits features, const weft_iq_layout *layout, char *record,
                        const weft_event *event, uint32_t t)
{
    uint32_t port = weft_event_port(WEFT_KEY_NARROW, event);
    if (port == 0)
        weft_iq_call(features, layout, record,
                     weft_wake_number(event) / weft_iq_classes(features, layout) % layout->stride,
                     t);
    return port != WEFT_WAKE_RANKS;
}

/* The instance of take. */
static bool take_by(weft_iq_traits features, weft_iq *iq, char *record, const weft_event *event)
    __attribute__((always_inline));

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

/* Ranks of programs: endpoints that have got a message call their routers. Returns the number of
 * routers that are listed, `count` before. */
WEFT_HOT uint32_t run_ranks(weft_iq_traits features, weft_iq *iq, weft_block *block, weft_time now,
                            uint32_t count)
{
    const uint32_t *sources;
    uint32_t called = weft_processes_tick(iq->site, block, now, &sources), t = (uint32_t)now;
    for (uint32_t i = 0; i < called; i++) {
        uint32_t router = weft_site_router_of(iq->site, sources[i]);
        weft_iq_context ctx = weft_iq_context_of(features, iq, block, router, now);
        weft_iq_head *head = weft_iq_head_of(ctx.record);
        weft_iq_call(features, ctx.layout, ctx.record,
                     sources[i] / weft_iq_classes(features, ctx.layout) % ctx.layout->stride, t);
        head->must = true;
        if (head->mark == t)
            continue;
        head->mark = t;
        iq->listed[count++] = (weft_iq_listing){ctx.record, WEFT_IQ_NONE, router};
    }
    return count;
}

/* All events of a tick, in any order, then the decisions. The first head that comes to a router is
 * kept back until all events are there: it may pass. */
WEFT_HOT void run(weft_iq_traits features, weft_iq *iq, weft_block *block, const weft_batch *given)
{
    const weft_batch batch = *given; /* a copy the handlers cannot reach */
    weft_iq_listing *listed = iq->listed;
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
        uint32_t router = event->to;
        char *record = weft_iq_record_by(features, iq, router);
        weft_iq_head *head = weft_iq_head_of(record);
        if (WEFT_IQ_PASSES(features) && head->mark != t && weft_event_is_head(event)) {
            head->mark = t;
            head->must = false;
            listed[count].record = record;
            listed[count++].event = i;
        } else if (weft_event_kind(event) == WEFT_WAKE
                       ? take_wake(features, weft_iq_layout_by(features, iq, record), record, event,
                                   t)
                       : take_by(features, iq, record, event)) {
            head->must = true;
            if (head->mark == t)
                continue;
            head->mark = t;
            listed[count++] = (weft_iq_listing){record, WEFT_IQ_NONE, router};
        }
    }
    if (iq->site->processes)
        count = run_ranks(features, iq, block, batch.now, count);
    for (uint32_t i = 0; i < count; i++) {
        weft_iq_listing it = listed[shuffled ? count - 1 - i : i];
        bool head = WEFT_IQ_PASSES(features) && it.event != WEFT_IQ_NONE;
        const weft_event *event = &batch.events[head ? it.event : 0];
        weft_iq_context ctx = weft_iq_context_by(features, iq, block, head ? event->to : it.router,
                                                 it.record, batch.now);
        if (head) {
            if (weft_iq_pass(features, &ctx, event))
                continue;
            if (!weft_iq_arrive(features, &ctx, event) && !weft_iq_head_of(ctx.record)->must)
                continue;
        }
        decide_by(features, &ctx);
    }
}

#endif
