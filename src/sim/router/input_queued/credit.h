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

WEFT_HOT uint32_t weft_iq_ramp_period(unsigned mode, const weft_iq_shape *shape,
                                      const weft_iq_ramp *ramp)
{
    return mode & WEFT_IQ_RATES ? shape->class_through[ramp->class] : 1;
}

/* Units of a ramp that come after tick t. */
WEFT_HOT int32_t weft_iq_ramp_late(unsigned mode, const weft_iq_shape *shape,
                                   const weft_iq_ramp *ramp, uint32_t t)
{
    int32_t since = (int32_t)(t - ramp->start);
    if (since < 0)
        return ramp->units;
    uint32_t come = (uint32_t)since + 1;
    if (mode & WEFT_IQ_RATES)
        come = (uint32_t)since / shape->class_through[ramp->class] + 1;
    return come >= ramp->units ? 0 : (int32_t)(ramp->units - come);
}

/* Counts the ramps behind an output that are complete at tick t as credits; returns how many are
 * left. */
WEFT_HOT uint32_t weft_iq_settle(unsigned mode, const weft_iq_shape *shape, weft_iq_out *out,
                                 uint32_t t)
{
    if (out->ramps == 0)
        return 0;
    weft_iq_ramp *ramp = weft_iq_ramps(shape, out);
    uint32_t kept = 0, count = out->ramps;
    for (uint32_t i = 0; i < count; i++)
        if (weft_iq_ramp_late(mode, shape, &ramp[i], t)) {
            ramp[kept++] = ramp[i];
        } else {
            out->credits[ramp[i].vc] += ramp[i].units;
            if (mode & WEFT_IQ_COUNTED && shape->rows > 0)
                weft_iq_came(shape, out)[ramp[i].vc] =
                    ramp[i].start +
                    (ramp[i].units - 1u) * weft_iq_ramp_period(mode, shape, &ramp[i]);
        }
    out->ramps = (uint8_t)kept;
    return kept;
}

/* Credits of VC w behind an output at tick t. */
WEFT_HOT int32_t weft_iq_credits_at(unsigned mode, const weft_iq_shape *shape, weft_iq_out *out,
                                    uint32_t w, uint32_t t)
{
    int32_t credits = out->credits[w];
    const weft_iq_ramp *ramp = weft_iq_ramps(shape, out);
    for (uint32_t i = out->ramps; i-- > 0;)
        if (ramp[i].vc == w)
            credits += ramp[i].units - weft_iq_ramp_late(mode, shape, &ramp[i], t);
    return credits;
}

/* Ticks from t until VC w has `lack` more than its credits, by the ramps that are known. */
WEFT_HOT uint32_t weft_iq_ramp_wait(unsigned mode, const weft_iq_shape *shape, weft_iq_out *out,
                                    uint32_t w, int32_t lack, uint32_t t)
{
    const weft_iq_ramp *ramp = weft_iq_ramps(shape, out);
    for (uint32_t i = 0; i < out->ramps; i++) {
        if (ramp[i].vc != w)
            continue;
        if (ramp[i].units >= lack) { /* the last one that is needed is of this ramp */
            uint32_t at =
                ramp[i].start + ((uint32_t)lack - 1) * weft_iq_ramp_period(mode, shape, &ramp[i]);
            return weft_iq_later(at, t) ? at - t : 0;
        }
        lack -= ramp[i].units;
    }
    return WEFT_IQ_NEVER;
}

/* With a pool: what VC w of an output may use at t; ticks until one of the VCs may use so many. */
int32_t weft_iq_pool_at(unsigned mode, const weft_iq_shape *shape, char *record, uint32_t out,
                        uint32_t w, uint32_t t);
uint32_t weft_iq_pool_wait(unsigned mode, const weft_iq_shape *shape, char *record, uint32_t out,
                           uint32_t vcs, int32_t units, uint32_t t);

/* Ticks from t until one of the VCs has room for so many units. */
WEFT_HOT uint32_t weft_iq_room_wait(unsigned mode, const weft_iq_shape *shape, char *record,
                                    uint32_t port, uint32_t vcs, int32_t units, uint32_t t)
{
    if (mode & WEFT_IQ_POOLED)
        return weft_iq_pool_wait(mode, shape, record, port, vcs, units, t);
    weft_iq_out *out = weft_iq_out_at(shape, record, port);
    uint32_t least = WEFT_IQ_NEVER, ramps = weft_iq_settle(mode, shape, out, t);
    for (; vcs; vcs &= vcs - 1) {
        uint32_t w = (uint32_t)__builtin_ctz(vcs), wait = WEFT_IQ_NEVER;
        if (out->credits[w] >= units)
            return 0;
        if (ramps)
            wait = weft_iq_ramp_wait(mode, shape, out, w, units - out->credits[w], t);
        if (wait == 0)
            return 0;
        least = wait < least ? wait : least;
    }
    return least;
}

/* Units VC w has at t. */
WEFT_HOT int32_t weft_iq_room_at(unsigned mode, const weft_iq_shape *shape, char *record,
                                 uint32_t out, uint32_t w, uint32_t t)
{
    return mode & WEFT_IQ_POOLED
               ? weft_iq_pool_at(mode, shape, record, out, w, t)
               : weft_iq_credits_at(mode, shape, weft_iq_out_at(shape, record, out), w, t);
}

/* The VC a packet takes among `VCs`: the one with the most credits or the first that has enough; or
 * WEFT_IQ_NONE. */
WEFT_HOT uint32_t weft_iq_choose(unsigned mode, const weft_iq_shape *shape, char *record,
                                 uint32_t port, uint32_t vcs, int32_t units, uint32_t t)
{
    uint32_t chosen = WEFT_IQ_NONE;
    weft_iq_out *out = weft_iq_out_at(shape, record, port);
    bool exact = (mode & WEFT_IQ_POOLED) || out->ramps;
    for (int32_t most = units - 1; vcs; vcs &= vcs - 1) {
        uint32_t w = (uint32_t)__builtin_ctz(vcs);
        int32_t room = out->credits[w];
        if (exact)
            room = weft_iq_room_at(mode, shape, record, port, w, t);
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
WEFT_HOT void weft_iq_add_ramp(unsigned mode, const weft_iq_shape *shape, weft_iq_out *out,
                               weft_iq_ramp new, uint32_t t)
{
    uint32_t kept = weft_iq_settle(mode, shape, out, t);
    assert(kept < shape->ramps);
    weft_iq_ramps(shape, out)[kept] = new;
    out->ramps = (uint8_t)(kept + 1);
}

#endif
