/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks of a schedule in checkpoints. */
#include "base/memory.h"
#include "program/march/store.h"

#include <stdlib.h>

static int by_rank(const void *a, const void *b)
{
    const weft_heap_entry *x = a, *y = b;
    uint32_t left = weft_march_local(*x), right = weft_march_local(*y);
    if (left != right)
        return left < right ? -1 : 1;
    return weft_heap_less(x, y) ? -1 : weft_heap_less(y, x);
}

weft_heap_entry *weft_march_sorted(const weft_march *march)
{
    size_t count = march->agenda.count;
    weft_heap_entry *sorted = weft_realloc(NULL, count + 1, sizeof *sorted);
    weft_agenda_copy(&march->agenda, sorted);
    qsort(sorted, count, sizeof *sorted, by_rank);
    return sorted;
}

/* Where the entries of a rank begin among the sorted ones. */
static uint32_t first_of(const weft_march *march, const weft_heap_entry *sorted, uint32_t local)
{
    uint32_t low = 0, high = march->agenda.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (weft_march_local(sorted[middle]) < local)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void save_agenda(const weft_march *march, const weft_heap_entry *sorted, uint32_t local,
                        weft_pack *pack)
{
    uint32_t first = first_of(march, sorted, local), end = first_of(march, sorted, local + 1);
    weft_pack_u32(pack, end - first);
    for (uint32_t i = first; i < end; i++) {
        weft_pack_u64(pack, sorted[i].time);
        weft_pack_u32(pack, weft_march_kind(sorted[i]));
        weft_pack_u32(pack, sorted[i].what);
    }
}

static uint32_t count_early(const weft_march *march, uint32_t local)
{
    uint32_t count = 0;
    for (uint32_t i = 0; march->n_early > 0 && i < march->early_room; i++)
        count += march->early[i].local == local;
    return count;
}

/* In no order: they are found by their names. */
static void save_early(const weft_march *march, uint32_t local, weft_pack *pack)
{
    uint32_t count = count_early(march, local);
    weft_pack_u32(pack, count);
    for (uint32_t i = 0; count > 0 && i < march->early_room; i++)
        if (march->early[i].local == local) {
            weft_pack_u32(pack, march->early[i].receive);
            weft_pack_u32(pack, march->early[i].number);
        }
}

static void save_ready(const weft_march *march, uint32_t local, weft_pack *pack)
{
    uint32_t count = 0, first = march->ranks[local].ready;
    for (uint32_t i = first; i != WEFT_PROGRAM_NONE; i = march->pool[i].next)
        count++;
    weft_pack_u32(pack, count);
    for (uint32_t i = first; i != WEFT_PROGRAM_NONE; i = march->pool[i].next) {
        weft_pack_u64(pack, march->pool[i].time);
        weft_pack_u64(pack, march->pool[i].order);
        weft_pack_u32(pack, march->pool[i].what);
    }
}

void weft_march_save(const weft_march *march, const weft_heap_entry *sorted, uint32_t local,
                     weft_pack *pack)
{
    const weft_march_rank *rank = &march->ranks[local];
    uint32_t chains = march->schedule->chains;
    const weft_march_chain *chain = &march->chains[(size_t)local * chains];
    weft_pack_u64(pack, march->start);
    for (uint32_t i = 0; i < WEFT_SPENT_KINDS; i++) /* the first rank has that of all */
        weft_pack_u64(pack, local == 0 ? march->spent[i] : 0);
    weft_pack_u64(pack, rank->cpu_free);
    weft_pack_u64(pack, rank->send_free);
    weft_pack_u64(pack, rank->armed);
    weft_pack_u64(pack, rank->finish);
    weft_pack_u64(pack, rank->half);
    weft_pack_u32(pack, rank->repetition);
    weft_pack_u32(pack, rank->phase);
    weft_pack_u32(pack, rank->chains);
    for (uint32_t c = 0; c < chains; c++) {
        weft_pack_u64(pack, chain[c].since);
        weft_pack_u32(pack, chain[c].first);
        weft_pack_u32(pack, chain[c].end);
        weft_pack_u32(pack, chain[c].next);
        weft_pack_u32(pack, chain[c].left);
    }
    save_ready(march, local, pack);
    save_early(march, local, pack);
    save_agenda(march, sorted, local, pack);
}

static uint64_t load_time(weft_unpack *from)
{
    uint64_t time = weft_unpack_u64(from);
    if (time > WEFT_RANKS_TIME_MAX && time != WEFT_RANKS_NEVER)
        weft_unpack_fail(from);
    return time;
}

/* Steps of a rank in its phase; 1 for a calculation. */
static uint32_t steps_of(const weft_march *march, const weft_march_rank *rank)
{
    const weft_phased *schedule = march->schedule;
    if (rank->phase >= schedule->n_phases || !schedule->phases[rank->phase].collective.kind)
        return 1;
    return weft_phased_steps(schedule, rank->phase, rank->rank);
}

static bool is_operation(const weft_march *march, uint32_t local, uint32_t what)
{
    const weft_march_rank *rank = &march->ranks[local];
    if (rank->phase >= march->schedule->n_phases)
        return false;
    bool compute = !march->schedule->phases[rank->phase].collective.kind;
    return what / 4 < steps_of(march, rank) && (what % 4 == WEFT_MARCH_COMPUTE) == compute;
}

static void load_ready(weft_march *march, uint32_t local, weft_unpack *from)
{
    uint32_t count = weft_unpack_u32(from);
    uint64_t now = march->now;
    for (uint32_t i = 0; i < count && !from->failed; i++) {
        uint64_t time = load_time(from), order = weft_unpack_u64(from);
        uint32_t what = weft_unpack_u32(from);
        if (from->failed || (i > 0 && time < march->now) || !is_operation(march, local, what)) {
            weft_unpack_fail(from);
            break;
        }
        march->now = time; /* entries are added in the order of time */
        weft_march_make_ready(march, local, order, what);
    }
    march->now = now;
}

static void load_early(weft_march *march, uint32_t local, weft_unpack *from)
{
    uint32_t count = weft_unpack_u32(from);
    for (uint32_t i = 0; i < count && !from->failed; i++) {
        uint32_t receive = weft_unpack_u32(from), number = weft_unpack_u32(from);
        weft_phased_name name = weft_phased_name_of(march->schedule, receive);
        if (from->failed || receive % 4 != 0 || name.repetition >= march->repeats ||
            name.step >= weft_phased_steps(march->schedule, name.phase, march->ranks[local].rank)) {
            weft_unpack_fail(from);
            return;
        }
        weft_march_keep(march, (weft_march_early){local, receive, number});
    }
}

static void load_agenda(weft_march *march, uint32_t local, uint64_t now, weft_unpack *from)
{
    uint32_t count = weft_unpack_u32(from);
    for (uint32_t i = 0; i < count && !from->failed; i++) {
        uint64_t time = weft_unpack_u64(from);
        uint32_t kind = weft_unpack_u32(from), what = weft_unpack_u32(from);
        bool sound = time >= now && time <= WEFT_RANKS_TIME_MAX && kind <= WEFT_MARCH_DECIDE;
        if (kind == WEFT_MARCH_HAND)
            sound = sound && weft_phased_has(march->schedule, march->repeats,
                                             march->ranks[local].rank, what);
        else if (kind == WEFT_MARCH_OVER)
            sound = sound && is_operation(march, local, what);
        if (sound && !from->failed)
            weft_march_push(march, time, local, kind, what);
        else
            weft_unpack_fail(from);
    }
}

static void load_chains(weft_march *march, uint32_t local, weft_unpack *from)
{
    uint32_t chains = march->schedule->chains, steps = steps_of(march, &march->ranks[local]);
    weft_march_chain *chain = &march->chains[(size_t)local * chains];
    for (uint32_t c = 0; c < chains; c++) {
        chain[c].since = load_time(from);
        chain[c].first = weft_unpack_u32(from);
        chain[c].end = weft_unpack_u32(from);
        chain[c].next = weft_unpack_u32(from);
        chain[c].left = weft_unpack_u32(from);
        if (chain[c].first > chain[c].end || chain[c].next > chain[c].end ||
            chain[c].next < chain[c].first || (chain[c].left > 0 && chain[c].end > steps))
            weft_unpack_fail(from);
    }
}

void weft_march_load(weft_march *march, uint32_t local, uint64_t now, weft_unpack *from)
{
    weft_march_rank *rank = &march->ranks[local];
    march->start = load_time(from);
    for (uint32_t i = 0; i < WEFT_SPENT_KINDS; i++)
        march->spent[i] += weft_unpack_u64(from);
    rank->cpu_free = load_time(from);
    rank->send_free = load_time(from);
    rank->armed = load_time(from);
    rank->finish = load_time(from);
    rank->half = load_time(from);
    rank->repetition = weft_unpack_u32(from);
    rank->phase = weft_unpack_u32(from);
    rank->chains = weft_unpack_u32(from);
    bool begun = rank->phase != WEFT_PROGRAM_NONE, over = rank->repetition == march->repeats;
    if (from->failed || rank->repetition > march->repeats ||
        rank->chains > march->schedule->chains || (over && rank->chains > 0) ||
        (begun && rank->phase >= march->schedule->n_phases)) {
        weft_unpack_fail(from);
        return;
    }
    march->n_waiting -= begun;
    march->n_left -= over;
    load_chains(march, local, from);
    load_ready(march, local, from);
    load_early(march, local, from);
    load_agenda(march, local, now, from);
}
