/* SPDX-License-Identifier: Apache-2.0 */
/* Marks of congestion (net/marking.h). A router counts, per output, the packets that wait for it
 * and how many of the next ones are to be marked; per buffer, what lies in it, packets that are
 * leaving included. Arrivals only count and note which buffers are congested: the counts are copied
 * when all events of the tick are there, so their order does not matter. */
#ifndef WEFT_SIM_ROUTER_INPUT_QUEUED_MARKING_IMPL_H
#define WEFT_SIM_ROUTER_INPUT_QUEUED_MARKING_IMPL_H

#include "sim/router/input_queued/credit_impl.h"

/* Outputs that packets of congested buffers wait for are to mark all that wait for them. */
void weft_iq_mark_waiting(const weft_iq *iq, char *record);
/* A packet starts on an output with so many waiting for it: is it marked by chance? */
bool weft_iq_mark_drawn(const weft_iq_layout *layout, const weft_event *packet, uint32_t waiting);
/* Notes a buffer that is congested at tick t, that of VC v of an input; false if it is not. */
bool weft_iq_note_congestion(const weft_iq_layout *layout, char *record, uint32_t in, uint32_t v,
                             uint32_t t);

/* A routed packet enters a queue. */
WEFT_HOT void weft_iq_marking_enter(unsigned features, const weft_iq_layout *layout, char *record,
                                    uint32_t queue, const weft_iq_packet *packet)
{
    if (!(features & WEFT_IQ_MARKED))
        return;
    weft_iq_markers(layout, record)[packet->out].waiting++;
    weft_iq_levels(layout, record)[queue].waiting +=
        (uint32_t)weft_iq_units(features, weft_packet_flits(&packet->event));
}

/* A packet has come to VC v of an input: true if its buffer is congested now. */
WEFT_HOT bool weft_iq_marking_notes(unsigned features, const weft_iq_context *ctx, uint32_t in,
                                    uint32_t v)
{
    return (features & WEFT_IQ_MARKED) &&
           weft_iq_note_congestion(ctx->layout, ctx->record, in, v, ctx->t);
}

/* A packet of VC v of an input starts towards an output by a line: it may be marked. */
WEFT_HOT void weft_iq_marking_start(unsigned features, const weft_iq_context *ctx, uint32_t line,
                                    uint32_t v, uint32_t out, weft_event *packet)
{
    if (!(features & WEFT_IQ_MARKED))
        return;
    const weft_iq_layout *layout = ctx->layout;
    weft_iq_marker *marker = &weft_iq_markers(layout, ctx->record)[out];
    uint32_t units = (uint32_t)weft_iq_units(features, weft_packet_flits(packet));
    uint32_t queue = line / layout->in_speed * layout->n_vcs + v;
    if (marker->due > 0 || weft_iq_mark_drawn(layout, packet, marker->waiting))
        weft_packet_set_mark(packet, WEFT_MARK_CONGESTED);
    marker->due -= marker->due > 0;
    marker->waiting--;
    weft_iq_levels(layout, ctx->record)[queue].waiting -= units;
    weft_iq_leavers(layout, ctx->record)[line] = (weft_iq_leaver){.units = units, .vc = v};
}

#endif
