/* SPDX-License-Identifier: Apache-2.0 */
/* Packets that wait in a router for its outputs, for routings that reroute by them. A packet with
 * one candidate is counted for that port and the first of its VCs from the tick after it came
 * on: those that come in one tick do not see each other, so it does not matter who is delivered
 * first. */
#ifndef WEFT_SIM_ROUTER_INPUT_QUEUED_BACKLOG_IMPL_H
#define WEFT_SIM_ROUTER_INPUT_QUEUED_BACKLOG_IMPL_H

#include "sim/packet.h"
#include "sim/router/input_queued/credit_impl.h"

static inline weft_iq_backlog *weft_iq_backlog_of(const weft_iq_layout *layout, char *record,
                                                  const weft_iq_packet *packet)
{
    return &weft_iq_backlogs(
        layout, record)[packet->out * layout->n_vcs + (uint32_t)__builtin_ctz(packet->vcs)];
}

/* A packet has come, in the tick event.when, and knows its output. */
WEFT_HOT void weft_iq_await(weft_iq_traits features, const weft_iq_layout *layout, char *record,
                            const weft_iq_packet *packet)
{
    if (!(features & WEFT_IQ_REROUTES) || weft_iq_several(features, layout, &packet->event) ||
        packet->out >= layout->ports)
        return;
    weft_iq_backlog *at = weft_iq_backlog_of(layout, record, packet);
    if (at->tick != packet->event.when) {
        at->held += at->fresh;
        at->fresh = 0;
        at->tick = packet->event.when;
    }
    at->fresh += weft_iq_units(features, weft_packet_flits(&packet->event));
}

/* The packet leaves. */
WEFT_HOT void weft_iq_release(weft_iq_traits features, const weft_iq_layout *layout, char *record,
                              const weft_iq_packet *packet)
{
    if ((features & WEFT_IQ_REROUTES) && !weft_iq_several(features, layout, &packet->event) &&
        packet->out < layout->ports)
        weft_iq_backlog_of(layout, record, packet)->held -=
            weft_iq_units(features, weft_packet_flits(&packet->event));
}

/* Units that wait for a VC behind an output, of packets that came before tick t. */
static inline int32_t weft_iq_awaited(const weft_iq_layout *layout, char *record, uint32_t out,
                                      uint32_t v, uint32_t t)
{
    const weft_iq_backlog *at = &weft_iq_backlogs(layout, record)[out * layout->n_vcs + v];
    return at->tick == t ? at->held : at->held + at->fresh;
}

#endif
