/* SPDX-License-Identifier: Apache-2.0 */
/* Waking: a router has at most one wake-up under way that matters; an earlier one may be added. */
#ifndef WEFT_SIM_ROUTER_INPUT_QUEUED_WAKE_H
#define WEFT_SIM_ROUTER_INPUT_QUEUED_WAKE_H

#include "sim/router/input_queued/credit.h"

/* Sees to it that the router decides at `at` (> now) or earlier. */
static inline void weft_iq_wake(weft_block *block, uint32_t router, char *record, weft_time at)
{
    weft_iq_head *head = weft_iq_head_of(record);
    if (head->armed && !weft_iq_later(head->wake, (uint32_t)at))
        return;
    head->armed = 1;
    head->wake = (uint32_t)at;
    weft_event *event = weft_emit(block, at);
    event->to = router;
    weft_wake_make(event, 1, 0, true);
}

/* A line may be able to send from tick `at` on. */
static inline void weft_iq_rouse(char *record, uint32_t line, uint32_t at)
{
    weft_iq_head *head = weft_iq_head_of(record);
    uint32_t *next = &weft_iq_lines_of(record)[line].next;
    if (!(head->awake >> line & 1) || weft_iq_later(*next, at))
        *next = at;
    head->awake |= (uint64_t)1 << line;
}

/* The same for an endpoint. */
static inline void weft_iq_call(const weft_iq_layout *layout, char *record, uint32_t host,
                                uint32_t at)
{
    weft_iq_head *head = weft_iq_head_of(record);
    uint32_t *next = &weft_iq_end_next(layout, record)[host];
    if (!(head->calls >> host & 1) || weft_iq_later(*next, at))
        *next = at;
    head->calls |= (uint64_t)1 << host;
}

/* A line is looked at: what it waited for is found out anew. Only where it may wait for several
 * ramps at once. */
static inline void weft_iq_content(const weft_iq_layout *layout, char *record, uint32_t line)
{
    for (uint32_t o = 0; o < layout->ports; o++)
        weft_iq_out_at(layout, record, o)->starved &= ~((uint64_t)1 << line);
}

/* A ramp has become known. Who waits for it is looked at again when there may be enough: false
 * if nobody waits, or it does not suffice; else *due is that tick. */
WEFT_HOT bool weft_iq_credit(unsigned mode, const weft_iq_layout *layout, char *record,
                             uint32_t out, weft_iq_credit_burst credit_burst, uint32_t t,
                             uint32_t *due)
{
    weft_iq_out *behind = weft_iq_out_at(layout, record, out);
    weft_iq_add_credit_burst(mode, layout, behind, credit_burst, t);
    if (!behind->starved)
        return false;
    *due = credit_burst.start;
    if (!(mode & WEFT_IQ_POOLED)) {
        int32_t lack = (int32_t)(behind->need & 0xffff) - behind->credits[credit_burst.vc];
        if (!(behind->need >> 16 >> credit_burst.vc & 1))
            return false;
        if (lack > 0) {
            uint32_t wait =
                weft_iq_credit_burst_wait(mode, layout, behind, credit_burst.vc, lack, t);
            if (wait == WEFT_IQ_NEVER)
                return false;
            if (weft_iq_later(t + wait, *due))
                *due = t + wait;
        }
    }
    if (out >= layout->ports) {
        weft_iq_call(layout, record, (out - layout->ports) / layout->each, *due);
    } else {
        for (uint64_t lines = behind->starved; lines; lines &= lines - 1)
            weft_iq_rouse(record, (uint32_t)__builtin_ctzll(lines), *due);
    }
    if (!(mode & WEFT_IQ_FAST_IN)) /* with several lines another ramp may overtake this one */
        behind->starved = 0;
    return true;
}

#endif
