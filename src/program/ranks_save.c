/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks in checkpoints. */
#include "base/memory.h"
#include "base/pack.h"
#include "program/ranks.h"

#include <stdlib.h>
#include <string.h>

typedef struct part { /* of the arrays, one rank's */
    uint32_t first, each;
    size_t cpus, nics, queues; /* where they begin */
    uint32_t n_queues;
} part;

static part part_of(const weft_ranks *ranks, uint32_t local)
{
    const weft_program *program = ranks->program;
    uint32_t n_queues = program->n_cpus * (1 + program->n_nics);
    return (part){.first = program->at[ranks->rank[local]],
                  .each = weft_ranks_operations(program, ranks->rank[local]),
                  .cpus = (size_t)local * program->n_cpus,
                  .nics = (size_t)local * program->n_nics,
                  .queues = (size_t)local * n_queues,
                  .n_queues = n_queues};
}

static void save_list(const weft_ranks_list *list, weft_pack *pack)
{
    weft_pack_u32(pack, list->count);
    for (uint32_t i = 0; i < list->count; i++) {
        weft_pack_u32(pack, list->at[i].source);
        weft_pack_u32(pack, list->at[i].number);
    }
}

static void save_heap(const weft_heap *heap, const part *its, weft_pack *pack)
{
    weft_pack_u32(pack, heap->count);
    for (uint32_t i = 0; i < heap->count; i++) {
        weft_pack_u64(pack, heap->entries[i].time);
        weft_pack_u64(pack, heap->entries[i].order);
        weft_pack_u32(pack, heap->entries[i].what - its->first);
    }
}

void weft_ranks_save(const weft_ranks *ranks, uint32_t local, weft_pack *pack)
{
    const weft_program *program = ranks->program;
    part its = part_of(ranks, local);
    uint32_t base = ranks->base[local];
    weft_pack_u32(pack, ranks->repetition[local]);
    weft_pack_u32(pack, ranks->left[local]);
    weft_pack_u64(pack, ranks->finish[local]);
    weft_pack_u64(pack, ranks->armed[local]);
    for (uint32_t i = 0; i < program->n_cpus; i++)
        weft_pack_u64(pack, ranks->cpu_free[its.cpus + i]);
    for (uint32_t i = 0; i < program->n_nics; i++)
        weft_pack_u64(pack, ranks->send_free[its.nics + i]);
    for (uint32_t i = 0; i < WEFT_SPENT_KINDS; i++)
        weft_pack_u64(pack, ranks->spent[(size_t)local * WEFT_SPENT_KINDS + i]);
    for (uint32_t i = 0; i < its.n_queues; i++)
        save_heap(&ranks->ready[its.queues + i], &its, pack);
    for (uint32_t i = 0; i < its.each; i++) {
        weft_pack_u32(pack, ranks->need[base + i]);
        weft_pack_u32(pack, ranks->held ? ranks->held[base + i] : 0);
        weft_pack_u32(pack, ranks->state[base + i]);
    }
    save_list(&ranks->posted[local], pack);
    save_list(&ranks->early[local], pack);
    save_list(&ranks->answered[local], pack);
    save_list(&ranks->ahead[local], pack);
}

static uint64_t load_time(weft_unpack *from)
{
    uint64_t time = weft_unpack_u64(from);
    if (time > WEFT_RANKS_TIME_MAX && time != WEFT_RANKS_NEVER)
        weft_unpack_fail(from);
    return time;
}

/* True if a rank sends such a message to this one. */
static bool comes_here(const weft_ranks *ranks, uint32_t local, weft_ranks_message message)
{
    const weft_program *program = ranks->program;
    if (message.source >= program->n_ranks || weft_ranks_operations(program, message.source) == 0)
        return false;
    if (program->divided)
        return weft_ranks_known(ranks, local, message) != WEFT_PROGRAM_NONE;
    const weft_operation *send = &program->operations[weft_ranks_operation(program, message)];
    return send->kind == WEFT_OPERATION_SEND && send->peer == ranks->rank[local];
}

/* own: numbers are operations of this rank; else messages of ranks that send. */
static void load_list(const weft_ranks *ranks, uint32_t local, weft_ranks_list *list, bool own,
                      weft_unpack *from)
{
    part its = part_of(ranks, local);
    uint32_t count = weft_unpack_u32(from);
    if (count > weft_unpack_left(from) / 8) {
        weft_unpack_fail(from);
        return;
    }
    list->at = weft_realloc(list->at, (size_t)count + 1, sizeof *list->at);
    list->room = count + 1;
    list->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        weft_ranks_message it = {.source = weft_unpack_u32(from)};
        it.number = weft_unpack_u32(from);
        bool sound = own ? it.number - its.first < its.each : comes_here(ranks, local, it);
        if (!sound) {
            weft_unpack_fail(from);
            return;
        }
        list->at[list->count++] = it;
    }
}

static void load_heap(const weft_ranks *ranks, const part *its, uint32_t queue, weft_heap *heap,
                      weft_unpack *from)
{
    uint32_t count = weft_unpack_u32(from), queues = 1 + ranks->program->n_nics;
    for (uint32_t i = 0; i < count && !from->failed; i++) {
        weft_heap_entry entry = {.time = load_time(from)};
        entry.order = weft_unpack_u64(from);
        entry.what = its->first + weft_unpack_u32(from);
        bool sound = entry.what - its->first < its->each &&
                     ranks->program->operations[entry.what].cpu == queue / queues;
        if (sound && !from->failed)
            weft_heap_push(heap, entry);
        else
            weft_unpack_fail(from);
    }
}

static void load_operations(weft_ranks *ranks, uint32_t local, const part *its, weft_unpack *from)
{
    const weft_program *program = ranks->program;
    for (uint32_t i = 0; i < its->each && !from->failed; i++) {
        uint32_t at = ranks->base[local] + i;
        ranks->need[at] = weft_unpack_u32(from);
        uint32_t held = weft_unpack_u32(from);
        if (ranks->held)
            ranks->held[at] = held;
        uint32_t state = weft_unpack_u32(from);
        ranks->state[at] = (uint8_t)state;
        if (held >= program->n_operations || state > UINT8_MAX)
            weft_unpack_fail(from);
    }
}

void weft_ranks_load(weft_ranks *ranks, uint32_t local, weft_unpack *from)
{
    const weft_program *program = ranks->program;
    part its = part_of(ranks, local);
    ranks->repetition[local] = weft_unpack_u32(from);
    ranks->left[local] = weft_unpack_u32(from);
    ranks->finish[local] = load_time(from);
    ranks->armed[local] = load_time(from);
    for (uint32_t i = 0; i < program->n_cpus; i++)
        ranks->cpu_free[its.cpus + i] = load_time(from);
    for (uint32_t i = 0; i < program->n_nics; i++)
        ranks->send_free[its.nics + i] = load_time(from);
    for (uint32_t i = 0; i < WEFT_SPENT_KINDS; i++)
        ranks->spent[(size_t)local * WEFT_SPENT_KINDS + i] = weft_unpack_u64(from);
    for (uint32_t i = 0; i < its.n_queues; i++)
        load_heap(ranks, &its, i, &ranks->ready[its.queues + i], from);
    load_operations(ranks, local, &its, from);
    load_list(ranks, local, &ranks->posted[local], true, from);
    load_list(ranks, local, &ranks->early[local], false, from);
    load_list(ranks, local, &ranks->answered[local], true, from);
    load_list(ranks, local, &ranks->ahead[local], false, from);
    if (ranks->repetition[local] > ranks->repeats || ranks->left[local] > its.each)
        weft_unpack_fail(from);
    ranks->n_left -= ranks->repetition[local] == ranks->repeats;
}

static int by_rank(const void *a, const void *b)
{
    const weft_heap_entry *x = a, *y = b;
    uint32_t left = weft_ranks_local(*x), right = weft_ranks_local(*y);
    if (left != right)
        return left < right ? -1 : 1;
    return weft_heap_less(x, y) ? -1 : weft_heap_less(y, x);
}

weft_heap_entry *weft_ranks_sorted(const weft_ranks *ranks)
{
    size_t count = ranks->agenda.count;
    weft_heap_entry *sorted = weft_realloc(NULL, count + 1, sizeof *sorted);
    if (count > 0)
        memcpy(sorted, ranks->agenda.entries, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_rank);
    return sorted;
}
