/* SPDX-License-Identifier: Apache-2.0 */
/* The front of a queue waits for all VCs it could take: for the queue behind each, whose packets
 * hold the room it lacks. With a pool, also for those that hold parts of it; with a VC stage,
 * for what the owner of a VC waits for. Packets at their last router wait for nothing that could
 * stop. */
#include "sim/router/input_queued/knot.h"

#include "sim/router/input_queued/scan_impl.h"

#define LATER (1u << 24) /* ticks: all credits in sight have come by then */

typedef struct look {
    const weft_iq *iq;
    char *record;
    const weft_iq_layout *layout; /* of it */
    uint32_t t, patience;
    weft_waits *waits;
} look;

static uint32_t id_of(const look *l)
{
    return weft_iq_head_of(l->record)->id;
}

static weft_wait_for behind(const look *l, uint32_t out, uint32_t room, uint32_t vc)
{
    const weft_topology *topology = l->iq->layout.topology;
    weft_end to = topology->kind->peer(topology, id_of(l), out);
    return (weft_wait_for){
        .queue = {.router = to.router, .in = (uint16_t)to.port, .vc = (uint16_t)room},
        .out = (uint16_t)out,
        .vc = (uint16_t)vc};
}

/* A VC of an output lacks room; other VCs that have taken from the pool could give it back. */
static void wait_for_room(const look *l, uint32_t out, uint32_t vc)
{
    const weft_iq_layout *layout = l->layout;
    weft_waits_for(l->waits, behind(l, out, vc, vc));
    if (!weft_iq_has(layout, WEFT_IQ_POOLED))
        return;
    weft_iq_port *buffers = weft_iq_port_at(layout, l->record, out);
    for (uint32_t v = 0; v < layout->n_vcs; v++)
        if (v != vc && weft_iq_credits_at(layout->features, layout, buffers, v, l->t + LATER) < 0)
            weft_waits_for(l->waits, behind(l, out, v, vc));
}

/* Does it wait for this VC? False: it can have it. */
static bool wait_for_vc(const look *l, uint32_t out, uint32_t vc, uint32_t flits)
{
    const weft_iq_layout *layout = l->layout;
    int32_t units = weft_iq_units(layout->features, flits);
    bool pauses = weft_iq_has(layout, WEFT_IQ_PAUSED);
    if (pauses && weft_iq_pause_ends(layout, weft_iq_port_at(layout, l->record, out), vc))
        return false;
    if (!pauses &&
        weft_iq_room_at(layout->features, layout, l->record, out, vc, l->t + LATER) >= units)
        return false;
    wait_for_room(l, out, vc);
    return true;
}

/* With a VC stage: does the owner of a VC that another front wants wait for it? */
static bool wait_for_owner(const look *l, uint32_t out, uint32_t vc)
{
    const weft_iq_layout *layout = l->layout;
    if (!weft_iq_claims(layout, l->record)[out * layout->n_vcs + vc].held)
        return false;
    for (uint32_t q = 0; q < layout->ins * layout->n_vcs; q++) {
        const weft_iq_front *front = weft_iq_front_at(layout, l->record, q);
        if (front->tail != WEFT_IQ_NONE && front->out == out && front->vc == vc)
            return wait_for_vc(l, out, vc, front->flits);
    }
    return false;
}

/* Does a front wait wherever it could go? */
static bool wait_everywhere(const look *l, const weft_iq_bid *bid, bool owns)
{
    const weft_iq_layout *layout = l->layout;
    weft_candidate hops[WEFT_MINIMAL_PORTS_MAX + 1];
    unsigned count = weft_iq_candidates(l->iq, l->record, bid, hops);
    for (unsigned i = 0; i < count; i++) {
        if (hops[i].port >= layout->ports)
            return false;
        for (uint32_t vcs = hops[i].vcs; vcs; vcs &= vcs - 1) {
            uint32_t vc = (uint32_t)__builtin_ctz(vcs);
            if (owns ? !wait_for_vc(l, hops[i].port, vc, bid->flits)
                     : !wait_for_owner(l, hops[i].port, vc))
                return false;
        }
    }
    return count > 0;
}

static bool is_patient(const look *l, uint32_t ready)
{
    return (int32_t)(l->t - ready) < (int32_t)l->patience;
}

static void look_at_front(const look *l, uint32_t in, uint32_t v)
{
    const weft_iq_layout *layout = l->layout;
    const weft_iq_front *front = weft_iq_front_at(layout, l->record, in * layout->n_vcs + v);
    if (front->tail == WEFT_IQ_NONE || is_patient(l, front->ready))
        return;
    weft_iq_bid bid = {.in = in,
                       .vc = v,
                       .flits = front->flits,
                       .vcs = front->vcs,
                       .out = front->out,
                       .packet = weft_iq_head_packet(l->iq, front)};
    weft_input_queue queue = {id_of(l), (uint16_t)in, (uint16_t)v};
    weft_waits_begin(l->waits, queue);
    weft_waits_since(l->waits, l->t - front->ready);
    if (!wait_everywhere(l, &bid, !weft_iq_has(layout, WEFT_IQ_VC_STAGE) || front->vc != UINT8_MAX))
        weft_waits_drop(l->waits);
}

/* VOQ: a queue moves if any of its fronts does. */
static void look_at_each(const look *l, uint32_t in, uint32_t v)
{
    const weft_iq_layout *layout = l->layout;
    uint32_t number = in * layout->n_vcs + v, least = UINT32_MAX;
    const uint32_t *tails = weft_iq_tails(layout, l->record) + (size_t)number * layout->ins;
    bool stuck = true;
    weft_waits_begin(l->waits, (weft_input_queue){id_of(l), (uint16_t)in, (uint16_t)v});
    const uint64_t *present = weft_iq_present_of(layout, l->record, number);
    for (uint32_t words = layout->words, out = weft_set_next(words, present, 0);
         out < 64 * words && stuck; out = weft_set_next(words, present, out + 1)) {
        const weft_iq_packet *packet =
            weft_iq_packet_at(l->iq, weft_iq_packet_at(l->iq, tails[out])->event.to);
        weft_iq_bid bid = {.in = in,
                           .vc = v,
                           .flits = weft_packet_flits(&packet->event),
                           .vcs = packet->vcs,
                           .out = out,
                           .packet = packet};
        least = l->t - packet->ready < least ? l->t - packet->ready : least;
        stuck = !is_patient(l, packet->ready) && wait_everywhere(l, &bid, true);
    }
    if (stuck)
        weft_waits_since(l->waits, least);
    else
        weft_waits_drop(l->waits);
}

static void look_at_router(const look *l)
{
    const weft_iq_layout *layout = l->layout;
    for (uint32_t line = 0; line < layout->in_lines; line++)
        for (uint32_t vcs = weft_iq_lines_of(l->record)[line].waiting; vcs; vcs &= vcs - 1) {
            uint32_t v = (uint32_t)__builtin_ctz(vcs);
            if (weft_iq_has(layout, WEFT_IQ_QUEUE_EACH))
                look_at_each(l, line / layout->in_speed, v);
            else
                look_at_front(l, line / layout->in_speed, v);
        }
}

/* Is any packet in a queue? */
static bool holds_any(const look *l)
{
    const weft_iq_line *line = weft_iq_lines_of(l->record);
    uint32_t vcs = 0;
    for (uint32_t x = 0; x < l->layout->in_lines; x++)
        vcs |= line[x].waiting;
    return vcs != 0;
}

void weft_iq_waits(const weft_site *site, weft_time now, weft_time patience, weft_waits *waits)
{
    const weft_iq *iq = site->state;
    look l = {.iq = iq,
              .t = (uint32_t)now,
              .patience = patience < INT32_MAX ? (uint32_t)patience : INT32_MAX,
              .waits = waits};
    for (uint32_t r = 0; r < site->routers; r++) {
        l.record = weft_iq_record(iq, r);
        l.layout = weft_iq_layout_of(iq, l.record);
        if (holds_any(&l))
            look_at_router(&l);
    }
}
