/* SPDX-License-Identifier: Apache-2.0 */
/* The way of a packet: into a queue, and out of it through the crossbar. */
#ifndef WEFT_SIM_ROUTER_INPUT_QUEUED_GRANT_IMPL_H
#define WEFT_SIM_ROUTER_INPUT_QUEUED_GRANT_IMPL_H

#include "net/routing/common/vc_plan.h"
#include "sim/assembly.h"
#include "sim/router/input_queued/congestion/ack.h"
#include "sim/router/input_queued/backlog_impl.h"
#include "sim/router/input_queued/endpoint_impl.h"
#include "sim/router/input_queued/counters.h"
#include "sim/router/input_queued/management.h"
#include "sim/router/input_queued/congestion/marking_impl.h"
#include "sim/router/input_queued/scan_impl.h"
#include "sim/router/input_queued/vc_stage.h"
#include "sim/router/input_queued/wake_impl.h"

/* Ticks a packet must wait beyond its head's readiness so that it cannot run dry towards an
 * output. */
WEFT_HOT uint32_t weft_iq_slack(weft_iq_traits features, const weft_iq_layout *layout, uint32_t in,
                                uint32_t out, uint32_t flits)
{
    if (!(features & WEFT_IQ_RATES) || (features & WEFT_IQ_STORED) ||
        weft_iq_period(features, layout, in) <= weft_iq_through(features, layout, out))
        return 0;
    return (flits - 1) *
           (weft_iq_period(features, layout, in) - weft_iq_through(features, layout, out));
}

WEFT_HOT uint32_t weft_iq_line_by(weft_iq_traits features, const weft_iq_layout *layout,
                                  uint32_t in, uint32_t v, uint32_t out)
{
    return features & WEFT_IQ_FAST_IN ? weft_iq_line_for(layout, in, v, out) : in;
}

/* VOQ: has a VC no packet left for any output of this line? */
WEFT_HOT bool weft_iq_line_empty(weft_iq_traits features, const weft_iq_layout *layout,
                                 const uint64_t *present, uint32_t line)
{
    uint32_t words = weft_iq_words(features, layout), speed = layout->in_speed;
    if (!(features & WEFT_IQ_OUT_LINES))
        return !weft_set_any(words, present);
    for (uint32_t out = line % speed; out < layout->ins; out += speed)
        if (weft_set_has(words, present, out))
            return false;
    return true;
}

/* The only candidate of a packet at a router. */
WEFT_HOT weft_candidate weft_iq_find(weft_iq_traits features, const weft_iq_context *ctx,
                                     const weft_event *packet, uint32_t in, uint32_t v)
{
    const weft_iq_layout *layout = ctx->layout;
    weft_candidate hop = {0};
    if (weft_packet_header(packet) == 0) {
        hop.port = (uint16_t)(layout->ports + weft_iq_host(features, layout, packet) *
                                                  weft_iq_each(features, layout));
        return hop;
    }
    weft_route_context here = {.router = weft_iq_head_of(ctx->record)->id,
                               .header = weft_packet_header(packet),
                               .port = in < layout->ports ? (uint16_t)in : WEFT_FROM_ENDPOINT,
                               .vc = (uint16_t)v};
    uint32_t traffic_class = features & WEFT_IQ_ONE_CLASS ? 0 : weft_packet_traffic_class(packet);
    const weft_routing *routing = layout->routing[traffic_class];
    if (features & WEFT_IQ_APART)
        here.vc = (uint16_t)(in < layout->ports ? v - layout->vc[traffic_class] : v);
    bool management = weft_iq_is_management(features, layout, v);
    if (management)
        here.vc = 0;
    if (features & WEFT_IQ_ON_LATTICE) {
        weft_vcs_on_lattice(routing, &here, &hop);
    } else if ((features & WEFT_IQ_DRAWS) && routing->draws) {
        weft_random random =
            weft_packet_draw(layout->platform->network->seed, packet, WEFT_FOR_HOP);
        routing->kind->candidates(routing, &here, &random, &hop);
    } else {
        routing->kind->candidates(routing, &here, NULL, &hop);
    }
    if (features & WEFT_IQ_APART)
        hop.vcs = (uint16_t)(hop.vcs << layout->vc[traffic_class]);
    if (management)
        hop.vcs = (uint16_t)(1u << v);
    return hop;
}

/* Sets the output of a packet that has come to a router, unless it has several candidates. */
WEFT_HOT void weft_iq_route(weft_iq_traits features, const weft_iq_context *ctx,
                            weft_iq_packet *packet, uint32_t in, uint32_t v)
{
    const weft_iq_layout *layout = ctx->layout;
    bool here = weft_packet_header(&packet->event) == 0;
    if (!here && weft_iq_several(features, layout, &packet->event))
        return;
    weft_candidate hop = weft_iq_find(features, ctx, &packet->event, in, v);
    packet->out = hop.port;
    packet->vcs = hop.vcs;
    packet->after = hop.next_header;
    weft_iq_await(features, layout, ctx->record, packet);
}

/* Makes a packet the front of its FIFO; it may be granted from `ready` on. */
WEFT_HOT void weft_iq_lead(weft_iq_traits features, const weft_iq_context *ctx, uint32_t in,
                           uint32_t v, uint32_t handle, uint32_t ready)
{
    const weft_iq_layout *layout = ctx->layout;
    weft_iq_front *front = weft_iq_front_of(features, layout, ctx->record, in, v);
    const weft_iq_packet *packet = weft_iq_packet_at(ctx->iq, handle);
    front->flits = (uint16_t)weft_packet_flits(&packet->event);
    front->out = packet->out;
    front->vcs = packet->vcs;
    front->vc = UINT8_MAX;
    uint32_t dry = packet->event.when;
    if (!weft_iq_several(features, layout, &packet->event))
        dry += weft_iq_slack(features, layout, in, packet->out, front->flits);
    front->ready = weft_iq_later(dry, ready) ? dry : ready;
    if ((features & WEFT_IQ_VC_STAGE) &&
        packet->out >= layout->ports) { /* no VC to wait for, but the tick it takes */
        front->vc = 0;
        front->ready++;
    }
}

/* Puts a routed packet at the end of its queue; true if it is the front now. */
WEFT_HOT bool weft_iq_enqueue(weft_iq_traits features, const weft_iq_context *ctx, uint32_t in,
                              uint32_t v, uint32_t handle)
{
    const weft_iq *iq = ctx->iq;
    const weft_iq_layout *layout = ctx->layout;
    char *record = ctx->record;
    uint32_t queue = in * weft_iq_vcs(features, layout) + v,
             *tail = &weft_iq_front_of(features, layout, record, in, v)->tail;
    weft_iq_packet *packet = weft_iq_packet_at(iq, handle);
    bool empty;
    weft_iq_marking_enter(features, layout, record, queue, packet);
    if (weft_iq_is_management(features, layout, v))
        weft_iq_management_count(layout, record, in, 1);
    if (features & WEFT_IQ_QUEUE_EACH) {
        uint32_t words = weft_iq_words(features, layout);
        uint64_t *present = weft_iq_present(layout, record) + (size_t)queue * words;
        tail = &weft_iq_tails(layout, record)[(size_t)queue * layout->ins + packet->out];
        packet->ready = packet->event.when + weft_iq_slack(features, layout, in, packet->out,
                                                           weft_packet_flits(&packet->event));
        empty = !weft_set_has(words, present, packet->out);
        weft_set_add(words, present, packet->out);
    } else {
        empty = *tail == WEFT_IQ_NONE;
    }
    if (!empty) {
        weft_iq_packet *last = weft_iq_packet_at(iq, *tail);
        packet->event.to = last->event.to;
        last->event.to = handle;
        *tail = handle;
        return false;
    }
    packet->event.to = handle;
    *tail = handle;
    weft_iq_lines_of(record)[weft_iq_line_by(features, layout, in, v, packet->out)].waiting |= 1u
                                                                                               << v;
    if (!(features & WEFT_IQ_QUEUE_EACH)) /* its predecessor's tail may not have left yet */
        weft_iq_lead(features, ctx, in, v, handle,
                     weft_iq_front_of(features, layout, record, in, v)->ready);
    else if ((features & WEFT_IQ_REFRONT) &&
             weft_iq_later(weft_iq_left(layout, record)[queue * layout->ins + packet->out],
                           packet->ready))
        packet->ready = weft_iq_left(layout, record)[queue * layout->ins + packet->out];
    return true;
}

/* A head has come and is ready: it enters its queue. True if its router has to decide now: not for
 * a packet behind others, nor for one whose way is busy, which ends at a known tick. */
WEFT_HOT bool weft_iq_arrive(weft_iq_traits features, const weft_iq_context *ctx,
                             const weft_event *event)
{
    const weft_iq_layout *layout = ctx->layout;
    char *record = ctx->record;
    uint32_t in = weft_event_port(weft_iq_key(features, layout), event), v = weft_packet_vc(event);
    if (weft_iq_is_management(features, layout, v) &&
        weft_iq_managed(layout, record)[in] >= layout->management_room) {
        weft_tally_lose(ctx->iq->site->tally, weft_packet_traffic_class(event), ctx->now);
        return false;
    }
    uint32_t handle = weft_iq_take(ctx->iq);
    weft_iq_packet *packet = weft_iq_packet_at(ctx->iq, handle);
    packet->event = *event;
    packet->event.when = ctx->t;
    if (features & WEFT_IQ_REROUTES)
        weft_iq_reroute(ctx->iq, record, &packet->event, in, v);
    weft_iq_route(features, ctx, packet, in, v);
    if (!weft_iq_enqueue(features, ctx, in, v, handle))
        return weft_iq_marking_notes(features, ctx, in, v);
    uint32_t x = weft_iq_line_by(features, layout, in, v, packet->out), at = ctx->t;
    uint32_t line_free = weft_iq_lines_of(record)[x].free;
    if (weft_iq_later(line_free, at))
        at = line_free;
    if (!(features & (WEFT_IQ_INVOLVED & ~WEFT_IQ_VC_STAGE))) {
        uint32_t out_free = *weft_iq_out_free_at(features, layout, record, packet->out);
        at = weft_iq_later(out_free, at) ? out_free : at;
    }
    if ((features & WEFT_IQ_VC_STAGE) || at == ctx->t) {
        weft_iq_rouse(features, layout, record, x, ctx->t);
        (void)weft_iq_marking_notes(features, ctx, in, v);
        return true;
    }
    weft_iq_rouse(features, layout, record, x, at);
    weft_iq_wake(ctx, ctx->now + (int32_t)(at - ctx->t));
    return weft_iq_marking_notes(features, ctx, in, v);
}

/* Takes the front out of its queue, whose last packet is given; its tail leaves it at `end`. */
WEFT_HOT void weft_iq_leave(weft_iq_traits features, const weft_iq_context *ctx, uint32_t in,
                            uint32_t v, uint32_t out, uint32_t last_handle, uint32_t end)
{
    weft_iq *iq = ctx->iq;
    const weft_iq_layout *layout = ctx->layout;
    char *record = ctx->record;
    uint32_t queue = in * weft_iq_vcs(features, layout) + v,
             ready = end + (features & WEFT_IQ_REFRONT ? layout->refront : 0),
             line = weft_iq_line_by(features, layout, in, v, out);
    bool each = features & WEFT_IQ_QUEUE_EACH, empty = true;
    uint32_t *tail = each ? &weft_iq_tails(layout, record)[(size_t)queue * layout->ins + out]
                          : &weft_iq_front_of(features, layout, record, in, v)->tail;
    weft_iq_packet *last = weft_iq_packet_at(iq, last_handle);
    uint32_t handle = last->event.to;
    assert(*tail == last_handle);
    if (weft_iq_is_management(features, layout, v))
        weft_iq_management_count(layout, record, in, UINT32_MAX);
    if (handle != last_handle) {
        uint32_t next = last->event.to = weft_iq_packet_at(iq, handle)->event.to;
        weft_iq_packet *packet = weft_iq_packet_at(iq, next);
        if (!each)
            weft_iq_lead(features, ctx, in, v, next, ready);
        else if (weft_iq_later(ready, packet->ready))
            packet->ready = ready;
    } else {
        *tail = WEFT_IQ_NONE;
        if (!each)
            weft_iq_front_of(features, layout, record, in, v)->ready = ready;
        else if (features & WEFT_IQ_REFRONT)
            weft_iq_left(layout, record)[queue * layout->ins + out] = ready;
        if (each) {
            uint32_t words = weft_iq_words(features, layout);
            uint64_t *present = weft_iq_present(layout, record) + (size_t)queue * words;
            weft_set_remove(words, present, out);
            empty = weft_iq_line_empty(features, layout, present, line);
        }
        if (empty)
            weft_iq_lines_of(record)[line].waiting &= ~(1u << v);
    }
    weft_iq_release(features, layout, record, weft_iq_packet_at(iq, handle));
    weft_iq_give(iq, handle);
}

/* The VC behind an output that a packet takes now, and the route header there; false: there is
 * none. */
WEFT_HOT bool weft_iq_choose_hop(weft_iq_traits features, const weft_iq_context *ctx,
                                 const weft_iq_bid *bid, uint32_t *vc, uint32_t *after)
{
    uint32_t out = bid->out;
    int32_t units = weft_iq_units(features, bid->flits);
    *vc = 0;
    if (out >= ctx->layout->ports)
        return true;
    *after = bid->packet->after;
    if (!weft_iq_several(features, ctx->layout, &bid->packet->event)) {
        *vc = weft_iq_choose(features, ctx, out, bid->vcs, units);
        return *vc != WEFT_IQ_NONE;
    }
    weft_candidate hops[WEFT_MINIMAL_PORTS_MAX + 1];
    unsigned count = weft_iq_candidates(ctx->iq, ctx->record, bid, hops);
    for (unsigned i = 0; i < count; i++)
        if (hops[i].port == out && hops[i].escape == bid->escape) {
            *after = hops[i].next_header;
            *vc = weft_iq_choose(features, ctx, out, hops[i].vcs, units);
            return *vc != WEFT_IQ_NONE;
        }
    return false;
}

/* A packet enters an output buffer: the tick it starts on the link, not before `start`. */
static inline weft_time weft_iq_buffer(const weft_iq_context *ctx, uint32_t out, uint32_t flits,
                                       weft_time start)
{
    const weft_iq_layout *layout = ctx->layout;
    char *record = ctx->record;
    weft_iq_buffered_packet *list =
        weft_iq_buffered_packets(layout, record) + (size_t)out * (layout->out_room + 1);
    uint32_t *free = &weft_iq_link_free(layout, record)[out], kept = 0;
    if (weft_iq_later(*free, (uint32_t)start))
        start += (int32_t)(*free - (uint32_t)start);
    *free = (uint32_t)start + flits * weft_iq_period(layout->features, layout, out);
    for (uint32_t i = 1; i <= list[0].flits; i++)
        if (weft_iq_later(list[i].gone, ctx->t))
            list[++kept] = list[i];
    assert(kept < layout->out_room);
    list[++kept] = (weft_iq_buffered_packet){.gone = *free, .flits = flits};
    list[0].flits = kept;
    return start;
}

/* Where an output leads, or (back) where an input is fed from, and the number of the port there. */
WEFT_HOT weft_step weft_iq_step(weft_iq_traits features, const weft_iq_context *ctx, uint32_t port,
                                bool back, uint32_t *there)
{
    const weft_iq_layout *layout = &ctx->iq->layout;
    const weft_topology *topology = layout->topology;
    const weft_site *site = ctx->iq->site;
    if (features & WEFT_IQ_ON_LATTICE) {
        *there = weft_iq_peer(features, layout, port);
        if (weft_partition_is_next(weft_iq_head_of(ctx->record)->edges, port))
            return weft_partition_next(site->box, ctx->router, port);
        return weft_partition_around(layout->platform->partition, site->box, site->block,
                                     ctx->router, port);
    }
    const weft_partition *partition = layout->platform->partition;
    if (!(features & WEFT_IQ_ODD)) {
        *there = weft_iq_peer(features, layout, port);
        return weft_partition_step(partition, site->box, site->block, ctx->router, port);
    }
    uint32_t id = weft_iq_head_of(ctx->record)->id;
    weft_end end = back ? weft_topology_upstream(topology, id, port)
                        : topology->kind->peer(topology, id, port);
    *there = end.port;
    if (topology->lattice.dims)
        return weft_partition_step(partition, site->box, site->block, ctx->router, port);
    return weft_partition_reach(partition, site->block, end.router);
}

/* Returns the credits of a packet that leaves its buffer from now on. */
WEFT_HOT void weft_iq_return(weft_iq_traits features, const weft_iq_context *ctx,
                             const weft_iq_move *move)
{
    const weft_iq_layout *layout = ctx->layout;
    uint32_t in = move->in, out = move->out, flits = move->flits;
    weft_time start = ctx->now + weft_iq_credit_ticks(features, layout, in);
    if (features & WEFT_IQ_BY_PACKET)
        start += (flits - 1) * weft_iq_through(features, layout, out);
    weft_iq_credit_burst credit_burst = {.start = (uint32_t)start,
                                         .units = (uint16_t)weft_iq_units(features, flits),
                                         .vc = (uint8_t)move->vc};
    if (features & WEFT_IQ_RATES)
        credit_burst.class = (uint8_t)weft_iq_class(features, layout, out);
    weft_step step = {.slot = WEFT_INSIDE, .local = ctx->router};
    uint32_t port = in, due;
    if (in < layout->ports)
        step = weft_iq_step(features, ctx, in, true, &port);
    if (step.slot == WEFT_INSIDE && !(features & WEFT_IQ_EVENTS)) {
        weft_iq_context upstream =
            weft_iq_context_of(features, ctx->iq, ctx->block, step.local, ctx->now);
        if (weft_iq_credit(features, &upstream, port, credit_burst, &due))
            weft_iq_wake(&upstream, ctx->now + (int32_t)(due - ctx->t));
        return;
    }
    weft_event *event = step.slot == WEFT_INSIDE ? weft_emit(ctx->block, start)
                                                 : weft_emit_across(ctx->block, step.slot, start);
    event->to = step.local;
    weft_credit_make(weft_iq_key(features, layout), event, port, credit_burst.vc,
                     credit_burst.units, credit_burst.class);
}

/* The packet leaves the network: delivered when its endpoint has it all. */
WEFT_HOT void weft_iq_eject(weft_iq_traits features, const weft_iq_context *ctx,
                            const weft_iq_move *move, weft_time start)
{
    weft_iq *iq = ctx->iq;
    const weft_iq_layout *layout = ctx->layout;
    const weft_platform *platform = layout->platform;
    const weft_event *packet = move->packet;
    uint32_t router = ctx->router, out = move->out;
    uint32_t flits = move->flits, hosts = layout->stride;
    uint32_t host = (out - layout->ports) / weft_iq_each(features, layout);
    weft_time head = start + weft_iq_wire(features, layout, out),
              tail = head + (flits - 1) * weft_iq_period(features, layout, out);
    weft_time end = tail;
    if (iq->buses)
        end = weft_iq_endpoint_receive(iq, router * hosts + host, flits, head);
    if (features & WEFT_IQ_WATCHED)
        platform->trace->note(
            platform->trace->user, WEFT_TRACE_DELIVER, packet,
            weft_topology_first(layout->topology, weft_iq_head_of(ctx->record)->id -
                                                      layout->topology->egress_offset) +
                host,
            0, 0, end);
    if (features & WEFT_IQ_PACED)
        weft_iq_acknowledge(iq, ctx->block, packet, end);
    if (end < iq->sync_point || end <= ctx->now) { /* nothing reads counts before then */
        weft_assembly_deliver(iq->site, router, packet, end);
        return;
    }
    weft_event *event = weft_emit(ctx->block, end);
    event->to = router;
    weft_packet_move(weft_iq_key(features, layout), event, packet, WEFT_DELIVER, 0);
}

/* The packet goes on to another router, from tick start on. */
WEFT_HOT void weft_iq_forward(weft_iq_traits features, const weft_iq_context *ctx,
                              const weft_iq_move *move, weft_time start)
{
    const weft_iq_layout *layout = ctx->layout;
    const weft_event *packet = move->packet;
    uint32_t out = move->out, port;
    weft_time ready = start + weft_iq_wire(features, layout, out) + layout->ready;
    if (features & WEFT_IQ_STORED)
        ready += (move->flits - 1) * weft_iq_period(features, layout, out);
    weft_step step = weft_iq_step(features, ctx, out, false, &port);
    weft_event *event = step.slot == WEFT_INSIDE ? weft_emit(ctx->block, ready)
                                                 : weft_emit_across(ctx->block, step.slot, ready);
    event->to = step.local;
    weft_packet_move(weft_iq_key(features, layout), event, packet, WEFT_HEADER, port);
    event->key += move->cut;
    weft_packet_advance(event, move->after, move->out_vc);
    if (features & WEFT_IQ_COUNTED)
        weft_iq_note(ctx->iq, ctx->record, packet, move->cut, event);
}

/* Tells the scheduler what crosses. */
static inline void weft_iq_tell_size(const weft_iq_layout *layout, char *record,
                                     const weft_iq_move *move)
{
    weft_crossing crossing = {
        .input = move->line,
        .vc = move->vc,
        .output = move->out_line,
        .next_vc = weft_iq_next_vc(layout, move->packet, move->out, move->vc, move->vcs),
        .bytes = weft_iq_bytes_of(layout, move->flits)};
    layout->scheduler.kind->sent(&layout->scheduler, weft_iq_state(layout, record), &crossing);
}

/* The packet goes, from now on; returns the tick after its tail has left the buffer. */
WEFT_HOT uint32_t weft_iq_depart(weft_iq_traits features, const weft_iq_context *ctx,
                                 const weft_iq_move *move)
{
    const weft_iq_layout *layout = ctx->layout;
    char *record = ctx->record;
    uint32_t out = move->out, flits = move->flits, through = flits, busy = flits;
    if (features & WEFT_IQ_RATES) {
        through *= weft_iq_through(features, layout, out);
        busy *= weft_iq_period(features, layout, out);
    }
    weft_time start = ctx->now + layout->cross;
    uint32_t end = ctx->t + through;
    if (features & WEFT_IQ_COUNTED)
        weft_iq_counter_move(ctx->iq, record, move, ctx->t);
    if (features & WEFT_IQ_SIZED)
        weft_iq_tell_size(layout, record, move);
    weft_iq_lines_of(record)[move->line].free = end;
    *weft_iq_out_free_at(features, layout, record, move->out_line) = end;
    if (features & WEFT_IQ_BUFFERED)
        start = weft_iq_buffer(ctx, out, flits, start);
    if (features & WEFT_IQ_WAITS)
        weft_message_waits_note(ctx->iq->site, ctx->router, move->packet, out,
                                (uint32_t)(start - layout->cross) - move->ready);
    if (features & WEFT_IQ_WATCHED)
        layout->platform->trace->note(layout->platform->trace->user, WEFT_TRACE_HOP, move->packet,
                                      weft_iq_head_of(record)->id, out, move->out_vc, ctx->now);
    if (out < layout->ports) {
        if (features & WEFT_IQ_VC_STAGE)
            weft_iq_release_vc(layout, record, out, move->out_vc, end);
        if (!weft_iq_is_management(features, layout, move->out_vc))
            weft_iq_port_at(layout, record, out)->credits[move->out_vc] -=
                weft_iq_units(features, flits);
        if (features & WEFT_IQ_PAUSED)
            weft_iq_pause_sent(layout, weft_iq_port_at(layout, record, out), move->out_vc,
                               (uint32_t)weft_iq_units(features, flits),
                               (uint32_t)start + weft_iq_wire(features, layout, out) +
                                   weft_iq_credit_ticks(features, layout, out),
                               ctx->t);
        if (layout->platform->count_links)
            weft_iq_flits(layout, record)[out] += busy;
        weft_iq_forward(features, ctx, move, start);
    } else {
        weft_iq_eject(features, ctx, move, start);
    }
    if (!weft_iq_is_management(features, layout, move->vc))
        weft_iq_return(features, ctx, move);
    return end;
}

#endif
