/* SPDX-License-Identifier: Apache-2.0 */
/* Flit i of a packet comes i periods of its link after the head and leaves i crossbar times
 * after the grant, so what it has been in the buffer is known at the grant.
 *
 * An output is stalled from the tick it is free and some packet at the front of its queue could
 * go, but for credits, until a packet goes: such a packet had no credits enough in the tick
 * before (behind an output that is free credits only grow). A packet with several candidates
 * counts at the one it takes. */
#include "sim/router/input_queued/counters.h"

#include "net/routing.h"
#include "sim/router/input_queued/credit_impl.h"

static uint32_t row_of(const weft_iq_layout *layout, uint32_t port, uint32_t vc)
{
    return layout->rows == layout->ins ? port : port * layout->n_vcs + vc;
}

/* The tick a packet's head came in whose head is ready at this one. */
static uint32_t came_in(const weft_iq_layout *layout, uint32_t in, uint32_t flits, uint32_t ready)
{
    uint32_t stored = weft_iq_has(layout, WEFT_IQ_STORED)
                          ? (flits - 1) * weft_iq_period(layout->features, layout, in)
                          : 0;
    return ready - layout->ready - stored;
}

/* Has a credit of VC w behind an output come in this very tick? */
static bool comes_now(const weft_iq_layout *layout, weft_iq_port *out, uint32_t w, uint32_t t)
{
    bool now = weft_iq_came(layout, out)[w] == t;
    const weft_iq_credit_burst *credit_burst = weft_iq_credit_bursts(layout, out);
    for (uint32_t i = 0; i < out->credit_bursts; i++) {
        uint32_t period = weft_iq_credit_burst_period(layout->features, layout, &credit_burst[i]);
        int32_t since = (int32_t)(t - credit_burst[i].start);
        now = now || (credit_burst[i].vc == w && since >= 0 && (uint32_t)since % period == 0 &&
                      (uint32_t)since / period < credit_burst[i].units);
    }
    return now;
}

/* Credits that come at t to VC w; with a pool, to any. */
static int32_t coming(const weft_iq_layout *layout, weft_iq_port *out, uint32_t w, uint32_t t)
{
    if (!weft_iq_has(layout, WEFT_IQ_POOLED))
        return comes_now(layout, out, w, t);
    int32_t sum = 0;
    for (uint32_t v = 0; v < layout->n_vcs; v++)
        sum += comes_now(layout, out, v, t);
    return sum;
}

typedef struct stall { /* of one output */
    const weft_iq *iq;
    char *record;
    uint32_t out, t;
    bool met;       /* at a sync point */
    uint32_t ticks; /* so far, that it has lasted */
} stall;

/* True if no VC behind the output had so many credits in the tick before. At a sync point nothing
 * of the tick itself has been delivered. */
static bool lacked(const stall *s, uint32_t vcs, int32_t units)
{
    const weft_iq_layout *layout = weft_iq_layout_of(s->iq, s->record);
    weft_iq_port *out = weft_iq_port_at(layout, s->record, s->out);
    uint32_t t = s->met ? s->t - 1 : s->t;
    if (weft_iq_has(layout, WEFT_IQ_PAUSED)) {
        uint32_t before = weft_iq_paused_before(layout, out, t);
        return !(vcs & ~(s->met ? weft_iq_pause_of(layout, out)->paused : before));
    }
    for (; vcs; vcs &= vcs - 1) {
        uint32_t w = (uint32_t)__builtin_ctz(vcs);
        int32_t room = weft_iq_room_at(layout->features, layout, s->record, s->out, w, t);
        if (room - (s->met ? 0 : coming(layout, out, w, t)) >= units)
            return false;
    }
    return true;
}

/* A packet that could have been granted since a tick, but for credits. */
static void consider(stall *s, uint32_t since, uint32_t line, uint32_t vcs, uint32_t flits)
{
    const weft_iq_layout *layout = weft_iq_layout_of(s->iq, s->record);
    uint32_t free = weft_iq_lines_of(s->record)[line].free;
    if (weft_iq_later(free, since))
        since = free;
    if (!weft_iq_later(s->t, since) || s->t - since <= s->ticks)
        return;
    int32_t units = weft_iq_units(layout->features, flits);
    if (lacked(s, vcs, units))
        s->ticks = s->t - since;
}

/* All fronts of queues that want the output. */
static void consider_fronts(stall *s)
{
    const weft_iq *iq = s->iq;
    const weft_iq_layout *layout = weft_iq_layout_of(iq, s->record);
    bool each = weft_iq_has(layout, WEFT_IQ_QUEUE_EACH);
    for (uint32_t q = 0; q < layout->ins * layout->n_vcs; q++) {
        uint32_t line = weft_iq_line_for(layout, q / layout->n_vcs, q % layout->n_vcs, s->out);
        if (each && weft_set_has(layout->words, weft_iq_present_of(layout, s->record, q), s->out)) {
            uint32_t tail = weft_iq_tails(layout, s->record)[(size_t)q * layout->ins + s->out];
            const weft_iq_packet *packet =
                weft_iq_packet_at(iq, weft_iq_packet_at(iq, tail)->event.to);
            consider(s, packet->ready, line, packet->vcs, weft_packet_flits(&packet->event));
        }
        if (each)
            continue;
        const weft_iq_front *front = weft_iq_front_at(layout, s->record, q);
        if (front->tail != WEFT_IQ_NONE && front->out == s->out &&
            !weft_iq_several(layout->features, layout, &weft_iq_head_packet(iq, front)->event))
            consider(s, front->ready, line, front->vcs, front->flits);
    }
}

/* Ticks of it after the output was free. */
static uint32_t after(const stall *s, uint32_t free)
{
    uint32_t idle = weft_iq_later(s->t, free) ? s->t - free : 0;
    return s->ticks < idle ? s->ticks : idle;
}

void weft_iq_counter_move(const weft_iq *iq, char *record, const weft_iq_move *move, uint32_t t)
{
    const weft_iq_layout *layout = weft_iq_layout_of(iq, record);
    uint32_t in = move->in, out = move->out, flits = weft_packet_flits(move->packet);
    if (layout->rows == 0)
        return;
    weft_counter *counters = weft_iq_counters(layout, record);
    weft_counter *from = &counters[row_of(layout, in, move->vc)];
    weft_counter *to = &counters[row_of(layout, out, move->out_vc)];
    int64_t waited = (int32_t)(t - came_in(layout, in, flits, move->ready));
    int64_t later = (int64_t)weft_iq_through(layout->features, layout, out) -
                    weft_iq_period(layout->features, layout, in);
    from->held += flits * waited + (int64_t)flits * (flits - 1) / 2 * later;
    from->flits += flits;
    to->busy += (int64_t)flits * weft_iq_period(layout->features, layout, out);
    if (weft_iq_n_last_vcs(layout) > 0)
        weft_iq_last_vcs(layout, record)[out] = move->out_vc;
    uint32_t free = *weft_iq_out_free_at(layout->features, layout, record, move->out_line);
    if (out >= layout->ports || !weft_iq_later(t, free))
        return;
    stall s = {.iq = iq, .record = record, .out = out, .t = t};
    consider(&s, move->since, move->line, move->vcs, flits);
    if (layout->rows == layout->ins)
        consider_fronts(&s);
    to->stalled += after(&s, free);
}

void weft_iq_counter_hold(const weft_iq_layout *layout, char *record, uint32_t in, uint32_t vc,
                          uint32_t flits, uint32_t ticks)
{
    if (layout->rows > 0)
        weft_iq_counters(layout, record)[row_of(layout, in, vc)].held += (int64_t)flits * ticks;
}

void weft_iq_counter_stalls(const weft_iq *iq, char *record, uint32_t t)
{
    const weft_iq_layout *layout = weft_iq_layout_of(iq, record);
    if (layout->rows != layout->ins)
        return; /* which VC a packet will take nobody knows yet */
    for (uint32_t port = 0; port < layout->ports; port++) {
        stall s = {.iq = iq, .record = record, .out = port, .t = t, .met = true};
        consider_fronts(&s);
        weft_iq_counters(layout, record)[port].stalled += after(
            &s, *weft_iq_out_free_at(layout->features, layout, record, port * layout->out_speed));
    }
}

void weft_iq_note(const weft_iq *iq, char *record, const weft_event *packet, bool cut,
                  weft_event *sent)
{
    weft_tally *tally = iq->site->tally;
    uint32_t traffic_class = weft_packet_traffic_class(packet), before = weft_packet_mark(packet);
    if (!tally->history || weft_packet_hops(packet) == 0)
        return;
    const weft_routing *routing =
        &iq->site->platform->network->traffic_classes[traffic_class].routing;
    uint32_t left =
        weft_routing_left(routing, weft_iq_head_of(record)->id, weft_packet_header(packet));
    weft_packet_set_mark(sent, cut ? WEFT_MARK_CUT : WEFT_MARK_BLOCKED);
    if (before)
        weft_tally_pair(tally, traffic_class, left ? weft_packet_hops(packet) + left : 0,
                        before == WEFT_MARK_CUT, cut);
}

/* Flits × ticks of a packet that is still in the buffer. */
static int64_t held_so_far(const weft_iq_layout *layout, uint32_t in, const weft_event *packet,
                           uint32_t t)
{
    uint32_t flits = weft_packet_flits(packet);
    int64_t period = weft_iq_period(layout->features, layout, in), count;
    int64_t since = (int32_t)(t - came_in(layout, in, flits, packet->when));
    if (since <= 0)
        return 0;
    count = (since - 1) / period + 1;
    count = count < flits ? count : flits;
    return count * since - period * (count * (count - 1) / 2);
}

static int64_t held_in_queue(const weft_iq *iq, const weft_iq_layout *layout, uint32_t in,
                             uint32_t tail, uint32_t t)
{
    int64_t sum = 0;
    uint32_t handle = tail;
    do {
        const weft_event *packet = &weft_iq_packet_at(iq, handle)->event;
        sum += held_so_far(layout, in, packet, t);
        handle = packet->to;
    } while (handle != tail);
    return sum;
}

static int64_t held_in_vc(const weft_iq *iq, char *record, uint32_t in, uint32_t v, uint32_t t)
{
    const weft_iq_layout *layout = weft_iq_layout_of(iq, record);
    uint32_t queue = in * layout->n_vcs + v;
    int64_t sum = 0;
    if (!weft_iq_has(layout, WEFT_IQ_QUEUE_EACH)) {
        uint32_t tail = weft_iq_front_at(layout, record, queue)->tail;
        return tail == WEFT_IQ_NONE ? 0 : held_in_queue(iq, layout, in, tail, t);
    }
    const uint64_t *present = weft_iq_present_of(layout, record, queue);
    for (uint32_t words = layout->words, out = weft_set_next(words, present, 0); out < 64 * words;
         out = weft_set_next(words, present, out + 1))
        sum += held_in_queue(iq, layout, in,
                             weft_iq_tails(layout, record)[(size_t)queue * layout->ins + out], t);
    return sum;
}

/* Which of a router's ports a column is for: those to endpoints come last in all rows.
 * WEFT_IQ_NONE: it has no such port. */
static uint32_t port_of(const weft_iq_layout *layout, uint32_t column)
{
    uint32_t ports = layout->topology->ports;
    if (column < ports)
        return column < layout->ports ? column : WEFT_IQ_NONE;
    return column - ports < layout->ends ? column - ports + layout->ports : WEFT_IQ_NONE;
}

/* Ticks that the link of an output still needs for what it was given. */
static uint32_t not_carried(const weft_iq_layout *layout, char *record, uint32_t port, uint32_t t)
{
    uint32_t free =
        *weft_iq_out_free_at(layout->features, layout, record, port * layout->out_speed);
    uint32_t link = layout->out_room ? weft_iq_link_free(layout, record)[port] : free;
    return weft_iq_later(link, t) ? link - t : 0;
}

/* What one VC of a port has done; its link has the last packet at hand. Behind an output buffer
 * there may be packets of other VCs before it: their ticks are this VC's then, too. */
static void read_vc(const weft_iq *iq, char *record, uint32_t port, uint32_t v, uint32_t t,
                    weft_counter *counter)
{
    const weft_iq_layout *layout = weft_iq_layout_of(iq, record);
    *counter = weft_iq_counters(layout, record)[row_of(layout, port, v)];
    counter->held += held_in_vc(iq, record, port, v, t);
    if (weft_iq_last_vcs(layout, record)[port] == v)
        counter->busy -= not_carried(layout, record, port, t);
}

/* What one port has done. */
static void read_port(const weft_iq *iq, char *record, uint32_t port, uint32_t t,
                      weft_counter *counter)
{
    const weft_iq_layout *layout = weft_iq_layout_of(iq, record);
    *counter = weft_iq_counters(layout, record)[port];
    for (uint32_t v = 0; v < layout->n_vcs; v++)
        counter->held += held_in_vc(iq, record, port, v, t);
    counter->busy -= not_carried(layout, record, port, t);
    uint32_t free =
        *weft_iq_out_free_at(layout->features, layout, record, port * layout->out_speed);
    stall s = {.iq = iq, .record = record, .out = port, .t = t, .met = true};
    if (port < layout->ports)
        consider_fronts(&s);
    counter->stalled += after(&s, free);
}

void weft_iq_counter_read(const weft_iq *iq, uint32_t router, uint32_t number, uint32_t t,
                          weft_counter *counter)
{
    char *record = weft_iq_record(iq, router);
    const weft_iq_layout *layout = weft_iq_layout_of(iq, record);
    bool vcs = layout->rows != layout->ins;
    uint32_t port = port_of(layout, vcs ? number / layout->n_vcs : number);
    *counter = (weft_counter){0};
    if (port == WEFT_IQ_NONE)
        return;
    if (vcs)
        read_vc(iq, record, port, number % layout->n_vcs, t, counter);
    else
        read_port(iq, record, port, t, counter);
}
