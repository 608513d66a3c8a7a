/* SPDX-License-Identifier: Apache-2.0 */
/* A tick that only says "free from here on" becomes the tick of the sweep. The tick in which a
 * packet came keeps its order: the part of its age beyond OLD is halved, so that an older packet
 * stays older, and no age ever comes near 2^31 (between two sweeps it grows by less than 2^29,
 * so it stays below 2^30 + 2^29). Counters are told of what is taken away. */
#include "sim/router/input_queued/sweep.h"

#include "sim/pace.h"
#include "sim/router/input_queued/credit_impl.h"
#include "sim/router/input_queued/counters.h"

#define OLD ((int32_t)1 << 30)

static void forget(uint32_t *ticks, uint32_t count, uint32_t t)
{
    for (uint32_t i = 0; i < count; i++)
        if (!weft_iq_later(ticks[i], t))
            ticks[i] = t;
}

/* Ticks that the age of a packet becomes less by. */
static uint32_t rejuvenate(weft_iq_packet *packet, uint32_t t)
{
    int32_t age = (int32_t)(t - packet->event.when);
    uint32_t less = age > OLD ? (uint32_t)(age - OLD) / 2 : 0;
    packet->event.when += less;
    return less;
}

/* All packets of a queue, which came by an input. */
static void sweep_queue(const weft_iq *iq, char *record, uint32_t in, uint32_t v, uint32_t tail,
                        uint32_t t)
{
    const weft_iq_layout *layout = weft_iq_layout_of(iq, record);
    uint32_t handle = tail;
    do {
        weft_iq_packet *packet = weft_iq_packet_at(iq, handle);
        uint32_t less = rejuvenate(packet, t);
        if (less)
            weft_iq_counter_hold(layout, record, in, v, weft_packet_flits(&packet->event), less);
        if (weft_iq_has(layout, WEFT_IQ_QUEUE_EACH))
            forget(&packet->ready, 1, t);
        handle = packet->event.to;
    } while (handle != tail);
}

static void sweep_queues(const weft_iq *iq, char *record, uint32_t t)
{
    const weft_iq_layout *layout = weft_iq_layout_of(iq, record);
    for (uint32_t q = 0; q < layout->ins * layout->n_vcs; q++) {
        uint32_t in = q / layout->n_vcs, v = q % layout->n_vcs;
        if (!weft_iq_has(layout, WEFT_IQ_QUEUE_EACH)) {
            weft_iq_front *front = weft_iq_front_at(layout, record, q);
            forget(&front->ready, 1, t);
            if (front->tail != WEFT_IQ_NONE)
                sweep_queue(iq, record, in, v, front->tail, t);
            continue;
        }
        const uint64_t *present = weft_iq_present_of(layout, record, q);
        for (uint32_t words = layout->words, out = weft_set_next(words, present, 0);
             out < 64 * words; out = weft_set_next(words, present, out + 1))
            sweep_queue(iq, record, in, v,
                        weft_iq_tails(layout, record)[(size_t)q * layout->ins + out], t);
    }
}

/* Packets that have left an output buffer. */
static void sweep_buffered_packets(const weft_iq_layout *layout, char *record, uint32_t t)
{
    for (uint32_t o = 0; layout->out_room && o < layout->ins; o++) {
        weft_iq_buffered_packet *list =
            weft_iq_buffered_packets(layout, record) + (size_t)o * (layout->out_room + 1);
        uint32_t kept = 0;
        for (uint32_t i = 1; i <= list[0].flits; i++)
            if (weft_iq_later(list[i].gone, t))
                list[++kept] = list[i];
        list[0].flits = kept;
    }
}

static void sweep_credits(const weft_iq *iq, char *record, uint32_t t)
{
    const weft_iq_layout *layout = weft_iq_layout_of(iq, record);
    for (uint32_t o = 0; o < layout->ins; o++) {
        weft_iq_port *out = weft_iq_port_at(layout, record, o);
        if (weft_iq_has(layout, WEFT_IQ_PAUSED))
            weft_iq_pause_see(layout, out, t - 1);
        else
            weft_iq_collect_credits(iq->layout.features, layout, out, t);
        for (uint32_t v = 0; layout->rows > 0 && v < layout->n_vcs; v++)
            forget(&weft_iq_came(layout, out)[v], 1, t - 1); /* in t nothing has come yet */
    }
}

static void sweep_record(const weft_iq *iq, char *record, uint32_t t)
{
    const weft_iq_layout *layout = weft_iq_layout_of(iq, record);
    weft_iq_head_of(record)->mark = t - 1;
    weft_iq_counter_stalls(iq, record, t);
    for (uint32_t x = 0; x < layout->in_lines; x++)
        forget(&weft_iq_lines_of(record)[x].free, 1, t);
    sweep_queues(iq, record, t);
    forget(weft_iq_left(layout, record), weft_iq_lefts(layout), t);
    for (uint32_t y = 0; y < layout->out_lines; y++)
        forget(weft_iq_out_free_at(layout->features, layout, record, y), 1, t);
    forget(weft_iq_end_free(layout, record), layout->ends, t);
    forget(weft_iq_link_free(layout, record), layout->out_room ? layout->ins : 0, t);
    sweep_buffered_packets(layout, record, t);
    uint32_t links = layout->ports * layout->n_vcs;
    for (uint32_t i = 0; weft_iq_has(layout, WEFT_IQ_VC_STAGE) && i < links; i++)
        forget(&weft_iq_claims(layout, record)[i].free, 1, t);
    for (uint32_t i = 0; weft_iq_has(layout, WEFT_IQ_REROUTES) && i < links; i++)
        weft_iq_backlogs(layout, record)[i].tick = t - 1; /* the same */
    sweep_credits(iq, record, t);
}

void weft_iq_sweep(weft_iq *iq, weft_time now)
{
    const weft_site *site = iq->site;
    uint32_t t = (uint32_t)now;
    if (now - iq->swept < WEFT_SWEEP)
        return;
    iq->swept = now;
    for (uint32_t r = 0; r < site->routers; r++)
        sweep_record(iq, weft_iq_record(iq, r), t);
    for (uint32_t s = 0; s < site->sources; s++) {
        if (iq->staged[s] == WEFT_IQ_NONE)
            continue;
        (void)rejuvenate(weft_iq_packet_at(iq, iq->staged[s]), t);
        if (site->pace)
            forget(&weft_iq_packet_at(iq, iq->staged[s])->ready, 1, t);
    }
    weft_pace_sweep(iq->site, t);
    if (iq->buses)
        forget(iq->buses, 2 * iq->n_buses, t);
}
