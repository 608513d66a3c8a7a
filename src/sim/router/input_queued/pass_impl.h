/* SPDX-License-Identifier: Apache-2.0 */
/* The short way through a router. A head that comes to an empty line, while nothing else of its
 * router can be sent in this tick, and finds its output free and credits behind it, is granted
 * without having been in a queue. The router's state is then the same as after a decision. */
#ifndef WEFT_SIM_ROUTER_INPUT_QUEUED_PASS_IMPL_H
#define WEFT_SIM_ROUTER_INPUT_QUEUED_PASS_IMPL_H

#include "sim/router/input_queued/grant_impl.h"
#include "sim/router/input_queued/nominate_impl.h"

/* True if nothing else of this router can be sent in this tick. */
WEFT_HOT bool weft_iq_idle(weft_iq_traits features, const weft_iq_context *ctx)
{
    const weft_iq_layout *layout = ctx->layout;
    char *record = ctx->record;
    uint32_t t = ctx->t;
    const uint64_t *awake = weft_iq_awake(features, layout, record),
                   *all = weft_iq_calls(features, layout, record);
    const weft_iq_head *head = weft_iq_head_of(record);
    const weft_iq_line *line = weft_iq_lines_of(record);
    if (head->wake == t && head->armed)
        return false;
    for (uint32_t w = 0; w < weft_iq_words(features, layout); w++) {
        for (uint64_t lines = awake[w]; lines; lines &= lines - 1)
            if (!weft_iq_later(line[64 * w + weft_lowest(lines)].next, t))
                return false;
        for (uint64_t calls = all[w]; calls; calls &= calls - 1)
            if (!weft_iq_later(weft_iq_end_next(layout, record)[64 * w + weft_lowest(calls)], t))
                return false;
    }
    return true;
}

/* False, with nothing changed, if it has to wait or its router to decide. */
WEFT_HOT bool weft_iq_pass(weft_iq_traits features, const weft_iq_context *ctx,
                           const weft_event *event)
{
    const weft_iq_layout *layout = ctx->layout;
    char *record = ctx->record;
    uint32_t in = weft_event_port(weft_iq_key(features, layout), event), v = weft_packet_vc(event),
             t = ctx->t;
    uint32_t x = features & WEFT_IQ_FAST_IN ? weft_iq_line_for(layout, in, v, 0) : in,
             flits = weft_packet_flits(event), vc = 0;
    const weft_iq_line *line = &weft_iq_lines_of(record)[x];
    if (line->waiting || weft_iq_later(line->free, t) || !weft_iq_idle(features, ctx))
        return false;
    weft_candidate hop = weft_iq_find(features, ctx, event, in, v);
    uint32_t out = hop.port;
    if (weft_iq_later(*weft_iq_out_free_at(features, layout, record, out), t))
        return false;
    if (out < layout->ports) {
        if (features & WEFT_IQ_POINTERS) {
            uint32_t wait;
            vc = weft_iq_take_credits(features, ctx, weft_iq_port_at(layout, record, out), hop.vcs,
                                      (int32_t)flits, &wait);
        } else {
            (void)weft_iq_collect_credits(features, layout, weft_iq_port_at(layout, record, out),
                                          t);
            vc = weft_iq_choose(features, ctx, out, hop.vcs, weft_iq_units(features, flits));
        }
        if (vc == WEFT_IQ_NONE)
            return false;
    }
    weft_iq_move move = {.packet = event,
                         .cut = in < layout->ports,
                         .in = in,
                         .vc = v,
                         .line = x,
                         .out = out,
                         .out_vc = vc,
                         .out_line = out,
                         .after = hop.next_header,
                         .flits = flits,
                         .ready = t,
                         .since = t,
                         .vcs = hop.vcs};
    (void)weft_iq_depart(features, ctx, &move);
    if (features & WEFT_IQ_POINTERS)
        weft_iq_move_pointers(features, ctx, x, v, out);
    else
        layout->scheduler.kind->granted(&layout->scheduler, weft_iq_state(layout, record), x, v,
                                        out, true);
    return true;
}

#endif
