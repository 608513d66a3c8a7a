/* SPDX-License-Identifier: Apache-2.0 */
/* A router in a checkpoint: when its outputs are free and what they have done, its credits, and
 * the packets that wait, in the order they came; which lists they stand in follows from what
 * they are. */
#include "sim/router/shared_queue/shared_queue.h"
#include "sim/validate.h"

void weft_sq_save(const weft_site *site, uint32_t router, weft_pack *pack)
{
    const weft_sq *q = site->state;
    const weft_sq_node *node = weft_sq_at(q, router);
    for (uint32_t o = 0; o < q->outputs; o++) {
        weft_pack_i64(pack, node->output[o].free);
        weft_pack_u32(pack, node->output[o].order);
        weft_pack_i64(pack, node->output[o].busy);
        if (q->meter) {
            const weft_sq_meter *meter = &q->meter[(size_t)router * q->outputs + o];
            weft_pack_i64(pack, meter->sent);
            weft_pack_i64(pack, meter->stalled);
        }
    }
    if (q->meter) {
        weft_pack_i64(pack, q->came[router]);
        weft_pack_i64(pack, q->left[router]);
    }
    if (q->chain) {
        weft_pack_u32(pack, node->credits);
        weft_pack_u32(pack, node->stalled);
        weft_pack_i64(pack, node->since);
    }
    if (q->birth) {
        weft_pack_i64(pack, q->birth[router].at);
        weft_pack_u32(pack, q->birth[router].precedence);
    }
    weft_pack_u32(pack, node->sent);
    weft_pack_u32(pack, node->wait_queue.waiting);
    weft_event packet;
    for (uint32_t place = 0; place < weft_sq_places(site, router); place++) {
        if (!weft_sq_look(site, router, place, &packet))
            continue;
        weft_pack_u32(pack, packet.key);
        for (int i = 0; i < 5; i++)
            weft_pack_u32(pack, packet.data[i]);
    }
}

static void load_outputs(weft_sq *q, uint32_t router, weft_time now, weft_unpack *from)
{
    weft_sq_node *node = weft_sq_at(q, router);
    for (uint32_t o = 0; o < q->outputs; o++) {
        weft_sq_output *output = &node->output[o];
        output->free = weft_unpack_i64(from);
        output->order = weft_unpack_u32(from);
        output->busy = weft_unpack_count(from);
        if (output->free < -1 || output->free >= now + WEFT_FAR_AHEAD)
            weft_unpack_fail(from);
        if (q->meter) {
            weft_sq_meter *meter = &q->meter[(size_t)router * q->outputs + o];
            meter->sent = weft_unpack_count(from);
            meter->stalled = weft_unpack_count(from);
        }
    }
    if (q->meter) {
        q->came[router] = weft_unpack_count(from);
        q->left[router] = weft_unpack_count(from);
    }
}

static void load_chain(weft_sq *q, uint32_t router, weft_time now, weft_unpack *from)
{
    weft_sq_node *node = weft_sq_at(q, router);
    uint32_t most = node->credits;
    node->credits = weft_unpack_u32(from);
    node->stalled = weft_unpack_u32(from);
    node->since = weft_unpack_i64(from);
    if (node->credits > most || node->stalled > 1 || node->since < 0 || node->since > now)
        weft_unpack_fail(from);
}

static void load_birth(weft_sq_birth *birth, weft_time now, weft_unpack *from)
{
    birth->at = weft_unpack_i64(from);
    birth->precedence = weft_unpack_u32(from);
    if (birth->at < 0 || birth->at > now || birth->precedence >> WEFT_PRECEDENCE_BITS)
        weft_unpack_fail(from);
}

/* May such a packet wait here? */
static bool is_sound(const weft_site *site, uint32_t router, const weft_event *packet)
{
    const weft_platform *platform = site->platform;
    const weft_sq *q = site->state;
    uint32_t id = weft_partition_router(platform->partition, site->block, router);
    return weft_packet_valid(platform, id, packet) && weft_packet_flits(packet) <= platform->mtu &&
           weft_packet_vc(packet) == 0 && (weft_packet_header(packet) || q->outputs > q->ports) &&
           (!weft_packet_follows(packet) ||
            weft_platform_cuts(platform, weft_packet_traffic_class(packet)));
}

void weft_sq_load(weft_site *site, uint32_t router, weft_time now, weft_unpack *from)
{
    weft_sq *q = site->state;
    load_outputs(q, router, now, from);
    if (q->chain)
        load_chain(q, router, now, from);
    if (q->birth)
        load_birth(&q->birth[router], now, from);
    weft_sq_at(q, router)->sent = weft_unpack_u32(from);
    uint32_t waiting = weft_unpack_u32(from);
    if (waiting > weft_sq_at(q, router)->room)
        weft_unpack_fail(from);
    for (uint32_t i = 0; i < waiting && !from->failed; i++) {
        weft_event packet = {.key = weft_unpack_u32(from)};
        for (int k = 0; k < 5; k++)
            packet.data[k] = weft_unpack_u32(from);
        if (from->failed || !is_sound(site, router, &packet)) {
            weft_unpack_fail(from);
            return;
        }
        weft_sq_choice all;
        weft_sq_ways(site, router, &packet, &all);
        uint64_t outputs = 0;
        for (unsigned k = 0; k < all.n_ways; k++)
            outputs |= (uint64_t)1 << all.ways[k].port;
        weft_sq_put(site, router, &packet, outputs);
    }
}

void weft_sq_plain(const weft_platform *platform, weft_event *event)
{
    const weft_sq_settings *set = platform->router_settings;
    if (set->order == WEFT_SQ_EVENT_LIST && weft_event_kind(event) == WEFT_HEADER)
        event->key = weft_packet_key(WEFT_KEY_NARROW, WEFT_HEADER, 0);
}

/* A credit on its way goes into the wheel, if there is somebody to take it. */
bool weft_sq_credit(weft_site *site, uint32_t router, const weft_event *event, weft_time at,
                    weft_time now, weft_unpack *from)
{
    const weft_sq *q = site->state;
    (void)router, (void)at, (void)now;
    if (!q->chain || weft_event_port(site->platform->key, event) != q->up)
        weft_unpack_fail(from);
    return from->failed;
}

/* Wakes routers for the outputs that somebody waits for. One that was free before and waited for
 * stays so. */
void weft_sq_start(weft_site *site, weft_block *block, weft_time now)
{
    const weft_sq *q = site->state;
    for (uint32_t r = 0; r < site->routers; r++)
        weft_sq_watch(q, block, r, now - 1);
}
