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
typedef struct weft_iq_marking { /* a packet that starts */
    const weft_iq_packet *packet;
    uint32_t line, vc;    /* it comes from */
    uint32_t out, out_vc; /* it goes to; the VC behind a network output */
} weft_iq_marking;

/* Is it marked by what waits for its output at tick t, or by chance? */
bool weft_iq_mark_drawn(const weft_iq_layout *layout, char *record, const weft_iq_marking *of,
                        uint32_t t);
/* Notes a buffer that is congested at tick t, that of VC v of an input; false if it is not. */
bool weft_iq_note_congestion(const weft_iq_layout *layout, char *record, uint32_t in, uint32_t v,
                             uint32_t t);

/* What waits for the VL of an output that a packet of input VC v takes, where VLs are counted. */
static inline uint32_t *weft_iq_queued(const weft_iq_layout *layout, char *record,
                                       const weft_iq_packet *packet, uint32_t v)
{
    uint32_t vl = weft_iq_next_vc(layout, &packet->event, packet->out, v, packet->vcs);
    return &weft_iq_vl_queues(layout, record)[packet->out * layout->n_vcs + vl];
}

/* A routed packet enters a queue. */
WEFT_HOT void weft_iq_marking_enter(weft_iq_traits features, const weft_iq_layout *layout,
                                    char *record, uint32_t queue, const weft_iq_packet *packet)
{
    if (!(features & WEFT_IQ_MARKED))
        return;
    uint32_t units = (uint32_t)weft_iq_units(features, weft_packet_flits(&packet->event));
    weft_iq_markers(layout, record)[packet->out].waiting++;
    weft_iq_levels(layout, record)[queue].waiting += units;
    if (layout->marking.kind->by_vl)
        *weft_iq_queued(layout, record, packet, queue % layout->n_vcs) += units;
}

/* A packet has come to VC v of an input: true if its buffer is congested now. */
WEFT_HOT bool weft_iq_marking_notes(weft_iq_traits features, const weft_iq_context *ctx,
                                    uint32_t in, uint32_t v)
{
    return (features & WEFT_IQ_MARKED) &&
           weft_iq_note_congestion(ctx->layout, ctx->record, in, v, ctx->t);
}

/* A packet starts towards an output by a line: true if it is to be marked. */
WEFT_HOT bool weft_iq_marking_start(weft_iq_traits features, const weft_iq_context *ctx,
                                    const weft_iq_marking *of)
{
    if (!(features & WEFT_IQ_MARKED))
        return false;
    const weft_iq_layout *layout = ctx->layout;
    weft_iq_marker *marker = &weft_iq_markers(layout, ctx->record)[of->out];
    uint32_t units = (uint32_t)weft_iq_units(features, weft_packet_flits(&of->packet->event));
    uint32_t queue = of->line / layout->in_speed * layout->n_vcs + of->vc;
    bool marked = marker->due > 0 || weft_iq_mark_drawn(layout, ctx->record, of, ctx->t);
    marker->due -= marker->due > 0;
    marker->waiting--;
    if (layout->marking.kind->by_vl)
        *weft_iq_queued(layout, ctx->record, of->packet, of->vc) -= units;
    weft_iq_levels(layout, ctx->record)[queue].waiting -= units;
    weft_iq_leavers(layout, ctx->record)[of->line] = (weft_iq_leaver){.units = units, .vc = of->vc};
    return marked;
}

#endif
