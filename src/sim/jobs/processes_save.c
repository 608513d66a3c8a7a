/* SPDX-License-Identifier: Apache-2.0 */
/* Processes in checkpoints: by router and endpoint, so for any blocks. */
#include "base/memory.h"
#include "sim/jobs/processes.h"
#include "sim/jobs/processes_state.h"

#include <stdlib.h>

/* Operations have the numbers of their rank in a checkpoint; what else is in the agenda is the same
 * everywhere. */
static uint32_t base_of(const weft_process_set *set, uint32_t local, weft_ranks_entry kind)
{
    bool operation = kind == WEFT_RANKS_OVER || kind == WEFT_RANKS_RELEASE;
    return operation ? set->ranks.program->at[set->ranks.rank[local]] : 0;
}

/* Where the entries of a rank begin among the sorted ones. */
static uint32_t first_of(const weft_process_set *set, uint32_t local)
{
    uint32_t low = 0, high = set->ranks.agenda.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (weft_ranks_local(set->sorted[middle]) < local)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void save_agenda(weft_process_set *set, uint32_t local, weft_pack *pack)
{
    if (!set->sorted)
        set->sorted = weft_ranks_sorted(&set->ranks);
    uint32_t first = first_of(set, local), end = first_of(set, local + 1);
    weft_pack_u32(pack, end - first);
    for (uint32_t i = first; i < end; i++) {
        weft_pack_u64(pack, set->sorted[i].time);
        weft_pack_u32(pack, weft_ranks_kind(set->sorted[i]));
        weft_pack_u32(pack,
                      set->sorted[i].what - base_of(set, local, weft_ranks_kind(set->sorted[i])));
    }
}

static void save_queue(const weft_process_queue *queue, weft_pack *pack)
{
    weft_pack_u32(pack, queue->count - queue->begin);
    for (uint32_t i = queue->begin; i < queue->count; i++) {
        weft_pack_i64(pack, queue->at[i].at);
        weft_pack_u32(pack, queue->at[i].number);
    }
}

static void save_inbox(const weft_process_set *set, uint32_t local, weft_pack *pack)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < set->inbox.count; i++)
        count += set->inbox.at[i].local == local;
    weft_pack_u32(pack, count);
    for (uint32_t i = 0; count > 0 && i < set->inbox.count; i++)
        if (set->inbox.at[i].local == local) {
            weft_pack_u32(pack, set->inbox.at[i].message.source);
            weft_pack_u32(pack, set->inbox.at[i].message.number);
            weft_pack_u64(pack, set->inbox.at[i].age);
        }
}

static void save_rank(weft_process_set *set, uint32_t local, weft_pack *pack)
{
    if (!set->generated) {
        weft_ranks_save(&set->ranks, local, pack);
        save_agenda(set, local, pack);
        return;
    }
    if (!set->sorted)
        set->sorted = weft_march_sorted(&set->march);
    weft_march_save(&set->march, set->sorted, local, pack);
}

void weft_processes_save(const weft_site *site, uint32_t router, weft_pack *pack)
{
    const weft_processes *processes = site->processes;
    uint32_t hosts = site->platform->network->topology.concentration;
    for (uint32_t e = router * hosts;
         processes && e < (router + 1) * hosts && e < processes->n_endpoints; e++) {
        weft_process_place place = processes->places[e];
        if (place.set == WEFT_NOWHERE)
            continue;
        weft_process_set *set = &processes->sets[place.set];
        save_rank(set, place.local, pack);
        save_queue(&set->queues[place.local], pack);
        save_inbox(set, place.local, pack);
        if (set->balance)
            weft_pack_u32(pack, (uint32_t)set->balance[place.local]);
        if (set->logs)
            weft_rank_record_save(&set->log.records[place.local], set->log.n_bins, pack);
    }
    if (processes && processes->waits)
        weft_message_waits_save(&processes->waits[router], pack);
}

/* A message that a rank sends, or that can come to it. */
static bool names_message(const weft_process_set *set, uint32_t local, weft_ranks_message message)
{
    const weft_ranks *ranks = &set->ranks;
    const weft_program *program = ranks->program;
    if (set->generated)
        return weft_phased_has(set->march.schedule, set->march.repeats, message.source,
                               message.number);
    if (message.source >= program->n_ranks || weft_ranks_operations(program, message.source) == 0 ||
        weft_ranks_repetition(program, message) >= ranks->repeats)
        return false;
    uint32_t number = message.number / 2 % weft_ranks_operations(program, message.source);
    if (program->divided && message.source != ranks->rank[local])
        return weft_ranks_known(ranks, local, message) != WEFT_PROGRAM_NONE;
    return program->operations[program->at[message.source] + number].kind != WEFT_OPERATION_CALC;
}

static bool is_sound(const weft_process_set *set, uint32_t local, weft_ranks_entry kind,
                     uint32_t what)
{
    const weft_ranks *ranks = &set->ranks;
    uint32_t rank = ranks->rank[local];
    if (kind == WEFT_RANKS_HAND)
        return names_message(set, local, (weft_ranks_message){rank, what});
    if (kind == WEFT_RANKS_OVER || kind == WEFT_RANKS_RELEASE)
        return what < weft_ranks_operations(ranks->program, rank);
    return kind == WEFT_RANKS_DECIDE || kind == WEFT_RANKS_BEGIN;
}

static void load_agenda(weft_process_set *set, uint32_t local, weft_time now, weft_unpack *from)
{
    uint32_t count = weft_unpack_u32(from);
    for (uint32_t i = 0; i < count && !from->failed; i++) {
        uint64_t time = weft_unpack_u64(from);
        uint32_t kind = weft_unpack_u32(from), what = weft_unpack_u32(from);
        if (!from->failed && time >= (uint64_t)now && time <= WEFT_RANKS_TIME_MAX &&
            kind <= WEFT_RANKS_BEGIN && is_sound(set, local, (weft_ranks_entry)kind, what))
            weft_ranks_push(&set->ranks, time, (weft_ranks_entry)kind, local,
                            base_of(set, local, (weft_ranks_entry)kind) + what);
        else
            weft_unpack_fail(from);
    }
}

static void load_queue(const weft_process_set *set, uint32_t local, weft_time now,
                       weft_unpack *from)
{
    weft_process_queue *queue = &set->queues[local];
    uint32_t rank = set->generated ? set->march.ranks[local].rank : set->ranks.rank[local];
    uint32_t count = weft_unpack_u32(from);
    if (count > weft_unpack_left(from) / 12) {
        weft_unpack_fail(from);
        return;
    }
    queue->at = weft_realloc(queue->at, (size_t)count + 1, sizeof *queue->at);
    queue->room = count + 1;
    for (uint32_t i = 0; i < count; i++) {
        weft_process_waiting it = {.at = weft_unpack_i64(from)};
        it.number = weft_unpack_u32(from);
        if (it.at < 0 || it.at >= now ||
            !names_message(set, local, (weft_ranks_message){rank, it.number})) {
            weft_unpack_fail(from);
            return;
        }
        queue->at[queue->count++] = it;
    }
}

static void load_inbox(const weft_site *site, weft_process_place place, weft_unpack *from)
{
    weft_process_set *set = &site->processes->sets[place.set];
    uint32_t count = weft_unpack_u32(from);
    if (count > weft_unpack_left(from) / 16) {
        weft_unpack_fail(from);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        weft_ranks_message message = {.source = weft_unpack_u32(from)};
        message.number = weft_unpack_u32(from);
        uint64_t age = weft_unpack_u64(from);
        if (!names_message(set, place.local, message) ||
            !weft_processes_expect(site, place, message)) {
            weft_unpack_fail(from);
            return;
        }
        weft_march_inbox_add(
            &set->inbox,
            (weft_march_arrival){.local = place.local, .message = message, .age = age});
    }
}

/* The agendas hold the beginnings of all ranks until the first router is read. */
static void forget_beginnings(weft_processes *processes)
{
    for (uint32_t j = 0; !processes->loaded && j < processes->n_sets; j++)
        if (!processes->sets[j].generated)
            processes->sets[j].ranks.agenda.count = 0;
    processes->loaded = true;
}

static void load_rank(weft_process_set *set, uint32_t local, weft_time now, weft_unpack *from)
{
    if (set->generated) {
        weft_march_load(&set->march, local, (uint64_t)now, from);
        return;
    }
    weft_ranks_load(&set->ranks, local, from);
    if (!from->failed)
        load_agenda(set, local, now, from);
}

void weft_processes_load(weft_site *site, uint32_t router, weft_time now, weft_unpack *from)
{
    weft_processes *processes = site->processes;
    uint32_t hosts = site->platform->network->topology.concentration,
             classes = site->platform->network->n_traffic_classes;
    if (!processes)
        return;
    forget_beginnings(processes);
    for (uint32_t e = router * hosts; e < (router + 1) * hosts && e < processes->n_endpoints; e++) {
        weft_process_place place = processes->places[e];
        if (place.set == WEFT_NOWHERE)
            continue;
        weft_process_set *set = &processes->sets[place.set];
        load_rank(set, place.local, now, from);
        if (from->failed)
            return;
        load_queue(set, place.local, now, from);
        load_inbox(site, place, from);
        if (set->balance)
            set->balance[place.local] = (int32_t)weft_unpack_u32(from);
        if (set->logs)
            weft_rank_record_load(&set->log.records[place.local], set->log.n_bins, from);
        processes->waiting += set->queues[place.local].count;
        processes->waiting += site->head[e * classes + classes - 1].live;
    }
    if (processes->waits && !from->failed)
        weft_message_waits_load(&processes->waits[router], site->platform->network->endpoints,
                                from);
}
