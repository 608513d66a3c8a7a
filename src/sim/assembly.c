/* SPDX-License-Identifier: Apache-2.0 */
/* A table with open addressing and linear probing, at most half full, by the message's name
 * (source, flow, index). An entry is made by the first packet that comes and goes with the last.
 * How long the message is nobody has to tell: it is a pure function of its name. A packet that
 * is alone in its message never gets here unless it is as long as the MTU, so that it might not
 * be.
 *
 * The table doubles when it is full: besides event slabs the only memory a handler takes. */
#include "sim/assembly.h"

#include "base/memory.h"
#include "sim/jobs/processes.h"
#include "sim/watch/slowest.h"

#include <stdlib.h>

#define FIRST_ROOM 64u

typedef struct entry {
    uint32_t source, index; /* with flow: its name */
    uint32_t router;        /* of this site, where it arrives */
    uint32_t missing;       /* flits; 0: the entry is free */
    uint8_t traffic_class;
    uint64_t birth; /* as its first packet said; until that has come 0 */
} entry;

typedef struct weft_assembly {
    entry *at;
    uint32_t room; /* a power of two */
    uint32_t count;
    const entry **sorted; /* by router and name, while nothing changes; NULL: not at the moment */
} weft_assembly;

static weft_message message_of(const weft_site *site, uint32_t traffic_class, uint32_t source,
                               uint32_t index)
{
    const weft_workload *workload =
        &site->platform->network->traffic_classes[traffic_class].workload;
    weft_cursor cursor = {.index = index, .live = 1};
    weft_random random;
    return workload->kind->next(workload, source, &cursor, &random);
}

void weft_assembly_open(weft_site *site)
{
    if (!site->rest && !site->platform->network->jobs && !site->platform->slowest)
        return;
    site->assembly = weft_alloc(sizeof *site->assembly);
    site->assembly->room = FIRST_ROOM;
    site->assembly->at = weft_alloc(sizeof(entry) * FIRST_ROOM);
}

void weft_assembly_close(weft_site *site)
{
    if (!site->assembly)
        return;
    free(site->assembly->sorted);
    free(site->assembly->at);
    free(site->assembly);
}

int64_t weft_assembly_count(const weft_site *site)
{
    return site->assembly ? site->assembly->count : 0;
}

int64_t weft_assembly_bytes(const weft_site *site)
{
    return site->assembly ? (int64_t)sizeof(entry) * site->assembly->room : 0;
}

static uint32_t home(const weft_assembly *table, uint32_t traffic_class, uint32_t source,
                     uint32_t index)
{
    uint64_t name = ((uint64_t)source << 32 | index) + traffic_class * 0x632be59bd9b4e019u;
    return (uint32_t)(name * 0x9e3779b97f4a7c15u >> 32) & (table->room - 1);
}

/* The entry of a message, or the free one where it belongs. */
static entry *find(const weft_assembly *table, uint32_t traffic_class, uint32_t source,
                   uint32_t index)
{
    uint32_t i = home(table, traffic_class, source, index);
    for (;; i = (i + 1) & (table->room - 1)) {
        entry *it = &table->at[i];
        if (it->missing == 0 || (it->source == source && it->index == index &&
                                 it->traffic_class == (uint8_t)traffic_class))
            return it;
    }
}

static void grow(weft_assembly *table)
{
    entry *old = table->at;
    uint32_t room = table->room;
    table->room = 2 * room;
    table->at = weft_alloc(sizeof(entry) * table->room);
    for (uint32_t i = 0; i < room; i++)
        if (old[i].missing > 0)
            *find(table, old[i].traffic_class, old[i].source, old[i].index) = old[i];
    free(old);
}

static void insert(weft_assembly *table, const entry *it)
{
    if (2 * (table->count + 1) > table->room)
        grow(table);
    *find(table, it->traffic_class, it->source, it->index) = *it;
    table->count++;
}

/* Closes the gap: what was pushed on because of this entry moves back. */
static void drop(weft_assembly *table, const entry *gone)
{
    uint32_t mask = table->room - 1, hole = (uint32_t)(gone - table->at);
    for (uint32_t i = (hole + 1) & mask; table->at[i].missing > 0; i = (i + 1) & mask) {
        const entry *it = &table->at[i];
        uint32_t from = home(table, it->traffic_class, it->source, it->index);
        if (((i - from) & mask) >= ((i - hole) & mask)) {
            table->at[hole] = *it;
            hole = i;
        }
    }
    table->at[hole].missing = 0;
    table->count--;
}

static void change(weft_assembly *table)
{
    free(table->sorted);
    table->sorted = NULL;
}

static void complete(weft_site *site, uint32_t router, const weft_event *packet, uint64_t birth,
                     weft_time now)
{
    if (weft_processes_send(site, weft_packet_traffic_class(packet)))
        weft_processes_arrive(site, router, packet, weft_birth_age(birth, now), now);
    if (site->platform->slowest)
        weft_slowest_add(site->platform->slowest, packet, weft_birth_age(birth, now), now);
    weft_tally_complete(site->tally, weft_packet_traffic_class(packet), now,
                        weft_birth_age(birth, now), weft_packet_hops(packet));
}

/* A packet of a message that may have others. */
static void assemble(weft_site *site, uint32_t router, const weft_event *packet, weft_time now)
{
    weft_assembly *table = site->assembly;
    uint32_t traffic_class = weft_packet_traffic_class(packet), flits = weft_packet_flits(packet);
    bool follows = weft_packet_follows(packet);
    uint32_t source = weft_packet_source(packet), index = weft_packet_index(packet);
    entry *it = find(table, traffic_class, source, index);
    if (it->missing > 0) {
        if (!follows)
            it->birth = weft_packet_birth(packet);
        if (it->missing > flits) {
            it->missing -= flits;
            return;
        }
        complete(site, router, packet, it->birth, now);
        drop(table, it);
    } else {
        uint32_t total = message_of(site, traffic_class, source, index).flits;
        if (total <= flits) {
            complete(site, router, packet, weft_packet_birth(packet), now);
            return;
        }
        insert(table, &(entry){.source = source,
                               .index = index,
                               .router = router,
                               .missing = total - flits,
                               .birth = follows ? 0 : weft_packet_birth(packet),
                               .traffic_class = (uint8_t)traffic_class});
    }
    if (table->sorted)
        change(table);
}

void weft_assembly_take(weft_site *site, uint32_t router, const weft_event *packet, weft_time now)
{
    uint32_t traffic_class = weft_packet_traffic_class(packet), flits = weft_packet_flits(packet);
    weft_tally_receive(site->tally, traffic_class, flits, weft_packet_hops(packet),
                       weft_packet_cuts(site->platform->key, packet));
    if ((weft_packet_follows(packet) || flits == site->platform->mtu) &&
        weft_platform_cuts(site->platform, traffic_class))
        assemble(site, router, packet, now);
    else
        complete(site, router, packet, weft_packet_birth(packet), now);
}

static int by_router(const void *left, const void *right)
{
    const entry *a = *(const entry *const *)left, *b = *(const entry *const *)right;
    if (a->router != b->router)
        return a->router < b->router ? -1 : 1;
    if (a->source != b->source)
        return a->source < b->source ? -1 : 1;
    if (a->traffic_class != b->traffic_class)
        return a->traffic_class < b->traffic_class ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

static void sort(weft_assembly *table)
{
    uint32_t count = 0;
    table->sorted = weft_alloc(sizeof(const entry *) * (table->count ? table->count : 1));
    for (uint32_t i = 0; i < table->room; i++)
        if (table->at[i].missing > 0)
            table->sorted[count++] = &table->at[i];
    assert(count == table->count);
    qsort(table->sorted, count, sizeof(const entry *), by_router);
}

/* Where the entries of a router begin among the sorted ones. */
static uint32_t first_of(const weft_assembly *table, uint32_t router)
{
    uint32_t low = 0, high = table->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (table->sorted[middle]->router < router)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void weft_assembly_save(const weft_site *site, uint32_t router, weft_pack *pack)
{
    weft_assembly *table = site->assembly;
    if (!table)
        return;
    if (!table->sorted)
        sort(table);
    uint32_t first = first_of(table, router), end = first_of(table, router + 1);
    weft_pack_u32(pack, end - first);
    for (uint32_t i = first; i < end; i++) {
        const entry *it = table->sorted[i];
        weft_pack_u32(pack, it->source);
        weft_pack_u32(pack, it->index);
        weft_pack_u32(pack, it->traffic_class);
        weft_pack_u32(pack, it->missing);
        weft_pack_u64(pack, it->birth);
    }
}

/* May this message be half here? */
static bool sound(const weft_site *site, uint32_t traffic_class, const entry *it)
{
    const weft_network *network = site->platform->network;
    if (traffic_class >= network->n_traffic_classes || it->source >= network->endpoints ||
        it->missing == 0 || it->birth > WEFT_BIRTH_MASK)
        return false;
    weft_message message = message_of(site, traffic_class, it->source, it->index);
    uint32_t here = weft_partition_router(site->platform->partition, site->block, it->router);
    return message.to < network->endpoints &&
           weft_topology_egress(&network->topology, message.to) == here &&
           it->missing < message.flits &&
           find(site->assembly, traffic_class, it->source, it->index)->missing == 0;
}

void weft_assembly_load(weft_site *site, uint32_t router, weft_unpack *from)
{
    if (!site->assembly)
        return;
    uint32_t count = weft_unpack_u32(from);
    for (uint32_t i = 0; i < count && !from->failed; i++) {
        entry it = {.router = router};
        it.source = weft_unpack_u32(from);
        it.index = weft_unpack_u32(from);
        uint32_t traffic_class = weft_unpack_u32(from);
        it.missing = weft_unpack_u32(from);
        it.birth = weft_unpack_u64(from);
        it.traffic_class = (uint8_t)traffic_class;
        if (from->failed || !sound(site, traffic_class, &it))
            weft_unpack_fail(from);
        else
            insert(site->assembly, &it);
    }
}
