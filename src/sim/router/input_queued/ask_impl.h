/* SPDX-License-Identifier: Apache-2.0 */
/* What the lines of a router ask its scheduler for, and when those that got nothing are looked at
 * again. */
#ifndef WEFT_SIM_ROUTER_INPUT_QUEUED_ASK_IMPL_H
#define WEFT_SIM_ROUTER_INPUT_QUEUED_ASK_IMPL_H

#include "sim/router/input_queued/wake_impl.h"

/* After the grants: sets the tick before which a line that asked need not be scanned again. */
WEFT_HOT void weft_iq_look_again(weft_iq_traits features, const weft_iq_context *ctx, uint32_t line,
                                 bool granted, const uint64_t *wants, uint32_t asking)
{
    const weft_iq_layout *layout = ctx->layout;
    char *record = ctx->record;
    uint32_t t = ctx->t, words = weft_iq_words(features, layout);
    if (granted) {
        weft_iq_line *from = &weft_iq_lines_of(record)[line];
        uint64_t *awake = weft_iq_awake(features, layout, record);
        from->next = from->free;
        if (from->waiting)
            weft_set_add(words, awake, line);
        else
            weft_set_remove(words, awake, line);
        return;
    }
    if (features &
        (WEFT_IQ_SEVERAL | WEFT_IQ_FAST_OUT)) { /* what it did not ask for may be open too */
        weft_iq_rouse(features, layout, record, line, t + 1);
        return;
    }
    for (uint32_t w = 0; w < words; w++) {
        uint64_t lines = 0;
        for (uint32_t left = asking; left; left &= left - 1)
            lines |= wants[(uint32_t)__builtin_ctz(left) * words + w];
        for (; lines; lines &= lines - 1) {
            uint32_t free =
                *weft_iq_out_free_at(features, layout, record, 64 * w + weft_lowest(lines));
            weft_iq_rouse(features, layout, record, line, weft_iq_later(free, t) ? free : t + 1);
        }
    }
}

/* The requests of one decision; in a wide crossbar they are in weft_iq_wide. */
typedef struct weft_iq_asking {
    uint16_t vcs[WEFT_CROSSBAR_PORTS_MAX];
    uint64_t wants[WEFT_CROSSBAR_PORTS_MAX * WEFT_VCS_MAX];
} weft_iq_asking;

/* The sets of a line, one per VC. */
WEFT_HOT uint64_t *weft_iq_asking_wants(weft_iq_traits features, const weft_iq_context *ctx,
                                        weft_iq_asking *ask, uint32_t line)
{
    const weft_iq_layout *layout = ctx->layout;
    return features & WEFT_IQ_WIDE
               ? ctx->iq->wide->wants + (size_t)line * weft_iq_vcs(features, layout) * layout->words
               : ask->wants + line * weft_iq_vcs(features, layout);
}

/* Per line: the VCs that ask. */
WEFT_HOT uint16_t *weft_iq_asking_vcs(weft_iq_traits features, const weft_iq_context *ctx,
                                      weft_iq_asking *ask)
{
    return features & WEFT_IQ_WIDE ? ctx->iq->wide->vcs : ask->vcs;
}

/* The first member of a set that is not empty, and is it the only one? */
WEFT_HOT uint32_t weft_iq_first_member(uint32_t words, const uint64_t *set)
{
    return words == 1 ? weft_lowest(*set) : weft_set_next(words, set, 0);
}

WEFT_HOT bool weft_iq_has_one_member(uint32_t words, const uint64_t *set)
{
    return words == 1 ? !(*set & (*set - 1)) : weft_set_count(words, set) == 1;
}

static inline weft_occasion weft_iq_occasion(const weft_iq_context *ctx)
{
    return (weft_occasion){.seed = ctx->layout->platform->network->seed,
                           .tick = (uint64_t)ctx->now,
                           .crossbar = weft_iq_head_of(ctx->record)->id};
}

typedef struct weft_iq_ager { /* finds the ages of a decision's packets, and their next VCs */
    const weft_iq *iq;
    char *record;
    uint32_t t;
} weft_iq_ager;

/* The front of (line, VC) for line y to an output. */
static inline const weft_iq_packet *weft_iq_asking_packet(const weft_iq_ager *by, uint32_t line,
                                                          uint32_t v, uint32_t y)
{
    const weft_iq_layout *layout = weft_iq_layout_of(by->iq, by->record);
    uint32_t in = line / layout->in_speed, queue = in * layout->n_vcs + v;
    uint32_t tail =
        weft_iq_has(layout, WEFT_IQ_QUEUE_EACH)
            ? weft_iq_tails(layout, by->record)[(size_t)queue * layout->ins + y / layout->out_speed]
            : weft_iq_front_at(layout, by->record, queue)->tail;
    return weft_iq_packet_at(by->iq, weft_iq_packet_at(by->iq, tail)->event.to);
}

static inline uint32_t weft_iq_age(const void *user, uint32_t line, uint32_t v, uint32_t y)
{
    const weft_iq_ager *by = user;
    return by->t - weft_iq_asking_packet(by, line, v, y)->event.when;
}

static inline uint32_t weft_iq_asking_next_vc(const void *user, uint32_t line, uint32_t v,
                                              uint32_t y)
{
    const weft_iq_ager *by = user;
    const weft_iq_layout *layout = weft_iq_layout_of(by->iq, by->record);
    const weft_iq_packet *packet = weft_iq_asking_packet(by, line, v, y);
    uint32_t queue = line / layout->in_speed * layout->n_vcs + v, vcs = packet->vcs;
    if (!weft_iq_has(layout, WEFT_IQ_QUEUE_EACH)) /* after the VC stage the one it owns */
        vcs = weft_iq_front_at(layout, by->record, queue)->vcs;
    return weft_iq_next_vc(layout, &packet->event, y / layout->out_speed, v, vcs);
}

#endif
