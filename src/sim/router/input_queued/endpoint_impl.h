/* SPDX-License-Identifier: Apache-2.0 */
/* Endpoints of input-queued routers: a queue per traffic class in front of the injection links.
 * The next packet of every class is *staged*: it exists, and may have to be fetched over the I/O
 * bus; all the others are cursors. */
#ifndef WEFT_SIM_ROUTER_INPUT_QUEUED_ENDPOINT_IMPL_H
#define WEFT_SIM_ROUTER_INPUT_QUEUED_ENDPOINT_IMPL_H

#include "sim/jobs/message_waits.h"
#include "sim/pace.h"
#include "sim/router/input_queued/congestion/ack.h"
#include "sim/router/input_queued/adapter.h"
#include "sim/router/input_queued/nominate_impl.h"
#include "sim/router/input_queued/scan_impl.h"
#include "sim/router/input_queued/wake_impl.h"
#include "sim/source.h"

/* Materialises the next packet of a source that has nothing staged; its message has arrived. */
void weft_iq_endpoint_stage(weft_iq *iq, uint32_t source, weft_time now);
/* True if the staged packet of a source has waited longer than that of another. */
bool weft_iq_endpoint_older(const weft_iq *iq, uint32_t source, uint32_t other);
/* With a bus: the tick in which a packet is in the endpoint's memory whose first flit reaches it at
 * `head`. */
weft_time weft_iq_endpoint_receive(weft_iq *iq, uint32_t endpoint, uint32_t flits, weft_time head);

/* Of the staged packets that a link could start now the one that has waited longest, or that of the
 * VL whose turn it is; management goes first. Or WEFT_IQ_NONE. *bound: ticks until another may.
 * *vc, with bare pointers: that it takes. */
WEFT_HOT uint32_t weft_iq_endpoint_pick(weft_iq_traits features, const weft_iq_context *ctx,
                                        uint32_t endpoint, uint32_t link, uint32_t *bound,
                                        uint32_t *vc)
{
    const weft_iq *iq = ctx->iq;
    const weft_iq_layout *layout = ctx->layout;
    uint32_t traffic_classes = weft_iq_classes(features, layout), found = WEFT_IQ_NONE, t = ctx->t;
    uint32_t first = WEFT_IQ_NONE; /* of management */
    weft_iq_offers offers = {.asking = 0};
    if (features & WEFT_IQ_FAST_IN)
        weft_set_clear(
            weft_iq_words(features, layout),
            weft_iq_starved(features, layout, weft_iq_port_at(layout, ctx->record, link)));
    for (uint32_t s = endpoint * traffic_classes; s < (endpoint + 1) * traffic_classes; s++) {
        if (iq->staged[s] == WEFT_IQ_NONE)
            continue;
        const weft_event *packet = &weft_iq_packet_at(iq, iq->staged[s])->event;
        int32_t units = weft_iq_units(features, weft_packet_flits(packet));
        if ((features & WEFT_IQ_PACED) && weft_pace_closed(iq->site, s))
            continue; /* until an ACK comes */
        if (weft_iq_later(packet->when, t)) {
            weft_iq_bound(bound, packet->when - t);
            continue;
        }
        uint32_t vcs =
            features & WEFT_IQ_APART ? layout->class_vcs[s % traffic_classes] : layout->all_vcs;
        uint32_t wait = 0, w = 0;
        if (!(features & WEFT_IQ_POINTERS)) {
            wait = weft_iq_room_wait(features, ctx, link, vcs, units);
        } else {
            weft_iq_port *port = weft_iq_port_at(layout, ctx->record, link);
            w = weft_iq_take_credits(features, ctx, port, vcs, units, &wait);
            wait = w == WEFT_IQ_NONE ? wait : 0;
        }
        if (wait) {
            weft_iq_starve(features, ctx, link, 0, vcs, units);
            weft_iq_bound(bound, wait);
            continue;
        }
        if (weft_iq_are_management(features, layout, vcs)) {
            if (first == WEFT_IQ_NONE || weft_iq_endpoint_older(iq, s, first))
                first = s;
        } else if (features & WEFT_IQ_ADAPTERS) {
            uint32_t vl = weft_iq_choose(features, ctx, link, vcs, units);
            if (!(offers.asking >> vl & 1) || weft_iq_endpoint_older(iq, s, offers.source[vl]))
                offers.source[vl] = s;
            offers.asking |= 1u << vl;
        } else if (found == WEFT_IQ_NONE || weft_iq_endpoint_older(iq, s, found)) {
            found = s;
            *vc = w;
        }
    }
    if ((features & WEFT_IQ_MANAGED) && first != WEFT_IQ_NONE)
        return first;
    if (features & WEFT_IQ_ADAPTERS)
        found = weft_iq_adapter_pick(layout, ctx->record, link, &offers);
    return found;
}

/* Notes how long a packet has waited for its link beyond the packet before it. */
static inline void weft_iq_endpoint_waited(const weft_iq_context *ctx, const weft_event *packet,
                                           uint32_t free)
{
    uint32_t since = weft_iq_later(free, packet->when) ? free : packet->when;
    if (weft_iq_later(ctx->t, since))
        weft_message_waits_note(ctx->iq->site, ctx->router, packet, WEFT_WAIT_INJECTION,
                                ctx->t - since);
}

/* Starts the staged packet of a source on an injection link. */
WEFT_HOT void weft_iq_endpoint_start(weft_iq_traits features, const weft_iq_context *ctx,
                                     uint32_t source, uint32_t link, uint32_t vc)
{
    weft_iq *iq = ctx->iq;
    const weft_iq_layout *layout = ctx->layout;
    char *record = ctx->record;
    weft_time now = ctx->now;
    const weft_platform *platform = layout->platform;
    const weft_event *packet = &weft_iq_packet_at(iq, iq->staged[source])->event;
    uint32_t flits = weft_packet_flits(packet),
             period = features & WEFT_IQ_RATES ? weft_iq_period(features, layout, link) : 1;
    int32_t units = weft_iq_units(features, flits);
    uint32_t vcs = features & WEFT_IQ_APART
                       ? layout->class_vcs[source % weft_iq_classes(features, layout)]
                       : layout->all_vcs;
    if (!(features & WEFT_IQ_POINTERS))
        vc = weft_iq_choose(features, ctx, link, vcs, units);
    assert(vc < weft_iq_vcs(features, layout));
    bool management = weft_iq_is_management(features, layout, vc);
    if ((features & WEFT_IQ_ADAPTERS) && !management)
        weft_iq_adapter_sent(layout, record, link, vc, flits);
    if (!management)
        weft_iq_port_at(layout, record, link)->credits[vc] -= units;
    if (features & WEFT_IQ_PAUSED)
        weft_iq_pause_sent(layout, weft_iq_port_at(layout, record, link), vc, (uint32_t)units,
                           (uint32_t)(now + platform->send_delay) +
                               weft_iq_wire(features, layout, link) +
                               weft_iq_credit_ticks(features, layout, link),
                           ctx->t);
    if (features & WEFT_IQ_WAITS)
        weft_iq_endpoint_waited(ctx, packet,
                                weft_iq_end_free(layout, record)[link - layout->ports]);
    weft_iq_end_free(layout, record)[link - layout->ports] = (uint32_t)now + flits * period;
    weft_time ready =
        now + platform->send_delay + weft_iq_wire(features, layout, link) + layout->ready;
    if (features & WEFT_IQ_STORED)
        ready += (flits - 1) * period;
    weft_event *event = weft_emit(ctx->block, ready);
    event->to = ctx->router;
    weft_packet_move(weft_iq_key(features, layout), event, packet, WEFT_ENTER, link);
    weft_packet_enter_vc(event, vc);
    if (features & WEFT_IQ_WATCHED)
        platform->trace->note(platform->trace->user, WEFT_TRACE_INJECT, event,
                              weft_packet_source(event),
                              (link - layout->ports) % weft_iq_each(features, layout), vc, now);
    if (features & WEFT_IQ_PACED)
        weft_pace_start(iq->site, source, flits, now);
    weft_iq_give(iq, iq->staged[source]);
    iq->staged[source] = WEFT_IQ_NONE;
    if (weft_sources_due(iq->site, source, now))
        weft_iq_endpoint_stage(iq, source, now);
    else
        weft_sources_arm(iq->site, ctx->block, source, now);
    if (features & WEFT_IQ_PACED)
        weft_iq_space(iq, source);
}

/* Starts a packet on every injection link of an endpoint that can take one; sets the tick of the
 * next try. */
WEFT_HOT void weft_iq_endpoint_send(weft_iq_traits features, const weft_iq_context *ctx,
                                    uint32_t host)
{
    weft_iq *iq = ctx->iq;
    const weft_iq_layout *layout = ctx->layout;
    char *record = ctx->record;
    uint32_t endpoint = ctx->router * layout->stride + host, t = ctx->t;
    uint32_t first = layout->ports + host * weft_iq_each(features, layout), bound = WEFT_IQ_NEVER;
    bool started = false, idle = false;
    if (features & WEFT_IQ_PACED)
        weft_iq_apply_acks(iq, endpoint, ctx->now);
    for (uint32_t s = endpoint * weft_iq_classes(features, layout);
         s < (endpoint + 1) * weft_iq_classes(features, layout); s++)
        if (iq->staged[s] == WEFT_IQ_NONE &&
            weft_sources_due(iq->site, s, ctx->now)) { /* in the order of classes */
            weft_iq_endpoint_stage(iq, s, ctx->now);
            if (features & WEFT_IQ_PACED)
                weft_iq_space(iq, s);
        }
    for (uint32_t link = first; link < first + weft_iq_each(features, layout); link++) {
        uint32_t free = weft_iq_end_free(layout, record)[link - layout->ports], source, vc = 0;
        if (!weft_iq_later(free, t) &&
            (source = weft_iq_endpoint_pick(features, ctx, endpoint, link, &bound, &vc)) !=
                WEFT_IQ_NONE) {
            weft_iq_endpoint_start(features, ctx, source, link, vc);
            free = weft_iq_end_free(layout, record)[link - layout->ports];
            started = true;
        }
        if (weft_iq_later(free, t))
            weft_iq_bound(&bound, free - t);
        else
            idle = true;
    }
    if (started && idle) /* a link that could not take the packet before may take the next one */
        bound = 1;
    bool any = false;
    for (uint32_t s = endpoint * weft_iq_classes(features, layout);
         s < (endpoint + 1) * weft_iq_classes(features, layout); s++)
        any |= iq->staged[s] != WEFT_IQ_NONE;
    weft_set_remove(weft_iq_words(features, layout), weft_iq_calls(features, layout, record), host);
    if (any && bound != WEFT_IQ_NEVER)
        weft_iq_call(features, layout, record, host, t + bound);
}

#endif
