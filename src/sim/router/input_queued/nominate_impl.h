/* SPDX-License-Identifier: Apache-2.0 */
/* Plain routers with FIFOs and the bare pointers of the separable scheduler (sched/pointers.h):
 * a line need not be looked at beyond the front that it nominates, and the VC that this takes is
 * found with it. */
#ifndef WEFT_SIM_ROUTER_INPUT_QUEUED_NOMINATE_IMPL_H
#define WEFT_SIM_ROUTER_INPUT_QUEUED_NOMINATE_IMPL_H

#include "sched/pointers.h"
#include "sim/router/input_queued/scan_impl.h"

typedef struct weft_iq_nominee { /* of a line */
    uint8_t vc, out;
    uint8_t out_vc; /* that it takes behind the output */
} weft_iq_nominee;

WEFT_HOT uint8_t *weft_iq_pointers(const weft_iq_context *ctx)
{
    return (uint8_t *)weft_iq_state(ctx->layout, ctx->record);
}

/* After a grant. */
WEFT_HOT void weft_iq_move_pointers(weft_iq_traits features, const weft_iq_context *ctx,
                                    uint32_t line, uint32_t v, uint32_t out)
{
    const weft_iq_layout *layout = ctx->layout;
    weft_pointers_granted(weft_iq_pointers(ctx), layout->ins, weft_iq_vcs(features, layout), line,
                          v, out);
}

/* Does an output take a line rather than one before it? */
WEFT_HOT bool weft_iq_overtakes(weft_iq_traits features, const weft_iq_context *ctx, uint32_t out,
                                uint32_t before, uint32_t line)
{
    (void)features;
    return weft_pointers_overtakes(weft_iq_pointers(ctx), ctx->layout->ins, out, before, line);
}

/* The VC with the most credits among `vcs`, or the first that has enough; WEFT_IQ_NONE, with the
 * ticks until one has. */
WEFT_HOT uint32_t weft_iq_take_credits(weft_iq_traits features, const weft_iq_context *ctx,
                                       weft_iq_port *port, uint32_t vcs, int32_t units,
                                       uint32_t *wait)
{
    const weft_iq_layout *layout = ctx->layout;
    uint32_t chosen = WEFT_IQ_NONE, t = ctx->t, left = vcs;
    uint32_t bursts = weft_iq_collect_credits(features, layout, port, t), running = WEFT_IQ_NONE;
    int32_t most = units - 1, come = 0;
    if (bursts) { /* of those that are left only the first can have begun */
        const weft_iq_credit_burst *first = weft_iq_credit_bursts_by(features, layout, port);
        come = (int32_t)(t - first->start) + 1;
        come = come < 0 ? 0 : come;
        running = first->vc;
    }
    do {
        uint32_t w = (uint32_t)__builtin_ctz(left);
        int32_t room = port->credits[w] + (w == running ? come : 0);
        chosen = room > most ? w : chosen;
        most = room > most ? room : most;
        left &= left - 1;
    } while (left);
    if (chosen != WEFT_IQ_NONE)
        return chosen;
    *wait = WEFT_IQ_NEVER;
    for (left = bursts ? vcs : 0; left; left &= left - 1) {
        uint32_t w = (uint32_t)__builtin_ctz(left);
        weft_iq_bound(wait, weft_iq_credit_burst_wait(features, layout, port, w,
                                                      units - port->credits[w], t));
    }
    return WEFT_IQ_NONE;
}

/* The first front of a line from its pointer on that can go; false: none can, and *bound is the
 * ticks until one may. A line that is free has no packet whose predecessor is still leaving. */
WEFT_HOT bool weft_iq_nominate(weft_iq_traits features, const weft_iq_context *ctx, uint32_t line,
                               weft_iq_nominee *found, uint32_t *bound)
{
    const weft_iq_layout *layout = ctx->layout;
    const weft_iq_line *from = &weft_iq_lines_of(ctx->record)[line];
    uint32_t t = ctx->t, n_vcs = weft_iq_vcs(features, layout);
    *bound = WEFT_IQ_NEVER;
    if (weft_iq_later(from->free, t)) {
        *bound = from->free - t;
        return false;
    }
    const weft_iq_front *fronts = weft_iq_front_of(features, layout, ctx->record, line, 0);
    uint32_t first = weft_iq_pointers(ctx)[line], waiting = from->waiting;
    uint32_t turned = (waiting >> first | waiting << (n_vcs - first)) & ((1u << n_vcs) - 1);
    for (; turned; turned &= turned - 1) {
        uint32_t v = (uint32_t)__builtin_ctz(turned) + first, wait;
        v -= v >= n_vcs ? n_vcs : 0;
        uint32_t out = fronts[v].out, vc = 0;
        weft_iq_port *port = weft_iq_port_at(layout, ctx->record, out);
        assert(!weft_iq_later(fronts[v].ready, t));
        if (weft_iq_later(port->out_free, t)) {
            weft_iq_bound(bound, port->out_free - t);
            continue;
        }
        if (out < layout->ports) {
            vc = weft_iq_take_credits(features, ctx, port, fronts[v].vcs, fronts[v].flits, &wait);
            if (vc == WEFT_IQ_NONE) {
                weft_iq_starve(features, ctx, out, line, fronts[v].vcs, fronts[v].flits);
                weft_iq_bound(bound, wait);
                continue;
            }
        }
        *found = (weft_iq_nominee){.vc = (uint8_t)v, .out = (uint8_t)out, .out_vc = (uint8_t)vc};
        return true;
    }
    return false;
}

#endif
