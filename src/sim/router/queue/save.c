/* SPDX-License-Identifier: Apache-2.0 */
/* The queue in a checkpoint: each VC with its server and its packets, the first one first. */
#include "sim/router/queue/queue.h"
#include "sim/validate.h"

static void save_vc(const weft_queue_vc *vc, weft_pack *pack)
{
    weft_pack_double(pack, vc->left);
    weft_pack_double(pack, vc->speed);
    weft_pack_i64(pack, vc->since);
    weft_pack_i64(pack, vc->end);
    weft_pack_i64(pack, vc->counted);
    weft_pack_u64(pack, vc->asked);
    weft_pack_u32(pack, vc->serving);
    weft_pack_u32(pack, vc->borrowed);
    weft_pack_u32(pack, vc->lent);
    weft_pack_u32(pack, vc->wait_queue.waiting);
    /* none has gone but the first */
    for (uint32_t i = vc->wait_queue.first; i < vc->wait_queue.end; i++) {
        weft_pack_u32(pack, vc->wait_queue.at[i].key);
        for (int k = 0; k < 5; k++)
            weft_pack_u32(pack, vc->wait_queue.at[i].data[k]);
    }
}

void weft_queue_save(const weft_site *site, uint32_t router, weft_pack *pack)
{
    const weft_queue *q = site->state;
    weft_pack_u64(pack, q->sequence[router]);
    for (uint32_t l = 0; l < q->n_vcs; l++)
        save_vc(&q->vcs[(size_t)router * q->n_vcs + l], pack);
}

/* Does what was read make sense? */
static bool is_vc(const weft_queue *q, const weft_queue_vc *vc, uint32_t held, weft_time now)
{
    bool times = vc->since >= 0 && vc->since <= now && vc->counted >= 0 && vc->counted <= now;
    bool runs = !vc->serving || (held > 0 && vc->speed > 0 && vc->left >= 0 && vc->end >= now &&
                                 vc->end - now <= WEFT_QUEUE_LONGEST);
    return times && runs && vc->serving <= 1 && vc->borrowed <= q->regions &&
           vc->lent <= q->n_vcs && (vc->serving || held == 0 || vc->lent);
}

static void load_packets(weft_site *site, weft_queue_vc *vc, uint32_t router, uint32_t held,
                         weft_unpack *from)
{
    uint32_t id = weft_partition_router(site->platform->partition, site->block, router);
    for (uint32_t i = 0; i < held && !from->failed; i++) {
        weft_event packet = {.key = weft_unpack_u32(from)};
        for (int k = 0; k < 5; k++)
            packet.data[k] = weft_unpack_u32(from);
        if (from->failed || !weft_packet_valid(site->platform, id, &packet) ||
            weft_packet_header(&packet) != 0 || weft_packet_follows(&packet)) {
            weft_unpack_fail(from);
            return;
        }
        weft_queue_put(vc, &packet);
    }
}

void weft_queue_load(weft_site *site, uint32_t router, weft_time now, weft_unpack *from)
{
    weft_queue *q = site->state;
    q->sequence[router] = weft_unpack_u64(from);
    for (uint32_t l = 0; l < q->n_vcs && !from->failed; l++) {
        weft_queue_vc *vc = &q->vcs[(size_t)router * q->n_vcs + l];
        vc->left = weft_unpack_double(from);
        vc->speed = weft_unpack_double(from);
        vc->since = weft_unpack_i64(from);
        vc->end = weft_unpack_i64(from);
        vc->counted = weft_unpack_count(from);
        vc->asked = weft_unpack_u64(from);
        vc->serving = weft_unpack_u32(from);
        vc->borrowed = weft_unpack_u32(from);
        vc->lent = weft_unpack_u32(from);
        uint32_t held = weft_unpack_u32(from);
        if (from->failed || held > q->capacity || !is_vc(q, vc, held, now)) {
            weft_unpack_fail(from);
            return;
        }
        load_packets(site, vc, router, held, from);
    }
}

void weft_queue_wake(weft_block *block, uint32_t router, uint32_t vc, weft_time at)
{
    weft_event *event = weft_emit(block, at);
    event->to = router;
    weft_wake_make(event, 0, vc, false);
}

void weft_queue_start(weft_site *site, weft_block *block, weft_time now)
{
    const weft_queue *q = site->state;
    (void)now;
    for (uint32_t r = 0; r < site->routers; r++)
        for (uint32_t l = 0; l < q->n_vcs; l++) {
            const weft_queue_vc *vc = &q->vcs[(size_t)r * q->n_vcs + l];
            if (vc->serving)
                weft_queue_wake(block, r, l, vc->end);
        }
}
