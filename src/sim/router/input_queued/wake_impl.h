/* SPDX-License-Identifier: Apache-2.0 */
/* Waking: a router has at most one wake-up under way that matters; an earlier one may be added. */
#ifndef WEFT_SIM_ROUTER_INPUT_QUEUED_WAKE_IMPL_H
#define WEFT_SIM_ROUTER_INPUT_QUEUED_WAKE_IMPL_H

#include "sim/router/input_queued/credit_impl.h"

/* Makes the router decide at `at` (> now) or earlier. */
static inline void weft_iq_wake(const weft_iq_context *ctx, weft_time at)
{
    weft_iq_head *head = weft_iq_head_of(ctx->record);
    if (head->armed && !weft_iq_later(head->wake, (uint32_t)at))
        return;
    head->armed = 1;
    head->wake = (uint32_t)at;
    weft_event *event = weft_emit(ctx->block, at);
    event->to = ctx->router;
    weft_wake_make(event, 1, 0, true);
}

/* A line may be able to send from tick `at` on. */
WEFT_HOT void weft_iq_rouse(weft_iq_traits features, const weft_iq_layout *layout, char *record,
                            uint32_t line, uint32_t at)
{
    uint32_t words = weft_iq_words(features, layout);
    uint64_t *awake = weft_iq_awake(features, layout, record);
    uint32_t *next = &weft_iq_lines_of(record)[line].next;
    if (!weft_set_has(words, awake, line) || weft_iq_later(*next, at))
        *next = at;
    weft_set_add(words, awake, line);
}

/* The same for an endpoint. */
WEFT_HOT void weft_iq_call(weft_iq_traits features, const weft_iq_layout *layout, char *record,
                           uint32_t host, uint32_t at)
{
    uint32_t words = weft_iq_words(features, layout);
    uint64_t *calls = weft_iq_calls(features, layout, record);
    uint32_t *next = &weft_iq_end_next(layout, record)[host];
    if (!weft_set_has(words, calls, host) || weft_iq_later(*next, at))
        *next = at;
    weft_set_add(words, calls, host);
}

/* A line is scanned: forgets what it waited for. Only needed where it may wait for several
 * bursts at once. */
WEFT_HOT void weft_iq_content(weft_iq_traits features, const weft_iq_layout *layout, char *record,
                              uint32_t line)
{
    for (uint32_t o = 0; o < layout->ports; o++)
        weft_set_remove(weft_iq_words(features, layout),
                        weft_iq_starved(features, layout, weft_iq_port_at(layout, record, o)),
                        line);
}

/* Adds a burst. Lines that wait for it are scanned again when there may be enough (with pause when
 * it begins): *due is that tick; false if none waits, or it does not suffice. */
WEFT_HOT bool weft_iq_credit(weft_iq_traits features, const weft_iq_context *ctx, uint32_t out,
                             weft_iq_credit_burst credit_burst, uint32_t *due)
{
    const weft_iq_layout *layout = ctx->layout;
    char *record = ctx->record;
    uint32_t t = ctx->t;
    weft_iq_port *behind = weft_iq_port_at(layout, record, out);
    weft_iq_add_credit_burst(features, layout, behind, credit_burst, t);
    uint32_t words = weft_iq_words(features, layout);
    uint64_t *starved = weft_iq_starved(features, layout, behind);
    if (!weft_set_any(words, starved))
        return false;
    *due = credit_burst.start;
    if (!(features & WEFT_IQ_POOLED)) {
        int32_t lack = (int32_t)(behind->need & 0xffff) - behind->credits[credit_burst.vc];
        if (!(behind->need >> 16 >> credit_burst.vc & 1))
            return false;
        if (!(features & WEFT_IQ_PAUSED) && lack > 0) {
            uint32_t wait =
                weft_iq_credit_burst_wait(features, layout, behind, credit_burst.vc, lack, t);
            if (wait == WEFT_IQ_NEVER)
                return false;
            if (weft_iq_later(t + wait, *due))
                *due = t + wait;
        }
    }
    if (out >= layout->ports) {
        weft_iq_call(features, layout, record,
                     (out - layout->ports) / weft_iq_each(features, layout), *due);
    } else {
        for (uint32_t w = 0; w < words; w++)
            for (uint64_t lines = starved[w]; lines; lines &= lines - 1)
                weft_iq_rouse(features, layout, record, 64 * w + weft_lowest(lines), *due);
    }
    if (!(features & WEFT_IQ_FAST_IN)) /* with several lines another burst may overtake this one */
        weft_set_clear(words, starved);
    return true;
}

#endif
