/* SPDX-License-Identifier: Apache-2.0 */
/* A packet moves: into a queue, and out of it through the crossbar. */
#ifndef WEFT_SIM_ROUTER_INPUT_QUEUED_GRANT_H
#define WEFT_SIM_ROUTER_INPUT_QUEUED_GRANT_H

#include "sim/assembly.h"
#include "sim/router/input_queued/backlog.h"
#include "sim/router/input_queued/endpoint.h"
#include "sim/router/input_queued/counters.h"
#include "sim/router/input_queued/scan.h"
#include "sim/router/input_queued/stage.h"
#include "sim/router/input_queued/wake.h"

/* Ticks a packet must wait beyond its head's readiness so that it cannot run dry towards an
 * output. */
WEFT_HOT uint32_t weft_iq_slack(unsigned mode, const weft_iq_layout *layout, uint32_t in,
                                uint32_t out, uint32_t flits)
{
    if (!(mode & WEFT_IQ_RATES) || (mode & WEFT_IQ_STORED) ||
        layout->period[in] <= layout->through[out])
        return 0;
    return (flits - 1) * (layout->period[in] - layout->through[out]);
}

WEFT_HOT uint32_t weft_iq_line_by(unsigned mode, const weft_iq_layout *layout, uint32_t in,
                                  uint32_t v)
{
    return mode & WEFT_IQ_FAST_IN ? weft_iq_line_for(layout, in, v) : in;
}

/* Where a packet that has come to a router goes, if there is one candidate. */
WEFT_HOT weft_candidate weft_iq_find(unsigned mode, const weft_iq_layout *layout, char *record,
                                     const weft_event *packet, uint32_t in, uint32_t v)
{
    weft_candidate hop = {0};
    if (weft_packet_header(packet) == 0) {
        hop.port =
            (uint8_t)(layout->ports + weft_packet_host(packet, WEFT_MARKED_HOSTS) * layout->each);
        return hop;
    }
    weft_route_context here = {.router = weft_iq_head_of(record)->id,
                               .header = weft_packet_header(packet),
                               .port = in < layout->ports ? (uint16_t)in : WEFT_FROM_ENDPOINT,
                               .vc = (uint16_t)v};
    uint32_t traffic_class = weft_packet_traffic_class(packet);
    const weft_routing *routing = layout->routing[traffic_class];
    if (mode & WEFT_IQ_APART)
        here.vc = (uint16_t)(in < layout->ports ? v - layout->vc[traffic_class] : v);
    if ((mode & WEFT_IQ_DRAWS) && routing->draws) {
        weft_random random =
            weft_packet_draw(layout->platform->network->seed, packet, WEFT_FOR_HOP);
        routing->kind->candidates(routing, &here, &random, &hop);
    } else {
        routing->kind->candidates(routing, &here, NULL, &hop);
    }
    if (mode & WEFT_IQ_APART)
        hop.vcs = (uint16_t)(hop.vcs << layout->vc[traffic_class]);
    return hop;
}

/* Where a packet that has come to a router wants to go. */
WEFT_HOT void weft_iq_route(unsigned mode, const weft_iq *iq, char *record, weft_iq_packet *packet,
                            uint32_t in, uint32_t v)
{
    const weft_iq_layout *layout = weft_iq_layout_by(mode, iq, record);
    bool here = weft_packet_header(&packet->event) == 0;
    packet->several = (mode & WEFT_IQ_SEVERAL) &&
                      (here ? layout->each > 1
                            : !layout->routing[weft_packet_traffic_class(&packet->event)]->single);
    if (packet->several && !here)
        return;
    weft_candidate hop = weft_iq_find(mode, layout, record, &packet->event, in, v);
    packet->out = hop.port;
    packet->vcs = hop.vcs;
    packet->after = hop.next_header;
    weft_iq_await(mode, layout, record, packet);
}

/* Makes a packet the front of its FIFO; it may be granted from `ready` on. */
WEFT_HOT void weft_iq_lead(unsigned mode, const weft_iq *iq, char *record, uint32_t in, uint32_t v,
                           uint32_t handle, uint32_t ready)
{
    const weft_iq_layout *layout = weft_iq_layout_by(mode, iq, record);
    weft_iq_front *front = &weft_iq_fronts(layout, record)[in * layout->n_vcs + v];
    const weft_iq_packet *packet = weft_iq_packet_at(iq, handle);
    front->head = handle;
    front->flits = (uint16_t)weft_packet_flits(&packet->event);
    front->out = packet->out;
    front->vcs = packet->vcs;
    front->several = packet->several;
    front->vc = UINT8_MAX;
    uint32_t dry = packet->event.when;
    if (!packet->several)
        dry += weft_iq_slack(mode, layout, in, packet->out, front->flits);
    front->ready = weft_iq_later(dry, ready) ? dry : ready;
    if (weft_iq_has(layout, WEFT_IQ_STAGED) &&
        packet->out >= layout->ports) { /* no VC to wait for, but the tick it takes */
        front->vc = 0;
        front->ready++;
    }
}

/* Puts a routed packet at the end of its queue; is it the front now? */
WEFT_HOT bool weft_iq_enqueue(unsigned mode, weft_iq *iq, char *record, uint32_t in, uint32_t v,
                              uint32_t handle)
{
    const weft_iq_layout *layout = weft_iq_layout_by(mode, iq, record);
    uint32_t queue = in * layout->n_vcs + v, *tail = &weft_iq_fronts(layout, record)[queue].tail;
    weft_iq_packet *packet = weft_iq_packet_at(iq, handle);
    bool empty;
    if (weft_iq_has(layout, WEFT_IQ_QUEUE_EACH)) {
        uint64_t *present = &weft_iq_present(layout, record)[queue],
                 bit = (uint64_t)1 << packet->out;
        tail = &weft_iq_tails(layout, record)[(size_t)queue * layout->ins + packet->out];
        packet->ready = packet->event.when + weft_iq_slack(mode, layout, in, packet->out,
                                                           weft_packet_flits(&packet->event));
        empty = !(*present & bit);
        *present |= bit;
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
    weft_iq_lines_of(record)[weft_iq_line_by(mode, layout, in, v)].waiting |= 1u << v;
    if (!(mode & WEFT_IQ_QUEUE_EACH)) /* its predecessor's tail may not have left yet */
        weft_iq_lead(mode, iq, record, in, v, handle, weft_iq_fronts(layout, record)[queue].ready);
    else if (layout->refront &&
             weft_iq_later(weft_iq_left(layout, record)[queue * layout->ins + packet->out],
                           packet->ready))
        packet->ready = weft_iq_left(layout, record)[queue * layout->ins + packet->out];
    return true;
}

/* A head has come and is ready: into its queue. Has its router to decide now? Not for a packet
 * behind others, nor for one whose way is busy: that ends at a tick that is known. */
WEFT_HOT bool weft_iq_arrive(unsigned mode, weft_iq *iq, weft_block *block, char *record,
                             const weft_event *event, weft_time now)
{
    const weft_iq_layout *layout = weft_iq_layout_by(mode, iq, record);
    uint32_t in = weft_event_port(event), v = weft_packet_vc(event), handle = weft_iq_take(iq);
    weft_iq_packet *packet = weft_iq_packet_at(iq, handle);
    packet->event = *event;
    packet->event.when = (uint32_t)now;
    if (mode & WEFT_IQ_SETTLES)
        weft_iq_reroute(iq, record, &packet->event, in, v);
    weft_iq_route(mode, iq, record, packet, in, v);
    if (!weft_iq_enqueue(mode, iq, record, in, v, handle))
        return false;
    uint32_t x = weft_iq_line_by(mode, layout, in, v), at = (uint32_t)now;
    uint32_t line_free = weft_iq_lines_of(record)[x].free;
    if (weft_iq_later(line_free, at))
        at = line_free;
    if (!(mode & (WEFT_IQ_INVOLVED & ~WEFT_IQ_STAGED))) {
        uint32_t out_free = weft_iq_out_free(layout, record)[packet->out];
        at = weft_iq_later(out_free, at) ? out_free : at;
    }
    if ((mode & WEFT_IQ_STAGED) || at == (uint32_t)now) {
        weft_iq_rouse(record, x, (uint32_t)now);
        return true;
    }
    weft_iq_rouse(record, x, at);
    weft_iq_wake(block, event->to, record, now + (int32_t)(at - (uint32_t)now));
    return false;
}

/* Takes the front out of its queue; its tail leaves it at `end`. */
WEFT_HOT void weft_iq_leave(unsigned mode, weft_iq *iq, char *record, uint32_t in, uint32_t v,
                            uint32_t out, uint32_t end)
{
    const weft_iq_layout *layout = weft_iq_layout_by(mode, iq, record);
    uint32_t queue = in * layout->n_vcs + v, ready = end + layout->refront;
    bool each = mode & WEFT_IQ_QUEUE_EACH, empty = true;
    uint32_t *tail = each ? &weft_iq_tails(layout, record)[(size_t)queue * layout->ins + out]
                          : &weft_iq_fronts(layout, record)[queue].tail;
    weft_iq_packet *last = weft_iq_packet_at(iq, *tail);
    uint32_t handle = last->event.to;
    if (handle != *tail) {
        uint32_t next = last->event.to = weft_iq_packet_at(iq, handle)->event.to;
        weft_iq_packet *packet = weft_iq_packet_at(iq, next);
        if (!each)
            weft_iq_lead(mode, iq, record, in, v, next, ready);
        else if (weft_iq_later(ready, packet->ready))
            packet->ready = ready;
    } else {
        *tail = WEFT_IQ_NONE;
        if (!each)
            weft_iq_fronts(layout, record)[queue].ready = ready;
        else if (layout->refront)
            weft_iq_left(layout, record)[queue * layout->ins + out] = ready;
        if (each)
            empty = (weft_iq_present(layout, record)[queue] &= ~((uint64_t)1 << out)) == 0;
        if (empty)
            weft_iq_lines_of(record)[weft_iq_line_by(mode, layout, in, v)].waiting &= ~(1u << v);
    }
    weft_iq_release(mode, layout, record, weft_iq_packet_at(iq, handle));
    weft_iq_give(iq, handle);
}

/* The VC behind an output that a packet takes now, and the route header there; false: there is
 * none. */
WEFT_HOT bool weft_iq_choose_hop(unsigned mode, const weft_iq *iq, char *record,
                                 const weft_iq_bid *bid, uint32_t t, uint32_t *vc, uint32_t *after)
{
    const weft_iq_layout *layout = weft_iq_layout_by(mode, iq, record);
    uint32_t out = bid->out;
    int32_t units = weft_iq_units(mode, bid->flits);
    *vc = 0;
    if (out >= layout->ports)
        return true;
    *after = bid->packet->after;
    if (!(mode & WEFT_IQ_SEVERAL) || !bid->packet->several) {
        *vc = weft_iq_choose(mode, layout, record, out, bid->vcs, units, t);
        return *vc != WEFT_IQ_NONE;
    }
    weft_candidate hops[WEFT_MINIMAL_PORTS_MAX + 1];
    unsigned count = weft_iq_candidates(iq, record, bid, hops);
    for (unsigned i = 0; i < count; i++)
        if (hops[i].port == out && hops[i].escape == bid->escape) {
            *after = hops[i].next_header;
            *vc = weft_iq_choose(mode, layout, record, out, hops[i].vcs, units, t);
            return *vc != WEFT_IQ_NONE;
        }
    return false;
}

/* A packet enters an output buffer: the tick it starts on the link, not before `start`. */
static inline weft_time weft_iq_buffer(const weft_iq_layout *layout, char *record, uint32_t out,
                                       uint32_t flits, weft_time start, uint32_t t)
{
    weft_iq_buffered_packet *list =
        weft_iq_buffered_packets(layout, record) + (size_t)out * (layout->out_room + 1);
    uint32_t *free = &weft_iq_link_free(layout, record)[out], kept = 0;
    if (weft_iq_later(*free, (uint32_t)start))
        start += (int32_t)(*free - (uint32_t)start);
    *free = (uint32_t)start + flits * layout->period[out];
    for (uint32_t i = 1; i <= list[0].flits; i++)
        if (weft_iq_later(list[i].gone, t))
            list[++kept] = list[i];
    assert(kept < layout->out_room);
    list[++kept] = (weft_iq_buffered_packet){.gone = *free, .flits = flits};
    list[0].flits = kept;
    return start;
}

/* Where an output leads, or (back) where an input is fed from, and the number of the port there. */
WEFT_HOT weft_step weft_iq_step(unsigned mode, const weft_iq *iq, uint32_t router, char *record,
                                uint32_t port, bool back, uint32_t *there)
{
    const weft_iq_layout *layout = &iq->layout;
    const weft_topology *topology = layout->topology;
    const weft_partition *partition = layout->platform->partition;
    const weft_site *site = iq->site;
    if (!(mode & WEFT_IQ_ODD)) {
        *there = layout->peer[port];
        return weft_partition_step(partition, site->box, site->block, router, port);
    }
    uint32_t id = weft_iq_head_of(record)->id;
    weft_end end = back ? weft_topology_upstream(topology, id, port)
                        : topology->kind->peer(topology, id, port);
    *there = end.port;
    if (topology->lattice.dims)
        return weft_partition_step(partition, site->box, site->block, router, port);
    return weft_partition_reach(partition, site->block, end.router);
}

/* Tells whoever feeds an input that a packet leaves its buffer, from now on. */
WEFT_HOT void weft_iq_return(unsigned mode, weft_iq *iq, weft_block *block, uint32_t router,
                             char *record, uint32_t in, uint32_t v, uint32_t out, uint32_t flits,
                             weft_time now)
{
    const weft_iq_layout *layout = weft_iq_layout_by(mode, iq, record);
    weft_time start = now + layout->credit[in];
    if (mode & WEFT_IQ_BY_PACKET)
        start += (flits - 1) * layout->through[out];
    weft_iq_credit_burst credit_burst = {.start = (uint32_t)start,
                                         .units = (uint16_t)weft_iq_units(mode, flits),
                                         .vc = (uint8_t)v,
                                         .class = layout->class[out]};
    weft_step step = {.slot = WEFT_INSIDE, .local = router};
    uint32_t port = in, due;
    if (in < layout->ports)
        step = weft_iq_step(mode, iq, router, record, in, true, &port);
    if (step.slot == WEFT_INSIDE && !(mode & WEFT_IQ_EVENTS)) {
        char *upstream = weft_iq_record_by(mode, iq, step.local);
        const weft_iq_layout *theirs = weft_iq_layout_by(mode, iq, upstream);
        if (weft_iq_credit(mode, theirs, upstream, port, credit_burst, (uint32_t)now, &due))
            weft_iq_wake(block, step.local, upstream, now + (int32_t)(due - (uint32_t)now));
        return;
    }
    weft_event *event = step.slot == WEFT_INSIDE ? weft_emit(block, start)
                                                 : weft_emit_across(block, step.slot, start);
    event->to = step.local;
    weft_credit_make(event, port, credit_burst.vc, credit_burst.units, credit_burst.class);
}

/* The packet leaves the network: delivered when its endpoint has it all. */
WEFT_HOT void weft_iq_eject(unsigned mode, weft_iq *iq, weft_block *block, uint32_t router,
                            char *record, const weft_event *packet, uint32_t out, weft_time start,
                            weft_time now)
{
    const weft_iq_layout *layout = weft_iq_layout_by(mode, iq, record);
    const weft_platform *platform = layout->platform;
    uint32_t flits = weft_packet_flits(packet), hosts = platform->network->topology.concentration;
    uint32_t host = (out - layout->ports) / layout->each;
    weft_time head = start + layout->wire[out], tail = head + (flits - 1) * layout->period[out];
    weft_time end = weft_iq_endpoint_receive(iq, router * hosts + host, flits, head, tail);
    if (mode & WEFT_IQ_WATCHED)
        platform->trace->note(
            platform->trace->user, WEFT_TRACE_DELIVER, packet,
            (weft_iq_head_of(record)->id - layout->topology->egress_offset) * hosts + host, 0, 0,
            end);
    if (end < iq->sync_point || end <= now) { /* nobody looks before then: counted at once */
        weft_assembly_deliver(iq->site, router, packet, end);
        return;
    }
    weft_event *event = weft_emit(block, end);
    event->to = router;
    weft_packet_move(event, packet, WEFT_DELIVER, 0);
}

/* The packet goes on to another router, by VC vc of its output, from tick start on. */
WEFT_HOT void weft_iq_forward(unsigned mode, weft_iq *iq, weft_block *block, uint32_t router,
                              char *record, const weft_event *packet, bool cut, uint32_t out,
                              uint32_t vc, uint32_t after, weft_time start)
{
    const weft_iq_layout *layout = weft_iq_layout_by(mode, iq, record);
    uint32_t port;
    weft_time ready = start + layout->wire[out] + layout->ready;
    if (mode & WEFT_IQ_STORED)
        ready += (weft_packet_flits(packet) - 1) * layout->period[out];
    weft_step step = weft_iq_step(mode, iq, router, record, out, false, &port);
    weft_event *event = step.slot == WEFT_INSIDE ? weft_emit(block, ready)
                                                 : weft_emit_across(block, step.slot, ready);
    event->to = step.local;
    weft_packet_move(event, packet, WEFT_HEADER, port);
    event->key += cut;
    weft_packet_advance(event, after, vc);
    if (mode & WEFT_IQ_COUNTED)
        weft_iq_note(iq, record, packet, cut, event);
}

/* The packet goes, from now on; returns the tick after its tail has left the buffer. */
WEFT_HOT uint32_t weft_iq_depart(unsigned mode, weft_iq *iq, weft_block *block, uint32_t router,
                                 char *record, const weft_iq_move *move, weft_time now)
{
    const weft_iq_layout *layout = weft_iq_layout_by(mode, iq, record);
    uint32_t out = move->out, flits = weft_packet_flits(move->packet), through = flits,
             busy = flits;
    if (mode & WEFT_IQ_RATES) {
        through *= layout->through[out];
        busy *= layout->period[out];
    }
    weft_time start = now + layout->cross;
    uint32_t t = (uint32_t)now, end = t + through;
    if (mode & WEFT_IQ_COUNTED)
        weft_iq_counter_move(iq, record, move, t);
    weft_iq_lines_of(record)[move->line].free = end;
    weft_iq_out_free(layout, record)[move->out_line] = end;
    if (mode & WEFT_IQ_BUFFERED)
        start = weft_iq_buffer(layout, record, out, flits, start, t);
    if (mode & WEFT_IQ_WATCHED)
        layout->platform->trace->note(layout->platform->trace->user, WEFT_TRACE_HOP, move->packet,
                                      weft_iq_head_of(record)->id, out, move->out_vc, now);
    if (out < layout->ports) {
        if (mode & WEFT_IQ_STAGED)
            weft_iq_stage_release(layout, record, out, move->out_vc, end);
        weft_iq_out_at(layout, record, out)->credits[move->out_vc] -= weft_iq_units(mode, flits);
        if (layout->platform->count_links)
            weft_iq_flits(layout, record)[out] += busy;
        weft_iq_forward(mode, iq, block, router, record, move->packet, move->cut, out, move->out_vc,
                        move->after, start);
    } else {
        weft_iq_eject(mode, iq, block, router, record, move->packet, out, start, now);
    }
    weft_iq_return(mode, iq, block, router, record, move->in, move->vc, out, flits, now);
    return end;
}

#endif
