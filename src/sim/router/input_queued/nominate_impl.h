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
    uint32_t bound; /* ticks until one of those before it may go */
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

/* The VC with the most credits, at least `units`, or WEFT_IQ_NONE. Of the burst that is running
 * `come` have come for its VC. */
WEFT_HOT uint32_t weft_iq_most_credits(const weft_iq_port *port, uint32_t vcs, int32_t units,
                                       uint32_t running, int32_t come)
{
    uint32_t chosen = WEFT_IQ_NONE;
    int32_t most = units - 1;
    do {
        uint32_t w = (uint32_t)__builtin_ctz(vcs);
        int32_t room = port->credits[w] + (w == running ? come : 0);
        chosen = room > most ? w : chosen;
        most = room > most ? room : most;
        vcs &= vcs - 1;
    } while (vcs);
    return chosen;
}

/* The VC with the most credits among `vcs`; WEFT_IQ_NONE, with the ticks until one has enough. */
WEFT_HOT uint32_t weft_iq_take_credits(weft_iq_traits features, const weft_iq_context *ctx,
                                       weft_iq_port *port, uint32_t vcs, int32_t units,
                                       uint32_t *wait)
{
    const weft_iq_layout *layout = ctx->layout;
    uint32_t t = ctx->t;
    *wait = WEFT_IQ_NEVER;
    if (weft_iq_collect_credits(features, layout, port, t) == 0)
        return weft_iq_most_credits(port, vcs, units, WEFT_IQ_NONE, 0);
    /* of the bursts that are left only the first can have begun */
    const weft_iq_credit_burst *first = weft_iq_credit_bursts_by(features, layout, port);
    int32_t come = (int32_t)(t - first->start) + 1;
    uint32_t chosen = weft_iq_most_credits(port, vcs, units, first->vc, come < 0 ? 0 : come);
    for (; chosen == WEFT_IQ_NONE && vcs; vcs &= vcs - 1) {
        uint32_t w = (uint32_t)__builtin_ctz(vcs);
        weft_iq_bound(wait, weft_iq_credit_burst_wait(features, layout, port, w,
                                                      units - port->credits[w], t));
    }
    return chosen;
}

/* The VCs with packets of a line, in the order in which it looks at them. */
WEFT_HOT uint32_t weft_iq_turned(weft_iq_traits features, const weft_iq_context *ctx, uint32_t line)
{
    uint32_t n_vcs = weft_iq_vcs(features, ctx->layout);
    uint32_t waiting = weft_iq_lines_of(ctx->record)[line].waiting;
    uint32_t turned = (waiting | waiting << n_vcs) >> weft_iq_pointers(ctx)[line];
    return turned & ((1u << n_vcs) - 1);
}

/* The first of some VCs of a line, turned, whose front can go; false: none can, and *bound is
 * brought forward to the ticks until one may. A line that is free has no packet whose predecessor
 * is still leaving. */
WEFT_HOT bool weft_iq_nominate_of(weft_iq_traits features, const weft_iq_context *ctx,
                                  uint32_t line, uint32_t turned, weft_iq_nominee *found,
                                  uint32_t *bound)
{
    const weft_iq_layout *layout = ctx->layout;
    uint32_t t = ctx->t, n_vcs = weft_iq_vcs(features, layout);
    uint32_t known = WEFT_IQ_KNOWN_VCS(features);
    const weft_iq_front *fronts = weft_iq_front_of(features, layout, ctx->record, line, 0);
    uint32_t first = weft_iq_pointers(ctx)[line];
    for (; turned; turned &= turned - 1) {
        uint32_t v = (uint32_t)__builtin_ctz(turned) + first, wait;
        if (known && !(known & (known - 1)))
            v &= known - 1;
        else
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
        *found = (weft_iq_nominee){
            .vc = (uint8_t)v, .out = (uint8_t)out, .out_vc = (uint8_t)vc, .bound = *bound};
        return true;
    }
    return false;
}

/* The first front of a line from its pointer on that can go; false: none can, and *bound is the
 * ticks until one may. */
WEFT_HOT bool weft_iq_nominate(weft_iq_traits features, const weft_iq_context *ctx, uint32_t line,
                               weft_iq_nominee *found, uint32_t *bound)
{
    const weft_iq_line *from = &weft_iq_lines_of(ctx->record)[line];
    *bound = WEFT_IQ_NEVER;
    if (weft_iq_later(from->free, ctx->t)) {
        *bound = from->free - ctx->t;
        return false;
    }
    uint32_t turned = weft_iq_turned(features, ctx, line);
    return weft_iq_nominate_of(features, ctx, line, turned, found, bound);
}

/* Ticks until a line may send whose nominee's output has taken another one in this tick. */
WEFT_HOT uint32_t weft_iq_lost(weft_iq_traits features, const weft_iq_context *ctx, uint32_t line,
                               const weft_iq_nominee *nominee)
{
    uint32_t bound = nominee->bound, first = weft_iq_pointers(ctx)[line];
    uint32_t n_vcs = weft_iq_vcs(features, ctx->layout);
    uint32_t place = nominee->vc - first + (nominee->vc < first ? n_vcs : 0);
    uint32_t after = weft_iq_turned(features, ctx, line) >> place & ~1u;
    weft_iq_nominee other;
    weft_iq_bound(&bound,
                  weft_iq_port_at(ctx->layout, ctx->record, nominee->out)->out_free - ctx->t);
    return weft_iq_nominate_of(features, ctx, line, after << place, &other, &bound) ? 1 : bound;
}

#endif
