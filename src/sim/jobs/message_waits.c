/* SPDX-License-Identifier: Apache-2.0 */
/* The longest of several waits does not depend on their order, so neither does a log on the blocks
 * that routers are in, nor what is collected from all of them. */
#include "sim/jobs/message_waits.h"

#include "base/memory.h"
#include "sim/jobs/processes_state.h"
#include "sim/jobs/timeline.h"

#include <stdlib.h>

/* ---- the log of a router ---- */

static weft_message_wait *find_slot(const weft_message_waits *log, uint32_t source, uint32_t number)
{
    uint64_t mixed = ((uint64_t)source << 32 | number) * 0x9e3779b97f4a7c15u;
    uint32_t at = (uint32_t)(mixed >> 32) & (log->room - 1);
    while (log->slots[at].ticks > 0 &&
           (log->slots[at].source != source || log->slots[at].number != number))
        at = (at + 1) & (log->room - 1);
    return &log->slots[at];
}

static void grow(weft_message_waits *log)
{
    weft_message_waits old = *log;
    log->room = old.room ? 2 * old.room : 8;
    log->slots = weft_alloc(sizeof *log->slots * log->room);
    for (uint32_t i = 0; i < old.room; i++)
        if (old.slots[i].ticks > 0)
            *find_slot(log, old.slots[i].source, old.slots[i].number) = old.slots[i];
    free(old.slots);
}

void weft_message_waits_add(weft_message_waits *log, weft_message_wait wait)
{
    if (2 * log->count >= log->room)
        grow(log);
    weft_message_wait *slot = find_slot(log, wait.source, wait.number);
    log->count += slot->ticks == 0;
    if (wait.ticks > slot->ticks || (wait.ticks == slot->ticks && wait.output < slot->output))
        *slot = wait;
}

void weft_message_waits_save(const weft_message_waits *log, weft_pack *pack)
{
    weft_pack_u32(pack, log->count);
    for (uint32_t i = 0; i < log->room; i++) {
        const weft_message_wait *wait = &log->slots[i];
        if (wait->ticks == 0)
            continue;
        weft_pack_u32(pack, wait->source);
        weft_pack_u32(pack, wait->number);
        weft_pack_u32(pack, wait->output);
        weft_pack_u32(pack, wait->ticks);
    }
}

void weft_message_waits_load(weft_message_waits *log, uint32_t endpoints, weft_unpack *from)
{
    uint32_t count = weft_unpack_u32(from);
    if (count > weft_unpack_left(from) / sizeof(weft_message_wait)) {
        weft_unpack_fail(from);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        weft_message_wait wait = {.source = weft_unpack_u32(from)};
        wait.number = weft_unpack_u32(from);
        wait.output = weft_unpack_u32(from);
        wait.ticks = weft_unpack_u32(from);
        if (wait.source >= endpoints || wait.ticks == 0) {
            weft_unpack_fail(from);
            return;
        }
        weft_message_waits_add(log, wait);
    }
}

/* ---- a run ---- */

bool weft_message_waits_kept(const weft_network *network)
{
    return network->jobs && weft_timeline_lists_operations(network);
}

/* Jobs in the background have no history: what they send has no end. */
static bool has_history(const weft_job_set *jobs, uint32_t rank)
{
    return !jobs->jobs[weft_job_set_of(jobs, rank)].background;
}

void weft_message_waits_note(weft_site *site, uint32_t router, const weft_event *packet,
                             uint32_t output, uint32_t ticks)
{
    const weft_network *network = site->platform->network;
    uint32_t source = weft_packet_source(packet);
    if (ticks == 0 || weft_packet_traffic_class(packet) != network->n_traffic_classes - 1 ||
        !has_history(network->jobs, network->jobs->rank_at[source]))
        return;
    weft_message_waits_add(&site->processes->waits[router],
                           (weft_message_wait){.source = source,
                                               .number = weft_packet_index(packet),
                                               .output = output,
                                               .ticks = ticks});
}

/* ---- of all processes ---- */

static void pack_waits(const weft_simulation *simulation, weft_pack *pack)
{
    const weft_instance *instance = &simulation->instance;
    for (uint32_t i = 0; i < instance->n_sites; i++) {
        const weft_site *site = &instance->sites[i];
        for (uint32_t r = 0; r < site->routers; r++) {
            const weft_message_waits *log = &site->processes->waits[r];
            if (log->count == 0)
                continue;
            weft_pack_u32(pack, weft_partition_router(site->platform->partition, site->block, r));
            weft_message_waits_save(log, pack);
        }
    }
}

static int longest_first(const void *a, const void *b)
{
    const weft_longest_wait *x = a, *y = b;
    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    if (x->ticks != y->ticks)
        return x->ticks > y->ticks ? -1 : 1;
    return x->router < y->router ? -1 : x->router > y->router;
}

/* Of every message its longest wait. */
static void unpack_waits(weft_simulation *simulation, const void *data, size_t bytes)
{
    weft_unpack from = weft_unpack_of(data, bytes);
    size_t count = 0, kept = 0;
    weft_longest_wait *all =
        weft_alloc(bytes / sizeof(weft_message_wait) * sizeof *all + sizeof *all);
    while (weft_unpack_left(&from) > 0) {
        uint32_t router = weft_unpack_u32(&from), waits = weft_unpack_u32(&from);
        for (uint32_t i = 0; i < waits; i++) {
            weft_longest_wait it = {.router = router, .source = weft_unpack_u32(&from)};
            it.number = weft_unpack_u32(&from);
            it.output = weft_unpack_u32(&from);
            it.ticks = weft_unpack_u32(&from);
            all[count++] = it;
        }
    }
    assert(!from.failed);
    qsort(all, count, sizeof *all, longest_first);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || all[kept - 1].source != all[i].source ||
            all[kept - 1].number != all[i].number)
            all[kept++] = all[i];
    simulation->waits = (weft_longest_waits){.count = kept, .at = all};
}

void weft_message_waits_collect(weft_simulation *simulation)
{
    if (!weft_message_waits_kept(simulation->network))
        return;
    weft_pack pack = {0};
    pack_waits(simulation, &pack);
    size_t bytes;
    void *all = weft_timeline_gather(simulation, &pack, &bytes);
    if (all)
        unpack_waits(simulation, all, bytes);
    if (all != pack.data)
        free(all);
    weft_pack_done(&pack);
}

const weft_longest_wait *weft_longest_waits_find(const weft_longest_waits *waits, uint32_t source,
                                                 uint32_t number)
{
    size_t low = 0, high = waits->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const weft_longest_wait *it = &waits->at[middle];
        if (it->source < source || (it->source == source && it->number < number))
            low = middle + 1;
        else
            high = middle;
    }
    bool found =
        low < waits->count && waits->at[low].source == source && waits->at[low].number == number;
    return found ? &waits->at[low] : NULL;
}
