/* SPDX-License-Identifier: Apache-2.0 */
/* Packets that may be granted now, and if there are none, a lower bound on the tick of the next
 * grant. A bound that is too early costs an empty decision; one that is too late would be an
 * error. A line that waits for credits is noted as starved at its output, since new ones may come
 * earlier than those that are known. */
#ifndef WEFT_SIM_ROUTER_INPUT_QUEUED_SCAN_IMPL_H
#define WEFT_SIM_ROUTER_INPUT_QUEUED_SCAN_IMPL_H

#include "sim/router/input_queued/credit_impl.h"

/* The request of a packet at the front of a queue. */
typedef struct weft_iq_bid {
    uint32_t in, vc, line;
    uint32_t flits, vcs, out;
    bool escape; /* set by weft_iq_lines: only by escape candidates can it go */
    const weft_iq_packet *packet;
} weft_iq_bid;

/* The congestion view of a routing at a router and tick. */
typedef struct weft_iq_seen {
    const weft_iq *iq;
    const weft_iq_layout *layout;
    char *record;
    uint32_t t;
    uint32_t first; /* of the VCs that the routing calls 0 … */
} weft_iq_seen;

/* Lets the routing change the route of a packet that has come, in the tick packet->when, after
 * all credits of that tick. */
void weft_iq_reroute(const weft_iq *iq, char *record, weft_event *packet, uint32_t in, uint32_t v);
/* The candidates of a packet that has several: routing's, or the links to its endpoint. */
unsigned weft_iq_candidates(const weft_iq *iq, char *record, const weft_iq_bid *bid,
                            weft_candidate *hops);
/* Adds the lines a packet asks for at t where looking is involved; false: there are none, and *wait
 * is the least number of ticks until one may be open, WEFT_IQ_NEVER if that is not in sight. */
bool weft_iq_lines(weft_iq *iq, char *record, weft_iq_bid *bid, uint32_t t, uint32_t *wait,
                   uint64_t *wants);
/* Ticks until a packet fits into an output buffer. */
uint32_t weft_iq_buffer_wait(const weft_iq_layout *layout, char *record, uint32_t out,
                             uint32_t flits, uint32_t t);

/* A line (or endpoint) is looked at again when credits come for this output. */
WEFT_HOT void weft_iq_starve(weft_iq_traits features, const weft_iq_context *ctx, uint32_t out,
                             uint32_t line, uint32_t vcs, int32_t units)
{
    uint32_t words = weft_iq_words(features, ctx->layout);
    weft_iq_port *behind = weft_iq_port_at(ctx->layout, ctx->record, out);
    uint64_t *starved = weft_iq_starved(features, ctx->layout, behind);
    bool some = weft_set_any(words, starved);
    uint32_t least = some ? behind->need & 0xffff : 0xffff, all = some ? behind->need >> 16 : 0;
    behind->need = ((uint32_t)units < least ? (uint32_t)units : least) | (all | vcs) << 16;
    weft_set_add(words, starved, line);
}

/* Brings a bound (ticks from now) forward. */
static inline void weft_iq_bound(uint32_t *bound, uint32_t wait)
{
    *bound = wait < *bound ? wait : *bound;
}

/* Adds the lines the packet asks for, whose head is ready; false: there are none, and the bound is
 * brought forward. */
WEFT_HOT bool weft_iq_wants(weft_iq_traits features, const weft_iq_context *ctx, weft_iq_bid *bid,
                            uint32_t *bound, uint64_t *wants)
{
    const weft_iq_layout *layout = ctx->layout;
    uint32_t out = bid->out, t = ctx->t;
    if (features & WEFT_IQ_INVOLVED) {
        uint32_t wait;
        bool some = weft_iq_lines(ctx->iq, ctx->record, bid, t, &wait, wants);
        weft_iq_bound(bound, some ? WEFT_IQ_NEVER : wait);
        return some;
    }
    uint32_t free = *weft_iq_out_free_at(features, layout, ctx->record, out);
    if (weft_iq_later(free, t)) {
        weft_iq_bound(bound, free - t);
        return false;
    }
    if (out < layout->ports) {
        int32_t units = weft_iq_units(features, bid->flits);
        uint32_t wait = weft_iq_room_wait(features, ctx, out, bid->vcs, units);
        if (wait) {
            weft_iq_starve(features, ctx, out, bid->line, bid->vcs, units);
            weft_iq_bound(bound, wait);
            return false;
        }
    }
    weft_set_add(weft_iq_words(features, layout), wants, out);
    return true;
}

/* Adds the lines the front of a FIFO asks for; false: none. */
WEFT_HOT bool weft_iq_front_wants(weft_iq_traits features, const weft_iq_context *ctx,
                                  uint32_t line, uint32_t in, uint32_t v, uint32_t *bound,
                                  uint64_t *wants)
{
    const weft_iq_layout *layout = ctx->layout;
    weft_iq_front *front = weft_iq_front_of(features, layout, ctx->record, in, v);
    uint32_t t = ctx->t;
    if (weft_iq_later(front->ready, t)) {
        weft_iq_bound(bound, front->ready - t);
        return false;
    }
    if ((features & WEFT_IQ_VC_STAGE) && front->vc == UINT8_MAX)
        return false; /* weft_iq_allocate_vcs knows when to look again */
    weft_iq_bid bid = {.in = in,
                       .vc = v,
                       .line = line,
                       .flits = front->flits,
                       .vcs = front->vcs,
                       .out = front->out};
    if (features & WEFT_IQ_INVOLVED)
        bid.packet = weft_iq_head_packet(ctx->iq, front);
    bool some = weft_iq_wants(features, ctx, &bid, bound, wants);
    if (features & WEFT_IQ_SEVERAL)
        front->escape = bid.escape;
    return some;
}

/* One of the queues of a VC: VOQ. */
WEFT_HOT bool weft_iq_queue_wants(weft_iq_traits features, const weft_iq_context *ctx,
                                  weft_iq_bid *bid, uint32_t tail, uint32_t *bound, uint64_t *wants)
{
    const weft_iq *iq = ctx->iq;
    uint32_t t = ctx->t;
    if (!(features & WEFT_IQ_INVOLVED)) {
        uint32_t free = *weft_iq_out_free_at(features, ctx->layout, ctx->record, bid->out);
        if (weft_iq_later(free, t)) {
            weft_iq_bound(bound, free - t);
            return false;
        }
    }
    const weft_iq_packet *packet = weft_iq_packet_at(iq, weft_iq_packet_at(iq, tail)->event.to);
    if (weft_iq_later(packet->ready, t)) {
        weft_iq_bound(bound, packet->ready - t);
        return false;
    }
    bid->flits = weft_packet_flits(&packet->event);
    bid->vcs = packet->vcs;
    bid->packet = packet;
    return weft_iq_wants(features, ctx, bid, bound, wants);
}

/* Adds the lines the queues of a VC ask for; false: none. */
WEFT_HOT bool weft_iq_each_wants(weft_iq_traits features, const weft_iq_context *ctx, uint32_t line,
                                 uint32_t in, uint32_t v, uint32_t *bound, uint64_t *wants)
{
    const weft_iq_layout *layout = ctx->layout;
    char *record = ctx->record;
    uint32_t queue = in * weft_iq_vcs(features, layout) + v,
             words = weft_iq_words(features, layout);
    const uint32_t *tails = weft_iq_tails(layout, record) + (size_t)queue * layout->ins;
    const uint64_t *present = weft_iq_present(layout, record) + (size_t)queue * words;
    bool some = false;
    for (uint32_t w = 0; w < words; w++)
        for (uint64_t outs = present[w]; outs; outs &= outs - 1) {
            uint32_t out = 64 * w + weft_lowest(outs);
            if ((features & WEFT_IQ_OUT_LINES) && out % layout->in_speed != line % layout->in_speed)
                continue; /* another line takes it */
            weft_iq_bid bid = {.in = in, .vc = v, .line = line, .out = out};
            some |= weft_iq_queue_wants(features, ctx, &bid, tails[out], bound, wants);
        }
    return some;
}

/* Fills the sets wants[] of the VCs of one line that ask; returns them, and in *bound the ticks
 * until others may. */
WEFT_HOT uint32_t weft_iq_scan(weft_iq_traits features, const weft_iq_context *ctx, uint32_t line,
                               uint64_t *wants, uint32_t *bound)
{
    const weft_iq_line *from = &weft_iq_lines_of(ctx->record)[line];
    uint32_t in = line, vcs = from->waiting, asking = 0, t = ctx->t;
    uint32_t words = weft_iq_words(features, ctx->layout);
    *bound = WEFT_IQ_NEVER;
    if (weft_iq_later(from->free, t)) {
        *bound = from->free - t;
        return 0;
    }
    if (features & WEFT_IQ_FAST_IN)
        in = line / ctx->layout->in_speed;
    for (; vcs; vcs &= vcs - 1) {
        uint32_t v = (uint32_t)__builtin_ctz(vcs);
        uint64_t *found = wants + (size_t)v * words;
        weft_set_clear(words, found);
        bool some = features & WEFT_IQ_QUEUE_EACH
                        ? weft_iq_each_wants(features, ctx, line, in, v, bound, found)
                        : weft_iq_front_wants(features, ctx, line, in, v, bound, found);
        asking |= (uint32_t)some << v;
    }
    return asking;
}

#endif
