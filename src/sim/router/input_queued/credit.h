/* SPDX-License-Identifier: Apache-2.0 */
/* Credits as ramps: what a grant downstream gives back flit by flit is one message. `credits`
 * has what came by ramps that are complete; one that is not is in the list behind its output, in
 * the order in which they came. A packet may take what has come of a ramp, so `credits` may be
 * negative while it runs. Ramps of one VC never overlap. */
#ifndef WEFT_SIM_ROUTER_INPUT_QUEUED_CREDIT_H
#define WEFT_SIM_ROUTER_INPUT_QUEUED_CREDIT_H

#include "sim/router/input_queued/record.h"

#define WEFT_IQ_NEVER UINT32_MAX /* as a number of ticks: not in sight */

WEFT_HOT int32_t weft_iq_units(unsigned mode, uint32_t flits)
{
    return mode & WEFT_IQ_BY_PACKET ? 1 : (int32_t)flits;
}

WEFT_HOT uint32_t weft_iq_credit_burst_period(unsigned mode, const weft_iq_layout *layout,
                                              const weft_iq_credit_burst *credit_burst)
{
    return mode & WEFT_IQ_RATES ? layout->class_through[credit_burst->class] : 1;
}

/* Units of a ramp that come after tick t. */
WEFT_HOT int32_t weft_iq_credit_burst_late(unsigned mode, const weft_iq_layout *layout,
                                           const weft_iq_credit_burst *credit_burst, uint32_t t)
{
    int32_t since = (int32_t)(t - credit_burst->start);
    if (since < 0)
        return credit_burst->units;
    uint32_t come = (uint32_t)since + 1;
    if (mode & WEFT_IQ_RATES)
        come = (uint32_t)since / layout->class_through[credit_burst->class] + 1;
    return come >= credit_burst->units ? 0 : (int32_t)(credit_burst->units - come);
}

/* Counts the ramps behind an output that are complete at tick t as credits; returns how many are
 * left. */
WEFT_HOT uint32_t weft_iq_settle(unsigned mode, const weft_iq_layout *layout, weft_iq_out *out,
                                 uint32_t t)
{
    if (out->credit_bursts == 0)
        return 0;
    weft_iq_credit_burst *credit_burst = weft_iq_credit_bursts(layout, out);
    uint32_t kept = 0, count = out->credit_bursts;
    for (uint32_t i = 0; i < count; i++)
        if (weft_iq_credit_burst_late(mode, layout, &credit_burst[i], t)) {
            credit_burst[kept++] = credit_burst[i];
        } else {
            out->credits[credit_burst[i].vc] += credit_burst[i].units;
            if (mode & WEFT_IQ_COUNTED && layout->rows > 0)
                weft_iq_came(layout, out)[credit_burst[i].vc] =
                    credit_burst[i].start +
                    (credit_burst[i].units - 1u) *
                        weft_iq_credit_burst_period(mode, layout, &credit_burst[i]);
        }
    out->credit_bursts = (uint8_t)kept;
    return kept;
}

/* Credits of VC w behind an output at tick t. */
WEFT_HOT int32_t weft_iq_credits_at(unsigned mode, const weft_iq_layout *layout, weft_iq_out *out,
                                    uint32_t w, uint32_t t)
{
    int32_t credits = out->credits[w];
    const weft_iq_credit_burst *credit_burst = weft_iq_credit_bursts(layout, out);
    for (uint32_t i = out->credit_bursts; i-- > 0;)
        if (credit_burst[i].vc == w)
            credits += credit_burst[i].units -
                       weft_iq_credit_burst_late(mode, layout, &credit_burst[i], t);
    return credits;
}

/* Ticks from t until VC w has `lack` more than its credits, by the ramps that are known. */
WEFT_HOT uint32_t weft_iq_credit_burst_wait(unsigned mode, const weft_iq_layout *layout,
                                            weft_iq_out *out, uint32_t w, int32_t lack, uint32_t t)
{
    const weft_iq_credit_burst *credit_burst = weft_iq_credit_bursts(layout, out);
    for (uint32_t i = 0; i < out->credit_bursts; i++) {
        if (credit_burst[i].vc != w)
            continue;
        if (credit_burst[i].units >= lack) { /* the last one that is needed is of this ramp */
            uint32_t at =
                credit_burst[i].start +
                ((uint32_t)lack - 1) * weft_iq_credit_burst_period(mode, layout, &credit_burst[i]);
            return weft_iq_later(at, t) ? at - t : 0;
        }
        lack -= credit_burst[i].units;
    }
    return WEFT_IQ_NEVER;
}

/* With a pool: what VC w of an output may use at t; ticks until one of the VCs may use so many. */
int32_t weft_iq_pool_at(unsigned mode, const weft_iq_layout *layout, char *record, uint32_t out,
                        uint32_t w, uint32_t t);
uint32_t weft_iq_pool_wait(unsigned mode, const weft_iq_layout *layout, char *record, uint32_t out,
                           uint32_t vcs, int32_t units, uint32_t t);

/* Ticks from t until one of the VCs has room for so many units. */
WEFT_HOT uint32_t weft_iq_room_wait(unsigned mode, const weft_iq_layout *layout, char *record,
                                    uint32_t port, uint32_t vcs, int32_t units, uint32_t t)
{
    if (mode & WEFT_IQ_POOLED)
        return weft_iq_pool_wait(mode, layout, record, port, vcs, units, t);
    weft_iq_out *out = weft_iq_out_at(layout, record, port);
    uint32_t least = WEFT_IQ_NEVER, credit_bursts = weft_iq_settle(mode, layout, out, t);
    for (; vcs; vcs &= vcs - 1) {
        uint32_t w = (uint32_t)__builtin_ctz(vcs), wait = WEFT_IQ_NEVER;
        if (out->credits[w] >= units)
            return 0;
        if (credit_bursts)
            wait = weft_iq_credit_burst_wait(mode, layout, out, w, units - out->credits[w], t);
        if (wait == 0)
            return 0;
        least = wait < least ? wait : least;
    }
    return least;
}

/* Units VC w has at t. */
WEFT_HOT int32_t weft_iq_room_at(unsigned mode, const weft_iq_layout *layout, char *record,
                                 uint32_t out, uint32_t w, uint32_t t)
{
    return mode & WEFT_IQ_POOLED
               ? weft_iq_pool_at(mode, layout, record, out, w, t)
               : weft_iq_credits_at(mode, layout, weft_iq_out_at(layout, record, out), w, t);
}

/* The VC a packet takes among `vcs`: the one with the most credits or the first that has enough; or
 * WEFT_IQ_NONE. */
WEFT_HOT uint32_t weft_iq_choose(unsigned mode, const weft_iq_layout *layout, char *record,
                                 uint32_t port, uint32_t vcs, int32_t units, uint32_t t)
{
    uint32_t chosen = WEFT_IQ_NONE;
    weft_iq_out *out = weft_iq_out_at(layout, record, port);
    bool exact = (mode & WEFT_IQ_POOLED) || out->credit_bursts;
    for (int32_t most = units - 1; vcs; vcs &= vcs - 1) {
        uint32_t w = (uint32_t)__builtin_ctz(vcs);
        int32_t room = out->credits[w];
        if (exact)
            room = weft_iq_room_at(mode, layout, record, port, w, t);
        if (room > most) {
            most = room;
            chosen = w;
            if (mode & WEFT_IQ_FIRST_VC)
                break;
        }
    }
    return chosen;
}

/* A ramp has become known at tick t; it begins after the others. */
WEFT_HOT void weft_iq_add_credit_burst(unsigned mode, const weft_iq_layout *layout,
                                       weft_iq_out *out, weft_iq_credit_burst new, uint32_t t)
{
    uint32_t kept = weft_iq_settle(mode, layout, out, t);
    assert(kept < layout->credit_bursts);
    weft_iq_credit_bursts(layout, out)[kept] = new;
    out->credit_bursts = (uint8_t)(kept + 1);
}

#endif
