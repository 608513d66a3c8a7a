/* SPDX-License-Identifier: Apache-2.0 */
/* Credit bursts: the credits that a grant downstream returns flit by flit are one message.
 * `credits` counts those of complete bursts; other bursts are listed behind their output in the
 * order of their arrival. A packet may take the part of a burst that has come, so `credits` may be
 * negative meanwhile. Bursts of one VC never overlap: where a VC feeds several outputs at a time,
 * buffers are counted in packets, and a burst is one credit. */
#ifndef WEFT_SIM_ROUTER_INPUT_QUEUED_CREDIT_IMPL_H
#define WEFT_SIM_ROUTER_INPUT_QUEUED_CREDIT_IMPL_H

#include "sim/router/input_queued/pause/pause.h"
#include "sim/router/input_queued/record.h"

#define WEFT_IQ_NEVER UINT32_MAX /* as a number of ticks: not in sight */

WEFT_HOT int32_t weft_iq_units(weft_iq_traits features, uint32_t flits)
{
    return features & WEFT_IQ_BY_PACKET ? 1 : (int32_t)flits;
}

WEFT_HOT uint32_t weft_iq_credit_burst_period(weft_iq_traits features, const weft_iq_layout *layout,
                                              const weft_iq_credit_burst *credit_burst)
{
    return features & WEFT_IQ_RATES ? layout->class_through[credit_burst->class] : 1;
}

/* Units of a burst that come after tick t. */
WEFT_HOT int32_t weft_iq_credit_burst_late(weft_iq_traits features, const weft_iq_layout *layout,
                                           const weft_iq_credit_burst *credit_burst, uint32_t t)
{
    int32_t since = (int32_t)(t - credit_burst->start);
    if (since < 0)
        return credit_burst->units;
    uint32_t come = (uint32_t)since + 1;
    if (features & WEFT_IQ_RATES)
        come = (uint32_t)since / layout->class_through[credit_burst->class] + 1;
    return come >= credit_burst->units ? 0 : (int32_t)(credit_burst->units - come);
}

/* Adds the bursts behind an output that are complete at tick t to its credits; returns how many
 * are left. */
WEFT_HOT uint32_t weft_iq_collect_credits(weft_iq_traits features, const weft_iq_layout *layout,
                                          weft_iq_port *out, uint32_t t)
{
    if (out->credit_bursts == 0)
        return 0;
    weft_iq_credit_burst *credit_burst = weft_iq_credit_bursts_by(features, layout, out);
    uint32_t kept = 0, count = out->credit_bursts;
    if (features & WEFT_IQ_POINTERS) { /* of one line: one after the other */
        uint32_t done = 0;
        for (; done < count && !weft_iq_credit_burst_late(features, layout, &credit_burst[done], t);
             done++)
            out->credits[credit_burst[done].vc] += credit_burst[done].units;
        if (done == 0)
            return count;
        for (uint32_t i = done; i < count; i++)
            credit_burst[i - done] = credit_burst[i];
        out->credit_bursts = (uint8_t)(count - done);
        return count - done;
    }
    for (uint32_t i = 0; i < count; i++)
        if (weft_iq_credit_burst_late(features, layout, &credit_burst[i], t)) {
            credit_burst[kept++] = credit_burst[i];
        } else {
            out->credits[credit_burst[i].vc] += credit_burst[i].units;
            if (features & WEFT_IQ_COUNTED && layout->rows > 0)
                weft_iq_came(layout, out)[credit_burst[i].vc] =
                    credit_burst[i].start +
                    (credit_burst[i].units - 1u) *
                        weft_iq_credit_burst_period(features, layout, &credit_burst[i]);
        }
    out->credit_bursts = (uint8_t)kept;
    return kept;
}

/* Credits of VC w behind an output at tick t. */
WEFT_HOT int32_t weft_iq_credits_at(weft_iq_traits features, const weft_iq_layout *layout,
                                    weft_iq_port *out, uint32_t w, uint32_t t)
{
    int32_t credits = out->credits[w];
    const weft_iq_credit_burst *credit_burst = weft_iq_credit_bursts_by(features, layout, out);
    for (uint32_t i = out->credit_bursts; i-- > 0;)
        if (credit_burst[i].vc == w)
            credits += credit_burst[i].units -
                       weft_iq_credit_burst_late(features, layout, &credit_burst[i], t);
    return credits;
}

/* Ticks from t until VC w has `lack` more than its credits, by the bursts that are known. */
WEFT_HOT uint32_t weft_iq_credit_burst_wait(weft_iq_traits features, const weft_iq_layout *layout,
                                            weft_iq_port *out, uint32_t w, int32_t lack, uint32_t t)
{
    const weft_iq_credit_burst *credit_burst = weft_iq_credit_bursts_by(features, layout, out);
    for (uint32_t i = 0; i < out->credit_bursts; i++) {
        if (credit_burst[i].vc != w)
            continue;
        if (credit_burst[i].units >= lack) { /* the last one that is needed is of this burst */
            uint32_t at = credit_burst[i].start +
                          ((uint32_t)lack - 1) *
                              weft_iq_credit_burst_period(features, layout, &credit_burst[i]);
            return weft_iq_later(at, t) ? at - t : 0;
        }
        lack -= credit_burst[i].units;
    }
    return WEFT_IQ_NEVER;
}

/* With a pool: units that VC w of an output may use at t; ticks until one of the VCs has enough. */
int32_t weft_iq_pool_at(weft_iq_traits features, const weft_iq_layout *layout, char *record,
                        uint32_t out, uint32_t w, uint32_t t);
uint32_t weft_iq_pool_wait(weft_iq_traits features, const weft_iq_context *ctx, uint32_t out,
                           uint32_t vcs, int32_t units);

/* Ticks from now until one of the VCs has room for so many units. */
WEFT_HOT uint32_t weft_iq_room_wait(weft_iq_traits features, const weft_iq_context *ctx,
                                    uint32_t port, uint32_t vcs, int32_t units)
{
    if (weft_iq_are_management(features, ctx->layout, vcs))
        return 0;
    if (features & (WEFT_IQ_POOLED | WEFT_IQ_PAUSED)) {
        const weft_iq_context copy = *ctx; /* as its address leaves: ctx stays in registers */
        if (features & WEFT_IQ_PAUSED)
            return weft_iq_pause_wait(copy.layout, weft_iq_port_at(copy.layout, copy.record, port),
                                      vcs, copy.t);
        return weft_iq_pool_wait(features, &copy, port, vcs, units);
    }
    const weft_iq_layout *layout = ctx->layout;
    weft_iq_port *out = weft_iq_port_at(layout, ctx->record, port);
    uint32_t t = ctx->t;
    uint32_t least = WEFT_IQ_NEVER,
             credit_bursts = weft_iq_collect_credits(features, layout, out, t);
    for (; vcs; vcs &= vcs - 1) {
        uint32_t w = (uint32_t)__builtin_ctz(vcs), wait = WEFT_IQ_NEVER;
        if (out->credits[w] >= units)
            return 0;
        if (credit_bursts)
            wait = weft_iq_credit_burst_wait(features, layout, out, w, units - out->credits[w], t);
        if (wait == 0)
            return 0;
        least = wait < least ? wait : least;
    }
    return least;
}

/* Units of VC w at t. */
WEFT_HOT int32_t weft_iq_room_at(weft_iq_traits features, const weft_iq_layout *layout,
                                 char *record, uint32_t out, uint32_t w, uint32_t t)
{
    if (!(features & (WEFT_IQ_POOLED | WEFT_IQ_PAUSED)))
        return weft_iq_credits_at(features, layout, weft_iq_port_at(layout, record, out), w, t);
    return features & WEFT_IQ_PAUSED
               ? weft_iq_pause_at(layout, weft_iq_port_at(layout, record, out), w, t)
               : weft_iq_pool_at(features, layout, record, out, w, t);
}

/* The VC a packet takes among `vcs`: the one with the most credits or the first that has enough; or
 * WEFT_IQ_NONE. */
WEFT_HOT uint32_t weft_iq_choose(weft_iq_traits features, const weft_iq_context *ctx, uint32_t port,
                                 uint32_t vcs, int32_t units)
{
    uint32_t chosen = WEFT_IQ_NONE;
    if (weft_iq_are_management(features, ctx->layout, vcs))
        return ctx->layout->management;
    weft_iq_port *out = weft_iq_port_at(ctx->layout, ctx->record, port);
    bool exact = (features & (WEFT_IQ_POOLED | WEFT_IQ_PAUSED)) || out->credit_bursts;
    for (int32_t most = units - 1; vcs; vcs &= vcs - 1) {
        uint32_t w = (uint32_t)__builtin_ctz(vcs);
        int32_t room = out->credits[w];
        if (exact)
            room = weft_iq_room_at(features, ctx->layout, ctx->record, port, w, ctx->t);
        if (room > most) {
            most = room;
            chosen = w;
            if (features & WEFT_IQ_FIRST_VC)
                break;
        }
    }
    return chosen;
}

/* Adds a burst that became known at tick t; it begins after the others, but for packets of one VC
 * on several lines. */
WEFT_HOT void weft_iq_add_credit_burst(weft_iq_traits features, const weft_iq_layout *layout,
                                       weft_iq_port *out, weft_iq_credit_burst new, uint32_t t)
{
    uint32_t kept = features & WEFT_IQ_PAUSED /* whose events of this tick may not all be there */
                        ? weft_iq_pause_see(layout, out, t - 1)
                        : weft_iq_collect_credits(features, layout, out, t);
    weft_iq_credit_burst *list = weft_iq_credit_bursts_by(features, layout, out);
    uint32_t place = kept;
    if (kept > 0 && __builtin_expect(kept >= layout->credit_bursts, 0))
        return; /* only of a checkpoint that was made up: the audit misses them */
    for (; (features & WEFT_IQ_OUT_LINES) && place > 0 &&
           weft_iq_later(list[place - 1].start, new.start);
         place--)
        list[place] = list[place - 1];
    list[place] = new;
    out->credit_bursts = (uint8_t)(kept + 1);
}

#endif
