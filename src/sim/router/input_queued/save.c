/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/router/input_queued/save.h"

#include "sim/router/input_queued/grant_impl.h"
#include "sim/router/input_queued/pause/headroom.h"
#include "sim/validate.h"

static void save_ticks(const uint32_t *ticks, uint32_t count, weft_pack *pack)
{
    for (uint32_t i = 0; i < count; i++)
        weft_pack_u32(pack, ticks[i]);
}

static void load_ticks(uint32_t *ticks, uint32_t count, weft_unpack *from)
{
    for (uint32_t i = 0; i < count; i++)
        ticks[i] = weft_unpack_u32(from);
}

static void save_packet(const weft_event *packet, uint32_t ready, weft_pack *pack)
{
    weft_pack_u32(pack, packet->when);
    weft_pack_u32(pack, ready);
    weft_pack_u32(pack, packet->key);
    for (int i = 0; i < 5; i++)
        weft_pack_u32(pack, packet->data[i]);
}

/* A packet at this router; WEFT_IQ_NONE (and the reader has failed) if there can be none like
 * it. */
static uint32_t load_packet(weft_iq *iq, const char *record, weft_unpack *from)
{
    uint32_t handle = weft_iq_take(iq);
    weft_iq_packet *packet = weft_iq_packet_at(iq, handle);
    packet->event.when = weft_unpack_u32(from);
    packet->ready = weft_unpack_u32(from);
    packet->event.key = weft_unpack_u32(from);
    for (int i = 0; i < 5; i++)
        packet->event.data[i] = weft_unpack_u32(from);
    uint32_t id = ((const weft_iq_head *)(const void *)record)->id;
    if (!from->failed && weft_packet_valid(iq->layout.platform, id, &packet->event))
        return handle;
    weft_iq_give(iq, handle);
    weft_unpack_fail(from);
    return WEFT_IQ_NONE;
}

static void save_queue(const weft_iq *iq, uint32_t tail, uint32_t ready, weft_pack *pack)
{
    uint32_t handle = tail, count = 0;
    if (tail == WEFT_IQ_NONE) {
        weft_pack_u32(pack, 0);
        weft_pack_u32(pack, ready);
        return;
    }
    do {
        handle = weft_iq_packet_at(iq, handle)->event.to;
        count++;
    } while (handle != tail);
    weft_pack_u32(pack, count);
    for (uint32_t i = 0; i < count; i++) {
        handle = weft_iq_packet_at(iq, handle)->event.to;
        const weft_iq_packet *packet = weft_iq_packet_at(iq, handle);
        save_packet(&packet->event,
                    weft_iq_has(&iq->layout, WEFT_IQ_QUEUE_EACH) ? packet->ready
                    : i                                          ? packet->event.when
                                                                 : ready,
                    pack);
    }
}

/* Appends it to the queue it is for. */
static void put(weft_iq *iq, char *record, uint32_t in, uint32_t v, uint32_t handle)
{
    const weft_iq_layout *layout = weft_iq_layout_of(iq, record);
    weft_iq_packet *packet = weft_iq_packet_at(iq, handle);
    uint32_t ready = packet->ready, queue = in * layout->n_vcs + v;
    weft_iq_traits features = iq->layout.features;
    const weft_iq_context ctx = {.iq = iq, .layout = layout, .record = record}; /* emits nothing */
    weft_iq_route(features, &ctx, packet, in, v);
    if (weft_iq_has(layout, WEFT_IQ_QUEUE_EACH)) {
        weft_iq_enqueue(features, &ctx, in, v, handle);
        packet->ready = ready;
    } else if (weft_iq_enqueue(features, &ctx, in, v, handle)) {
        weft_iq_front_at(layout, record, queue)->ready = ready;
    }
}

static void save_queues(const weft_iq *iq, char *record, weft_pack *pack)
{
    const weft_iq_layout *layout = weft_iq_layout_of(iq, record);
    for (uint32_t q = 0; q < layout->ins * layout->n_vcs; q++) {
        const weft_iq_front *front = weft_iq_front_at(layout, record, q);
        if (!weft_iq_has(layout, WEFT_IQ_QUEUE_EACH))
            save_queue(iq, front->tail, front->ready, pack);
        for (uint32_t o = 0; weft_iq_has(layout, WEFT_IQ_QUEUE_EACH) && o < layout->ins; o++) {
            bool some = weft_set_has(layout->words, weft_iq_present_of(layout, record, q), o);
            save_queue(iq,
                       some ? weft_iq_tails(layout, record)[(size_t)q * layout->ins + o]
                            : WEFT_IQ_NONE,
                       0, pack);
        }
    }
}

static void load_queues(weft_iq *iq, char *record, weft_unpack *from)
{
    const weft_iq_layout *layout = weft_iq_layout_of(iq, record);
    uint32_t lists = weft_iq_has(layout, WEFT_IQ_QUEUE_EACH) ? layout->ins : 1;
    for (uint32_t q = 0; q < layout->ins * layout->n_vcs; q++)
        for (uint32_t o = 0; o < lists; o++) {
            uint32_t count = weft_unpack_u32(from);
            uint32_t ready = count ? 0 : weft_unpack_u32(from);
            if (!count && !weft_iq_has(layout, WEFT_IQ_QUEUE_EACH))
                weft_iq_front_at(layout, record, q)->ready = ready;
            for (uint32_t i = 0; i < count && !from->failed; i++) {
                uint32_t handle = load_packet(iq, record, from);
                if (handle != WEFT_IQ_NONE)
                    put(iq, record, q / layout->n_vcs, q % layout->n_vcs, handle);
            }
        }
}

/* After the queues. Where lines nominate their fronts (nominate_impl.h), a line that is free has no
 * packet whose predecessor is still leaving. */
static void check_fronts(const weft_iq_layout *layout, char *record, uint32_t t, weft_unpack *from)
{
    if (!(layout->known & WEFT_IQ_POINTERS) || (layout->features & ~(weft_iq_traits)WEFT_IQ_TREE))
        return;
    for (uint32_t q = 0; q < layout->ins * layout->n_vcs; q++) {
        uint32_t ready = weft_iq_front_at(layout, record, q)->ready;
        if (weft_iq_later(ready, t) &&
            weft_iq_later(ready, weft_iq_lines_of(record)[q / layout->n_vcs].free))
            weft_unpack_fail(from);
    }
}

static void save_credit_bursts(const weft_iq_layout *layout, char *record, weft_pack *pack)
{
    for (uint32_t o = 0; o < layout->ins; o++) {
        weft_iq_port *out = weft_iq_port_at(layout, record, o);
        uint32_t count = out->credit_bursts;
        const weft_iq_credit_burst *credit_burst = weft_iq_credit_bursts(layout, out);
        weft_pack_u32(pack, count);
        for (uint32_t i = 0; i < count; i++) {
            weft_pack_u32(pack, credit_burst[i].start);
            weft_pack_u32(pack, credit_burst[i].units | (uint32_t)credit_burst[i].vc << 16 |
                                    (uint32_t)credit_burst[i].class << 24);
        }
    }
}

/* Ticks from a grant to the first credit of its burst, at most. */
static int64_t credit_reach(const weft_iq_layout *layout)
{
    int64_t delay = 0, through = 0;
    for (uint32_t c = 0; c < layout->platform->network->timing.classes; c++) {
        delay = layout->class_credit[c] > delay ? layout->class_credit[c] : delay;
        through = layout->class_through[c] > through ? layout->class_through[c] : through;
    }
    return delay + through * weft_iq_longest_packet(layout->platform);
}

static void load_credit_bursts(const weft_iq_layout *layout, char *record, uint32_t t,
                               weft_unpack *from)
{
    int64_t reach = credit_reach(layout);
    for (uint32_t o = 0; o < layout->ins; o++) {
        uint32_t count = weft_unpack_u32(from);
        weft_iq_port *out = weft_iq_port_at(layout, record, o);
        weft_iq_credit_burst *credit_burst = weft_iq_credit_bursts(layout, out);
        if (count > layout->credit_bursts) {
            weft_unpack_fail(from);
            return;
        }
        out->credit_bursts = (uint8_t)count;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t start = weft_unpack_u32(from), rest = weft_unpack_u32(from);
            credit_burst[i] = (weft_iq_credit_burst){.start = start,
                                                     .units = (uint16_t)rest,
                                                     .vc = (uint8_t)(rest >> 16),
                                                     .class = (uint8_t)(rest >> 24)};
            if (credit_burst[i].vc >= layout->n_vcs || (int32_t)(start - t) > reach ||
                credit_burst[i].class >= layout->platform->network->timing.classes)
                weft_unpack_fail(from);
        }
    }
}

static int32_t *credits_of(const weft_iq_layout *layout, char *record, uint32_t queue)
{
    return &weft_iq_port_at(layout, record, queue / layout->n_vcs)->credits[queue % layout->n_vcs];
}

static void save_credits(const weft_iq_layout *layout, char *record, weft_pack *pack)
{
    for (uint32_t q = 0; q < layout->ins * layout->n_vcs; q++)
        weft_pack_u32(pack, (uint32_t)*credits_of(layout, record, q));
}

static void load_credits(const weft_iq_layout *layout, char *record, weft_unpack *from)
{
    for (uint32_t q = 0; q < layout->ins * layout->n_vcs; q++)
        *credits_of(layout, record, q) = (int32_t)weft_unpack_u32(from);
}

/* With what the ramps will bring, between an empty buffer and a full one; with pause more may be on
 * its way. */
static void check_credits(const weft_iq_layout *layout, char *record, weft_unpack *from)
{
    for (uint32_t q = 0; q < layout->ins * layout->n_vcs; q++) {
        weft_iq_port *out = weft_iq_port_at(layout, record, q / layout->n_vcs);
        int64_t sum = *credits_of(layout, record, q);
        for (uint32_t i = 0; i < out->credit_bursts; i++)
            if (weft_iq_credit_bursts(layout, out)[i].vc == q % layout->n_vcs)
                sum += weft_iq_credit_bursts(layout, out)[i].units;
        if (sum > layout->capacity || (sum < -layout->pool && !weft_iq_has(layout, WEFT_IQ_PAUSED)))
            weft_unpack_fail(from);
    }
}

static void save_buffered_packets(const weft_iq_layout *layout, char *record, weft_pack *pack)
{
    for (uint32_t o = 0; layout->out_room && o < layout->ins; o++) {
        const weft_iq_buffered_packet *list =
            weft_iq_buffered_packets(layout, record) + (size_t)o * (layout->out_room + 1);
        for (uint32_t i = 0; i <= list[0].flits; i++) {
            weft_pack_u32(pack, list[i].flits);
            weft_pack_u32(pack, list[i].gone);
        }
    }
}

static void load_buffered_packets(const weft_iq_layout *layout, char *record, weft_unpack *from)
{
    for (uint32_t o = 0; layout->out_room && o < layout->ins; o++) {
        weft_iq_buffered_packet *list =
            weft_iq_buffered_packets(layout, record) + (size_t)o * (layout->out_room + 1);
        for (uint32_t i = 0; i <= list[0].flits && !from->failed; i++) {
            list[i].flits = weft_unpack_u32(from);
            list[i].gone = weft_unpack_u32(from);
            if (list[i].flits > layout->out_room) {
                list[i].flits = 0;
                weft_unpack_fail(from);
            }
        }
    }
}

static void save_claims(const weft_iq_layout *layout, char *record, weft_pack *pack)
{
    for (uint32_t q = 0; weft_iq_has(layout, WEFT_IQ_VC_STAGE) && q < layout->ins * layout->n_vcs;
         q++) {
        const weft_iq_claim *claim = &weft_iq_claims(layout, record)[q];
        weft_pack_u32(pack, claim->free);
        weft_pack_u32(pack,
                      claim->pointer | (uint32_t)claim->held << 16 | (uint32_t)claim->accept << 24);
        weft_pack_u32(pack, weft_iq_front_at(layout, record, q)->vc);
    }
}

/* After the queues: a front that owns a VC may use no other. */
static void load_claims(const weft_iq_layout *layout, char *record, weft_unpack *from)
{
    for (uint32_t q = 0; weft_iq_has(layout, WEFT_IQ_VC_STAGE) && q < layout->ins * layout->n_vcs;
         q++) {
        weft_iq_claim *claim = &weft_iq_claims(layout, record)[q];
        weft_iq_front *front = weft_iq_front_at(layout, record, q);
        claim->free = weft_unpack_u32(from);
        uint32_t rest = weft_unpack_u32(from), vc = weft_unpack_u32(from);
        claim->pointer = (uint16_t)rest;
        claim->held = rest >> 16 & 1;
        claim->accept = (uint8_t)(rest >> 24);
        if (claim->pointer >= layout->ins * layout->n_vcs || claim->accept >= layout->n_vcs ||
            (vc >= layout->n_vcs && vc != UINT8_MAX))
            weft_unpack_fail(from);
        front->vc = (uint8_t)vc;
        if (vc < layout->n_vcs && front->tail != WEFT_IQ_NONE && front->out < layout->ports)
            front->vcs = (uint16_t)(1u << vc);
    }
}

/* Packets to be marked, of every output; what waits is counted when queues are filled, and
 * packets that lines carry away. */
static void save_marks(const weft_iq_layout *layout, char *record, weft_pack *pack)
{
    if (!weft_iq_has(layout, WEFT_IQ_MARKED))
        return;
    for (uint32_t o = 0; o < layout->ins; o++)
        weft_pack_u32(pack, weft_iq_markers(layout, record)[o].due);
    for (uint32_t x = 0; x < layout->in_lines; x++) {
        weft_pack_u32(pack, weft_iq_leavers(layout, record)[x].units);
        weft_pack_u32(pack, weft_iq_leavers(layout, record)[x].vc);
    }
}

/* After the queues. */
static void load_marks(const weft_iq_layout *layout, char *record, weft_unpack *from)
{
    if (!weft_iq_has(layout, WEFT_IQ_MARKED))
        return;
    for (uint32_t o = 0; o < layout->ins; o++) {
        weft_iq_marker *marker = &weft_iq_markers(layout, record)[o];
        marker->due = weft_unpack_u32(from);
        if (marker->due > marker->waiting)
            weft_unpack_fail(from);
    }
    for (uint32_t x = 0; x < layout->in_lines; x++) {
        weft_iq_leaver *leaver = &weft_iq_leavers(layout, record)[x];
        leaver->units = weft_unpack_u32(from);
        leaver->vc = weft_unpack_u32(from);
        if (leaver->units > WEFT_PACKET_MAX || leaver->vc >= layout->n_vcs)
            weft_unpack_fail(from);
    }
}

/* The next packets of a router's endpoints. */
static void save_staged(const weft_iq *iq, uint32_t router, weft_pack *pack)
{
    uint32_t each = weft_site_sources(iq->site, router);
    for (uint32_t s = router * each; s < (router + 1) * each; s++) {
        weft_pack_u32(pack, iq->staged[s] != WEFT_IQ_NONE);
        if (iq->staged[s] == WEFT_IQ_NONE)
            continue;
        const weft_iq_packet *packet = weft_iq_packet_at(iq, iq->staged[s]);
        save_packet(&packet->event, iq->site->pace ? packet->ready : 0, pack);
    }
}

/* Only endpoints that there are send. */
static void load_staged(weft_iq *iq, uint32_t router, const char *record, weft_unpack *from)
{
    const weft_network *network = iq->layout.platform->network;
    uint32_t each = weft_site_sources(iq->site, router);
    uint32_t id = ((const weft_iq_head *)(const void *)record)->id;
    for (uint32_t s = 0; s < each; s++) {
        if (!weft_unpack_u32(from))
            continue;
        iq->staged[router * each + s] = load_packet(iq, record, from);
        uint32_t host = s / network->n_traffic_classes;
        if (weft_site_endpoint(&network->topology, id, host) >= network->endpoints)
            weft_unpack_fail(from);
    }
}

static uint32_t *bus_of(const weft_iq *iq, uint32_t router, uint32_t *count)
{
    uint32_t hosts = iq->layout.platform->network->topology.concentration;
    *count = router * hosts < iq->n_buses ? 2 * hosts : 0;
    return *count ? iq->buses + 2 * (size_t)router * hosts : NULL;
}

void weft_iq_save(const weft_iq *iq, uint32_t router, weft_pack *pack)
{
    char *record = weft_iq_record(iq, router);
    const weft_iq_layout *layout = weft_iq_layout_of(iq, record);
    uint32_t count, *bus = bus_of(iq, router, &count);
    for (uint32_t x = 0; x < layout->in_lines; x++)
        weft_pack_u32(pack, weft_iq_lines_of(record)[x].free);
    for (uint32_t y = 0; y < layout->out_lines; y++)
        weft_pack_u32(pack, *weft_iq_out_free_at(layout->features, layout, record, y));
    save_ticks(weft_iq_end_free(layout, record), layout->ends, pack);
    save_ticks(weft_iq_link_free(layout, record), layout->out_room ? layout->ins : 0, pack);
    save_ticks(bus, count, pack);
    weft_pack_bytes(pack, weft_iq_state(layout, record), layout->scheduler.bytes);
    save_credits(layout, record, pack);
    save_credit_bursts(layout, record, pack);
    weft_iq_pause_save(layout, record, pack);
    save_buffered_packets(layout, record, pack);
    save_queues(iq, record, pack);
    save_ticks(weft_iq_left(layout, record), weft_iq_lefts(layout), pack);
    save_claims(layout, record, pack);
    save_marks(layout, record, pack);
    weft_iq_adapters_save(layout, record, pack);
    save_staged(iq, router, pack);
    for (uint32_t p = 0; layout->platform->count_links && p < layout->ports; p++)
        weft_pack_i64(pack, weft_iq_flits(layout, record)[p]);
    for (uint32_t g = 0; g < layout->rows; g++) {
        const weft_counter *counter = &weft_iq_counters(layout, record)[g];
        weft_pack_i64(pack, counter->busy);
        weft_pack_i64(pack, counter->held);
        weft_pack_i64(pack, counter->flits);
        weft_pack_i64(pack, counter->stalled);
    }
    for (uint32_t p = 0; p < weft_iq_n_last_vcs(layout); p++)
        weft_pack_u32(pack, weft_iq_last_vcs(layout, record)[p]);
}

void weft_iq_load(weft_iq *iq, uint32_t router, weft_time now, weft_unpack *from)
{
    char *record = weft_iq_record(iq, router);
    const weft_iq_layout *layout = weft_iq_layout_of(iq, record);
    uint32_t count, *bus = bus_of(iq, router, &count);
    for (uint32_t x = 0; x < layout->in_lines; x++)
        weft_iq_lines_of(record)[x].free = weft_unpack_u32(from);
    for (uint32_t y = 0; y < layout->out_lines; y++)
        *weft_iq_out_free_at(layout->features, layout, record, y) = weft_unpack_u32(from);
    load_ticks(weft_iq_end_free(layout, record), layout->ends, from);
    load_ticks(weft_iq_link_free(layout, record), layout->out_room ? layout->ins : 0, from);
    load_ticks(bus, count, from);
    const void *state = weft_unpack_bytes(from, layout->scheduler.bytes);
    if (state)
        memcpy(weft_iq_state(layout, record), state, layout->scheduler.bytes);
    if (!state ||
        (layout->scheduler.kind->sound &&
         !layout->scheduler.kind->sound(&layout->scheduler, weft_iq_state(layout, record)))) {
        layout->scheduler.kind->reset(&layout->scheduler, weft_iq_state(layout, record));
        weft_unpack_fail(from);
    }
    load_credits(layout, record, from);
    load_credit_bursts(layout, record, (uint32_t)now, from);
    check_credits(layout, record, from);
    weft_iq_pause_load(layout, record, (uint32_t)now, from);
    bool collects = !weft_iq_has(layout, WEFT_IQ_PAUSED);
    for (uint32_t o = 0; collects && o < layout->ins && !from->failed; o++)
        (void)weft_iq_collect_credits(iq->layout.features, layout,
                                      weft_iq_port_at(layout, record, o), (uint32_t)now);
    load_buffered_packets(layout, record, from);
    load_queues(iq, record, from);
    check_fronts(layout, record, (uint32_t)now, from);
    load_ticks(weft_iq_left(layout, record), weft_iq_lefts(layout), from);
    load_claims(layout, record, from);
    load_marks(layout, record, from);
    weft_iq_adapters_load(layout, record, from);
    load_staged(iq, router, record, from);
    for (uint32_t p = 0; layout->platform->count_links && p < layout->ports; p++)
        weft_iq_flits(layout, record)[p] = weft_unpack_count(from);
    for (uint32_t g = 0; g < layout->rows; g++) {
        weft_counter *counter = &weft_iq_counters(layout, record)[g];
        counter->busy = weft_unpack_count(from);
        counter->held = weft_unpack_count(from);
        counter->flits = weft_unpack_count(from);
        counter->stalled = weft_unpack_count(from);
    }
    for (uint32_t p = 0; p < weft_iq_n_last_vcs(layout); p++)
        weft_iq_last_vcs(layout, record)[p] = weft_unpack_u32(from);
}

bool weft_iq_load_credit(weft_iq *iq, uint32_t router, const weft_event *event, weft_time at,
                         weft_time now, weft_unpack *from)
{
    char *record = weft_iq_record(iq, router);
    const weft_iq_layout *layout = weft_iq_layout_of(iq, record);
    weft_iq_port *out =
        weft_iq_port_at(layout, record, weft_event_port(layout->platform->key, event));
    uint32_t vc = weft_credit_vc(event), units = weft_credit_units(event);
    uint32_t link_class = weft_credit_link_class(event);
    if (vc >= layout->n_vcs || link_class >= layout->platform->network->timing.classes ||
        units < 1 || units > WEFT_PACKET_MAX || out->credit_bursts >= layout->credit_bursts ||
        at - now > credit_reach(layout)) {
        weft_unpack_fail(from);
        return true;
    }
    if (iq->layout.features & WEFT_IQ_EVENTS)
        return false;
    weft_iq_credit_burst credit_burst = {.start = (uint32_t)at,
                                         .units = (uint16_t)units,
                                         .vc = (uint8_t)vc,
                                         .class = (uint8_t)link_class};
    weft_iq_credit_burst *list = weft_iq_credit_bursts(layout, out);
    uint32_t place = out->credit_bursts++;
    for (; place > 0 && weft_iq_later(list[place - 1].start, credit_burst.start); place--)
        list[place] = list[place - 1];
    list[place] = credit_burst;
    return true;
}
