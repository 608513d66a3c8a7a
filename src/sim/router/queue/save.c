/* SPDX-License-Identifier: Apache-2.0 */
/* The queue in a checkpoint: each lane with its server and its packets, the first one first. */
#include "sim/router/queue/queue.h"
#include "sim/sound.h"

static void save_lane(const weft_queue_lane *lane, weft_pack *pack)
{
    weft_pack_double(pack, lane->left);
    weft_pack_double(pack, lane->speed);
    weft_pack_i64(pack, lane->since);
    weft_pack_i64(pack, lane->end);
    weft_pack_i64(pack, lane->counted);
    weft_pack_u64(pack, lane->asked);
    weft_pack_u32(pack, lane->serving);
    weft_pack_u32(pack, lane->borrowed);
    weft_pack_u32(pack, lane->lent);
    weft_pack_u32(pack, lane->line.waiting);
    for (uint32_t i = lane->line.first; i < lane->line.end; i++) { /* none has gone but the first */
        weft_pack_u32(pack, lane->line.at[i].key);
        for (int k = 0; k < 5; k++)
            weft_pack_u32(pack, lane->line.at[i].data[k]);
    }
}

void weft_queue_save(const weft_site *site, uint32_t router, weft_pack *pack)
{
    const weft_queue *q = site->state;
    weft_pack_u64(pack, q->sequence[router]);
    for (uint32_t l = 0; l < q->n_lanes; l++)
        save_lane(&q->lanes[(size_t)router * q->n_lanes + l], pack);
}

/* Does what was read make sense? */
static bool is_lane(const weft_queue *q, const weft_queue_lane *lane, uint32_t held, weft_time now)
{
    bool times =
        lane->since >= 0 && lane->since <= now && lane->counted >= 0 && lane->counted <= now;
    bool runs = !lane->serving || (held > 0 && lane->speed > 0 && lane->left >= 0 &&
                                   lane->end >= now && lane->end - now <= WEFT_QUEUE_LONGEST);
    return times && runs && lane->serving <= 1 && lane->borrowed <= q->regions &&
           lane->lent <= q->n_lanes && (lane->serving || held == 0 || lane->lent);
}

static void load_packets(weft_site *site, weft_queue_lane *lane, uint32_t router, uint32_t held,
                         weft_unpack *from)
{
    uint32_t id = weft_partition_router(site->fabric->partition, site->block, router);
    for (uint32_t i = 0; i < held && !from->failed; i++) {
        weft_event packet = {.key = weft_unpack_u32(from)};
        for (int k = 0; k < 5; k++)
            packet.data[k] = weft_unpack_u32(from);
        if (from->failed || !weft_packet_sound(site->fabric->network, id, &packet) ||
            packet.data[3] != 0 || weft_packet_follows(&packet)) {
            weft_unpack_fail(from);
            return;
        }
        weft_queue_put(lane, &packet);
    }
}

void weft_queue_load(weft_site *site, uint32_t router, weft_time now, weft_unpack *from)
{
    weft_queue *q = site->state;
    q->sequence[router] = weft_unpack_u64(from);
    for (uint32_t l = 0; l < q->n_lanes && !from->failed; l++) {
        weft_queue_lane *lane = &q->lanes[(size_t)router * q->n_lanes + l];
        lane->left = weft_unpack_double(from);
        lane->speed = weft_unpack_double(from);
        lane->since = weft_unpack_i64(from);
        lane->end = weft_unpack_i64(from);
        lane->counted = weft_unpack_i64(from);
        lane->asked = weft_unpack_u64(from);
        lane->serving = weft_unpack_u32(from);
        lane->borrowed = weft_unpack_u32(from);
        lane->lent = weft_unpack_u32(from);
        uint32_t held = weft_unpack_u32(from);
        if (from->failed || held > q->capacity || !is_lane(q, lane, held, now)) {
            weft_unpack_fail(from);
            return;
        }
        load_packets(site, lane, router, held, from);
    }
}

void weft_queue_wake(weft_block *block, uint32_t router, uint32_t lane, weft_time at)
{
    weft_event *event = weft_emit(block, at);
    event->to = router;
    event->key = weft_packet_key(WEFT_WAKE, 0);
    event->data[0] = lane;
    event->data[1] = 1; /* no source */
}

void weft_queue_start(weft_site *site, weft_block *block, weft_time now)
{
    const weft_queue *q = site->state;
    (void)now;
    for (uint32_t r = 0; r < site->routers; r++)
        for (uint32_t l = 0; l < q->n_lanes; l++) {
            const weft_queue_lane *lane = &q->lanes[(size_t)r * q->n_lanes + l];
            if (lane->serving)
                weft_queue_wake(block, r, l, lane->end);
        }
}
