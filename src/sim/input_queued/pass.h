/* SPDX-License-Identifier: Apache-2.0 */
/* The short way through a router. A head that comes to an empty line, while nothing else of its router can be sent in this
 * tick, and finds its output free and credits behind it, is granted without having been in a queue. What it leaves behind
 * is what a decision would leave. */
#ifndef WEFT_SIM_INPUT_QUEUED_PASS_H
#define WEFT_SIM_INPUT_QUEUED_PASS_H

#include "sim/input_queued/grant.h"

/* May anything else of this router be sent at t? */
static inline bool weft_iq_quiet(const weft_iq_shape *shape, char *record, uint32_t t)
{
    const weft_iq_head *head = weft_iq_head_of(record);
    const weft_iq_line *line = weft_iq_lines_of(record);
    if (head->wake == t && head->armed)
        return false;
    for (uint64_t lines = head->awake; lines; lines &= lines - 1)
        if (!weft_iq_later(line[__builtin_ctzll(lines)].next, t))
            return false;
    for (uint64_t calls = head->calls; calls; calls &= calls - 1)
        if (!weft_iq_later(weft_iq_end_next(shape, record)[__builtin_ctzll(calls)], t))
            return false;
    return true;
}

/* False: it has to wait, or its router to decide. Nothing has happened then. */
WEFT_HOT bool weft_iq_pass(unsigned mode, weft_iq *iq, weft_block *block, uint32_t router,
                           char *record, const weft_event *event, weft_time now)
{
    const weft_iq_shape *shape = &iq->shape;
    uint32_t in = weft_event_port(event), v = weft_packet_lane(event), t = (uint32_t)now;
    uint32_t x = weft_iq_line_by(mode, shape, in, v), flits = weft_packet_flits(event), vc = 0;
    weft_iq_line *line = &weft_iq_lines_of(record)[x];
    if (line->waiting || weft_iq_later(line->free, t) || !weft_iq_quiet(shape, record, t))
        return false;
    weft_hop hop = weft_iq_find(shape, record, event, in, v);
    uint32_t out = hop.port, *out_free = &weft_iq_out_free(shape, record)[out];
    if (weft_iq_later(*out_free, t))
        return false;
    weft_time start = now + shape->cross;
    if (out < shape->ports) {
        weft_iq_out *behind = weft_iq_out_at(shape, record, out);
        int32_t units = weft_iq_units(mode, flits);
        (void)weft_iq_settle(mode, shape, behind, t);
        vc = weft_iq_choose(mode, shape, record, out, hop.lanes, units, t);
        if (vc == WEFT_IQ_NONE)
            return false;
        behind->credits[vc] -= units;
    }
    if (mode & WEFT_IQ_WATCHED)
        shape->fabric->trace->note(shape->fabric->trace->user, WEFT_TRACE_HOP, event,
                                   weft_iq_head_of(record)->id, out, vc, now);
    *out_free = line->free = t + flits;
    if (out < shape->ports) {
        if (shape->fabric->count_links)
            weft_iq_flits(shape, record)[out] += flits;
        weft_iq_forward(mode, iq, block, router, record, event, in < shape->ports, out, vc,
                        hop.after, start);
    } else {
        weft_iq_eject(mode, iq, block, router, record, event, out, start, now);
    }
    weft_iq_return(mode, iq, block, router, record, in, v, out, flits, now);
    shape->scheduler.kind->granted(&shape->scheduler, weft_iq_state(shape, record), x, v, out,
                                   true);
    return true;
}

#endif
