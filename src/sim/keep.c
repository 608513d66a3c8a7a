/* SPDX-License-Identifier: Apache-2.0 */
/* A chunk: u32 routers, a record of each (u32 bytes, u32 router, state), u64 events, the events
 * (u32 router, i64 tick, u32 key, 5 × u32 data): packets on their way and credits. A block that
 * lies in several boxes writes a chunk for each; a reader takes from the chunks of a box what is
 * its own. */
#include "sim/keep.h"

#include "base/memory.h"
#include "sim/assembly.h"
#include "sim/sound.h"
#include "sim/source.h"

#include <stdlib.h>

#define BOX_ROUTERS 4096u

uint32_t weft_keep_boxes(const weft_topology *topology)
{
    uint32_t boxes = topology->routers / BOX_ROUTERS;
    return boxes ? boxes : 1;
}

typedef struct fragment { /* of a block that lies in one box */
    uint32_t box, routers;
    uint64_t events;
    weft_pack state, flight;
} fragment;

typedef struct writing { /* of one block */
    const weft_instance *instance;
    const weft_site *site;
    uint32_t *part_of; /* per router */
    fragment *parts;
    uint32_t n_parts;
} writing;

static uint32_t find_part(writing *w, uint32_t box)
{
    for (uint32_t i = w->n_parts; i-- > 0;) /* the last one is most likely it */
        if (w->parts[i].box == box)
            return i;
    w->parts = weft_realloc(w->parts, w->n_parts + 1, sizeof *w->parts);
    w->parts[w->n_parts] = (fragment){.box = box};
    return w->n_parts++;
}

static void write_router(writing *w, const weft_partition *chart, uint32_t local)
{
    const weft_instance *instance = w->instance;
    uint32_t ports = instance->platform.network->topology.ports;
    uint32_t router = weft_partition_router(&instance->partition, w->site->block, local);
    w->part_of[local] = find_part(w, weft_partition_place(chart, router).block);
    fragment *part = &w->parts[w->part_of[local]];
    weft_pack *state = &part->state;
    size_t start = state->count;
    part->routers++;
    weft_pack_u32(state, 0); /* its bytes, once they are known */
    weft_pack_u32(state, router);
    weft_sources_save(w->site, local, state);
    weft_assembly_save(w->site, local, state);
    instance->platform.router->checkpoint.save(w->site, local, state);
    for (uint32_t p = 0; w->site->noted && p < ports; p++)
        weft_pack_i64(state, w->site->noted[(size_t)local * ports + p]);
    size_t marks = instance->platform.marks;
    for (size_t m = 0; m < marks; m++)
        weft_pack_i64(state, w->site->marks[local * marks + m]);
    weft_put_u32(state->data + start, (uint32_t)(state->count - start));
}

static void write_event(void *user, uint32_t block, weft_time at, const weft_event *event)
{
    writing *w = user;
    (void)block;
    if (weft_event_kind(event) == WEFT_WAKE)
        return;
    fragment *part = &w->parts[w->part_of[event->to]];
    part->events++;
    weft_pack_u32(&part->flight,
                  weft_partition_router(&w->instance->partition, w->site->block, event->to));
    weft_pack_i64(&part->flight, at);
    weft_pack_u32(&part->flight, event->key);
    for (int i = 0; i < 5; i++)
        weft_pack_u32(&part->flight, event->data[i]);
}

static weft_status write_part(const writing *w, fragment *part, int64_t events,
                              weft_checkpoint_part *file, weft_error *err)
{
    weft_pack chunk = {0};
    double share = (double)part->routers / (double)w->site->routers;
    weft_pack_u32(&chunk, part->routers);
    weft_pack_bytes(&chunk, part->state.data, part->state.count);
    weft_pack_u64(&chunk, part->events);
    weft_pack_bytes(&chunk, part->flight.data, part->flight.count);
    weft_status status = weft_checkpoint_part_add(
        file, part->box, (int64_t)(share * (double)events), chunk.data, chunk.count, err);
    weft_pack_done(&chunk);
    return status;
}

static weft_status write_site(const weft_instance *instance, uint32_t i,
                              const weft_partition *chart, weft_checkpoint_part *file,
                              weft_error *err)
{
    writing w = {.instance = instance, .site = &instance->sites[i]};
    weft_status status = WEFT_OK;
    w.part_of = weft_alloc(sizeof *w.part_of * w.site->routers);
    for (uint32_t local = 0; local < w.site->routers; local++)
        write_router(&w, chart, local);
    weft_engine_visit_block(instance->engine, i, write_event, &w);
    int64_t events = (int64_t)weft_block_events(weft_engine_block(instance->engine, i));
    for (uint32_t p = 0; p < w.n_parts; p++) {
        if (status == WEFT_OK)
            status = write_part(&w, &w.parts[p], events, file, err);
        weft_pack_done(&w.parts[p].state);
        weft_pack_done(&w.parts[p].flight);
    }
    free(w.parts);
    free(w.part_of);
    return status;
}

weft_status weft_keep_write(const weft_instance *instance, weft_checkpoint_part *file,
                            weft_error *err)
{
    const weft_topology *topology = &instance->platform.network->topology;
    weft_partition chart;
    weft_partition_init(&chart, topology, weft_keep_boxes(topology));
    weft_status status = WEFT_OK;
    for (uint32_t i = 0; i < instance->n_sites && status == WEFT_OK; i++)
        status = write_site(instance, i, &chart, file, err);
    weft_partition_done(&chart);
    return status;
}

/* One record of so many bytes, its length included. */
static void read_router(weft_instance *instance, weft_time now, size_t bytes, weft_unpack *from,
                        uint64_t *found)
{
    const weft_topology *topology = &instance->platform.network->topology;
    uint32_t router = weft_unpack_u32(from), local;
    weft_site *site =
        router < topology->routers ? weft_instance_find(instance, router, &local) : NULL;
    if (!site) {
        if (router >= topology->routers || !weft_unpack_bytes(from, bytes - 2 * sizeof router))
            weft_unpack_fail(from);
        return;
    }
    weft_sources_load(site, local, now, from);
    weft_assembly_load(site, local, from);
    instance->platform.router->checkpoint.load(site, local, now, from);
    for (uint32_t p = 0; site->noted && p < topology->ports; p++)
        site->noted[(size_t)local * topology->ports + p] = weft_unpack_i64(from);
    size_t marks = instance->platform.marks;
    for (size_t m = 0; m < marks; m++)
        site->marks[local * marks + m] = weft_unpack_i64(from);
    ++*found;
}

static void read_routers(weft_instance *instance, weft_time now, weft_unpack *from, uint64_t *found)
{
    uint32_t routers = weft_unpack_u32(from);
    for (uint32_t i = 0; i < routers && !from->failed; i++) {
        const unsigned char *start = from->at;
        size_t left = weft_unpack_left(from), bytes = weft_unpack_u32(from);
        if (bytes < 2 * sizeof(uint32_t) || bytes > left) {
            weft_unpack_fail(from);
            return;
        }
        read_router(instance, now, bytes, from, found);
        if (from->at != start + bytes)
            weft_unpack_fail(from);
    }
}

/* How many inputs a router has. Without buffers there a packet says which output it came by. */
static weft_tier inputs_of(const weft_platform *platform, uint32_t router)
{
    const weft_topology *topology = &platform->network->topology;
    return platform->router->checkpoint.credit
               ? weft_topology_tier(topology, router)
               : (weft_tier){.ports = topology->ports, .concentration = topology->concentration};
}

/* May such a packet, or credit, be on its way to this router? */
static bool sound(const weft_platform *platform, uint32_t router, const weft_event *event)
{
    const weft_network *network = platform->network;
    weft_tier span = inputs_of(platform, router);
    uint32_t port = weft_event_port(event), flits = weft_packet_flits(event);
    uint32_t vc = weft_packet_vc(event);
    bool inside = port < span.ports + span.concentration * platform->endpoint_ports;
    switch (weft_event_kind(event)) {
    case WEFT_CREDIT:
        return platform->router->checkpoint.credit && inside;
    case WEFT_HEADER:
        inside = port < span.ports;
        break;
    case WEFT_ENTER:
    case WEFT_DELIVER:
        break;
    case WEFT_DEPART:
        inside = port < span.ports && !platform->router->counting.held;
        break;
    default:
        return false;
    }
    bool follows = weft_packet_follows(event);
    return inside && weft_packet_sound(network, router, event) && flits <= platform->mtu &&
           (vc == 0 || vc < network->vcs) &&
           (!follows || weft_platform_cuts(platform, weft_packet_traffic_class(event)));
}

static void read_event(weft_instance *instance, weft_time now, weft_unpack *from)
{
    const weft_network *network = instance->platform.network;
    uint32_t router = weft_unpack_u32(from), local = 0;
    weft_time at = weft_unpack_i64(from);
    weft_event read = {.key = weft_unpack_u32(from)};
    for (int i = 0; i < 5; i++)
        read.data[i] = weft_unpack_u32(from);
    weft_event plain = read;
    if (instance->platform.router->checkpoint.plain)
        instance->platform.router->checkpoint.plain(&instance->platform, &plain);
    if (from->failed || router >= network->topology.routers || at < now ||
        at - now >= WEFT_FAR_AHEAD || !sound(&instance->platform, router, &plain)) {
        weft_unpack_fail(from);
        return;
    }
    weft_site *site = weft_instance_find(instance, router, &local);
    if (!site)
        return;
    if (weft_event_kind(&read) == WEFT_CREDIT &&
        instance->platform.router->checkpoint.credit(site, local, &read, at, from))
        return;
    weft_event *event =
        weft_emit(weft_engine_block(instance->engine, (uint32_t)(site - instance->sites)), at);
    read.when = event->when;
    read.to = local;
    *event = read;
}

static weft_status read_chunk(weft_instance *instance, const weft_checkpoint *checkpoint, size_t c,
                              uint64_t *found, weft_error *err)
{
    weft_time now = weft_engine_now(instance->engine);
    void *data;
    WEFT_TRY(weft_checkpoint_read(checkpoint, c, &data, err));
    weft_unpack from = weft_unpack_of(data, checkpoint->chunks[c].bytes);
    read_routers(instance, now, &from, found);
    uint64_t events = weft_unpack_u64(&from);
    for (uint64_t i = 0; i < events && !from.failed; i++)
        read_event(instance, now, &from);
    bool whole = weft_unpack_end(&from);
    free(data);
    if (!whole)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%s: checkpoint %llu does not fit this network (box %u)",
                         checkpoint->folder, (unsigned long long)checkpoint->generation,
                         checkpoint->chunks[c].box);
    return WEFT_OK;
}

/* Which boxes of the chart do our routers lie in? */
static bool *list_boxes(const weft_instance *instance, const weft_partition *chart)
{
    bool *ours = weft_alloc(sizeof *ours * chart->blocks);
    for (uint32_t i = 0; i < instance->n_sites; i++)
        for (uint32_t local = 0; local < instance->sites[i].routers; local++) {
            uint32_t router =
                weft_partition_router(&instance->partition, instance->sites[i].block, local);
            ours[weft_partition_place(chart, router).block] = true;
        }
    return ours;
}

weft_status weft_keep_read(weft_instance *instance, const weft_checkpoint *checkpoint,
                           weft_error *err)
{
    const weft_topology *topology = &instance->platform.network->topology;
    weft_partition chart;
    weft_partition_init(&chart, topology, weft_keep_boxes(topology));
    bool *ours = list_boxes(instance, &chart);
    uint64_t found = 0, wanted = 0;
    weft_status status = WEFT_OK;
    for (size_t c = 0; c < checkpoint->n_chunks && status == WEFT_OK; c++)
        if (checkpoint->chunks[c].box < chart.blocks && ours[checkpoint->chunks[c].box])
            status = read_chunk(instance, checkpoint, c, &found, err);
    for (uint32_t i = 0; i < instance->n_sites; i++)
        wanted += instance->sites[i].routers;
    if (status == WEFT_OK && found != wanted)
        status = weft_fail(err, WEFT_BAD_INPUT,
                           "%s: checkpoint %llu holds %llu of the %llu routers looked for",
                           checkpoint->folder, (unsigned long long)checkpoint->generation,
                           (unsigned long long)found, (unsigned long long)wanted);
    free(ours);
    weft_partition_done(&chart);
    return status;
}

void weft_keep_costs(const weft_checkpoint *checkpoint, weft_costs *costs)
{
    for (uint32_t b = 0; b < costs->boxes; b++)
        costs->cost[b] = 1; /* a box that never had an event still has to be looked at */
    for (size_t c = 0; c < checkpoint->n_chunks; c++)
        if (checkpoint->chunks[c].box < costs->boxes)
            costs->cost[checkpoint->chunks[c].box] += checkpoint->chunks[c].cost;
}
