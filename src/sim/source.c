/* SPDX-License-Identifier: Apache-2.0 */
/* A source is a cursor over its workload's messages; timers of the kernel wake it for the next
 * one. */
#include "sim/source.h"

#include "base/memory.h"
#include "sim/jobs/processes.h"
#include "sim/pace.h"

#include <assert.h>

/* Of messages. One source is inspected at each sync point: none sends so many until its turn comes
 * again. */
#define NAMES_LAST (WEFT_NAME_MASK - (1u << 27))

static uint32_t traffic_class_of(const weft_site *site, uint32_t source)
{
    return source % site->platform->network->n_traffic_classes;
}

typedef struct place { /* of a source in the network */
    uint32_t router;
    uint32_t endpoint; /* WEFT_NOWHERE, or more than there are: its router has not so many */
} place;

static inline __attribute__((always_inline)) place place_as(bool uneven, const weft_site *site,
                                                            uint32_t source)
{
    const weft_network *network = site->platform->network;
    const weft_topology *topology = &network->topology;
    const weft_partition *partition = site->platform->partition;
    uint32_t hosts = topology->concentration, here = source / network->n_traffic_classes;
    uint32_t router = here / hosts;
    if (partition->blocks > 1)
        router = weft_partition_router(partition, site->block, router);
    place found = {.router = router, .endpoint = router * hosts + here % hosts};
    if (uneven)
        found.endpoint = weft_site_endpoint(topology, router, here % hosts);
    return found;
}

static bool is_uneven(const weft_site *site)
{
    return site->platform->network->topology.first != NULL;
}

static uint32_t endpoint_of(const weft_site *site, uint32_t source)
{
    return place_as(is_uneven(site), site, source).endpoint;
}

static const weft_workload *workload_of(const weft_site *site, uint32_t source)
{
    return &site->platform->network->traffic_classes[traffic_class_of(site, source)].workload;
}

void weft_sources_open(weft_site *site)
{
    const weft_network *network = site->platform->network;
    assert(network->topology.edge_routers == network->topology.routers ||
           network->topology.lattice.dims == 0);
    site->special_sources = is_uneven(site) || network->jobs;
    site->sources = weft_partition_homes(site->platform->partition, site->block) *
                    network->topology.concentration * network->n_traffic_classes;
    site->head = weft_region_create(sizeof *site->head * site->sources);
    if (site->platform->injection_port)
        site->counted = weft_region_create(sizeof *site->counted * site->sources);
    if (weft_platform_cuts_any(site->platform))
        site->rest = weft_region_create(sizeof *site->rest * site->sources);
}

void weft_sources_close(weft_site *site)
{
    weft_region_destroy(site->head, sizeof *site->head * site->sources);
    if (site->counted)
        weft_region_destroy(site->counted, sizeof *site->counted * site->sources);
    if (site->rest)
        weft_region_destroy(site->rest, sizeof *site->rest * site->sources);
}

int64_t weft_sources_bytes(const weft_platform *platform)
{
    size_t each = sizeof(weft_cursor) + sizeof(int32_t); /* with its timer */
    if (platform->injection_port)
        each += sizeof(weft_cursor);
    if (weft_platform_cuts_any(platform))
        each += sizeof(weft_rest);
    each += (size_t)weft_pace_bytes(platform);
    return weft_platform_endpoint_bytes(platform,
                                        (int64_t)each * platform->network->n_traffic_classes);
}

void weft_sources_reset(weft_site *site)
{
    for (uint32_t s = 0; s < site->sources; s++) {
        const weft_workload *workload = workload_of(site, s);
        uint32_t endpoint = endpoint_of(site, s);
        if (endpoint >= site->platform->network->endpoints)
            continue; /* its router has none: the cursor stays dead */
        site->head[s] = workload->kind->first(workload, endpoint);
        if (site->counted)
            site->counted[s] = site->head[s];
    }
}

static inline void emit(weft_site *site, weft_block *block, uint32_t source, weft_time at)
{
    weft_event *event = weft_emit(block, at);
    event->to = weft_site_router_of(site, source);
    weft_wake_make(event, 0, source, true);
}

void weft_sources_timer(weft_site *site, weft_block *block, uint32_t source, weft_time now)
{
    weft_time at = weft_fine_time_near(site->head[source].at, now);
    if (at >> site->platform->page_shift <= now >> site->platform->page_shift)
        emit(site, block, source, at < now ? now : at);
    else
        weft_timer_set(block, source, at);
}

/* A page is looked at once, at its start: a message of the page in hand goes straight into the
 * wheel. */
void weft_sources_arm(weft_site *site, weft_block *block, uint32_t source, weft_time now)
{
    if (!site->head[source].live)
        return;
    weft_time at = weft_fine_time_near(site->head[source].at, now);
    assert(at > now);
    if (at >> site->platform->page_shift == now >> site->platform->page_shift)
        emit(site, block, source, at);
    else
        weft_timer_set(block, source, at);
}

/* With injection ports a message is counted when it arrives, which may be long before its packet is
 * made: `counted` is ahead of the head then. */
static inline __attribute__((always_inline)) void count_head(weft_site *site, uint32_t source,
                                                             uint32_t traffic_class, weft_time at)
{
    if (!site->counted) {
        weft_tally_generate(site->tally, traffic_class, at);
    } else if (site->counted[source].index == site->head[source].index) {
        weft_tally_generate(site->tally, traffic_class, at);
        site->counted[source].index++;
    }
}

/* The next packet of the message being sent. */
static void take_more(weft_site *site, uint32_t source, weft_event *packet)
{
    weft_rest *rest = &site->rest[source];
    uint32_t mtu = site->platform->mtu, flits = rest->left < mtu ? rest->left : mtu;
    uint32_t traffic_class = traffic_class_of(site, source);
    weft_packet_name(packet, endpoint_of(site, source), rest->index, rest->number++);
    weft_packet_set_header(packet, rest->route);
    rest->left -= flits;
    weft_packet_make(site->platform->key, packet, traffic_class, rest->host, flits, true);
    site->tally->traffic_classes[traffic_class].made++;
}

/* The router where packets for an endpoint leave, and its number there. */
static inline __attribute__((always_inline)) uint32_t
egress_as(bool uneven, const weft_topology *topology, uint32_t endpoint, uint32_t *host)
{
    uint32_t hosts = topology->concentration, router = endpoint / hosts;
    *host = endpoint % hosts;
    if (uneven) {
        router = weft_topology_home(topology, endpoint);
        *host = weft_topology_host(topology, endpoint);
    }
    return router + topology->egress_offset;
}

/* The first packet of the head message; the cursor moves on. */
static inline __attribute__((always_inline)) void
take_first_as(bool uneven, bool programs, weft_site *site, uint32_t source, weft_event *packet)
{
    weft_cursor *cursor = &site->head[source];
    const weft_network *network = site->platform->network;
    const weft_topology *topology = &network->topology;
    const weft_workload *workload = workload_of(site, source);
    place here = place_as(uneven, site, source);
    uint32_t endpoint = here.endpoint, mtu = site->platform->mtu, number = workload->number;
    weft_fine_time at = cursor->at;
    weft_time born = weft_fine_time_near(at, site->last_sync);
    if (!programs || !weft_processes_send(site, number)) /* else when it was sent */
        count_head(site, source, number, born);
    weft_packet_name(packet, endpoint, cursor->index, born);
    weft_random random;
    weft_message message = workload->kind->next(workload, endpoint, cursor, &random);
    if (site->counted && site->counted[source].index == cursor->index)
        site->counted[source] = *cursor;
    if (programs)
        weft_processes_next(site, source);
    uint32_t host, to = egress_as(uneven, topology, message.to, &host);
    const weft_routing *routing = &network->traffic_classes[number].routing;
    uint32_t header = 0;
    if (here.router != to) {
        header = weft_routing_initial_header(routing, here.router, to, &random);
        header = weft_routing_header_between(routing, header, endpoint, host);
    }
    weft_packet_set_header(packet, header);
    if (site->rest && message.flits > mtu) {
        site->rest[source] = (weft_rest){.at = at,
                                         .index = weft_packet_index(packet),
                                         .left = message.flits - mtu,
                                         .number = 1,
                                         .route = header,
                                         .host = host};
        message.flits = mtu;
    }
    weft_packet_make(site->platform->key, packet, number, host, message.flits, false);
    site->tally->traffic_classes[number].made++;
}

static __attribute__((noinline)) void take_first_specially(weft_site *site, uint32_t source,
                                                           weft_event *packet)
{
    take_first_as(is_uneven(site), site->processes != NULL, site, source, packet);
}

void weft_sources_take(weft_site *site, uint32_t source, weft_event *packet)
{
    if (weft_sources_sending(site, source))
        take_more(site, source, packet);
    else if (site->special_sources)
        take_first_specially(site, source, packet);
    else
        take_first_as(false, false, site, source, packet);
}

void weft_sources_start(weft_site *site, weft_block *block, weft_time now)
{
    site->last_sync = now;
    for (uint32_t s = 0; s < site->sources; s++)
        if (!weft_sources_due(site, s, now - 1))
            weft_sources_arm(site, block, s, now - 1);
}

/* Counts the messages of a source that have arrived before `now`. */
static void count_waiting(weft_site *site, uint32_t source, weft_time now)
{
    const weft_workload *workload = workload_of(site, source);
    uint32_t endpoint = endpoint_of(site, source);
    weft_cursor *counted = &site->counted[source], cursor = *counted;
    while (cursor.live && weft_fine_time_near(cursor.at, now) < now) {
        weft_tally_generate(site->tally, workload->number, weft_fine_time_near(cursor.at, now));
        workload->kind->skip(workload, endpoint, &cursor);
    }
    *counted = cursor;
}

void weft_sources_rest(void *state, weft_time now)
{
    weft_site *site = state;
    site->last_sync = now;
    site->waiting = weft_processes_waiting(site);
    if (site->sources && site->head[site->inspected++ % site->sources].index > NAMES_LAST)
        site->exhausted = true;
    for (uint32_t s = 0; site->counted && s < site->sources; s++) {
        const weft_cursor *cursor = &site->counted[s];
        if (cursor->live && weft_fine_time_near(cursor->at, now) < now)
            count_waiting(site, s, now);
        site->waiting += cursor->index - site->head[s].index;
        if (site->head[s].live && now - weft_fine_time_near(site->head[s].at, now) > WEFT_AGE_MAX)
            site->exhausted = true;
    }
}

static void save_cursor(const weft_cursor *cursor, weft_pack *pack)
{
    weft_pack_u64(pack, cursor->at);
    weft_pack_u32(pack, cursor->index);
    weft_pack_u32(pack, cursor->memory | (uint32_t)cursor->live << 31);
}

static void load_cursor(weft_cursor *cursor, weft_unpack *from)
{
    cursor->at = weft_unpack_u64(from);
    cursor->index = weft_unpack_u32(from);
    uint32_t last = weft_unpack_u32(from);
    cursor->live = last > WEFT_ARRIVAL_MEMORY_MAX;
    cursor->memory = last & WEFT_ARRIVAL_MEMORY_MAX;
}

static void save_rest(const weft_rest *rest, weft_pack *pack)
{
    weft_pack_u64(pack, rest->at);
    weft_pack_u32(pack, rest->left);
    if (rest->left == 0)
        return;
    weft_pack_u32(pack, rest->index);
    weft_pack_u32(pack, rest->number);
    weft_pack_u32(pack, rest->route);
    weft_pack_u32(pack, rest->host);
}

/* endpoint: of the network, whose message it is. */
static void load_rest(const weft_platform *platform, uint32_t endpoint, uint32_t traffic_class,
                      weft_rest *rest, weft_unpack *from)
{
    const weft_topology *topology = &platform->network->topology;
    rest->at = weft_unpack_u64(from);
    rest->left = weft_unpack_u32(from);
    if (rest->left == 0)
        return;
    rest->index = weft_unpack_u32(from);
    rest->number = weft_unpack_u32(from);
    rest->route = weft_unpack_u32(from);
    rest->host = weft_unpack_u32(from);
    bool sound =
        endpoint < platform->network->endpoints &&
        weft_routing_header_valid(&platform->network->traffic_classes[traffic_class].routing,
                                  weft_topology_home(topology, endpoint), rest->route);
    uint32_t most = platform->network->traffic_classes[traffic_class].most_flits;
    if (rest->left > most || rest->number > most || rest->index > WEFT_NAME_MASK || !sound ||
        rest->host >= topology->concentration)
        weft_unpack_fail(from);
}

void weft_sources_save(const weft_site *site, uint32_t router, weft_pack *pack)
{
    uint32_t each = weft_site_sources(site, router);
    for (uint32_t s = router * each; s < (router + 1) * each; s++) {
        save_cursor(&site->head[s], pack);
        if (site->counted)
            save_cursor(&site->counted[s], pack);
        if (site->rest)
            save_rest(&site->rest[s], pack);
    }
}

/* Programs send only what is in them. */
static bool sends_something(const weft_site *site, uint32_t source)
{
    const weft_workload *workload = workload_of(site, source);
    weft_cursor cursor = site->head[source];
    weft_random random;
    if (!cursor.live || !weft_processes_send(site, workload->number))
        return true;
    return endpoint_of(site, source) < site->platform->network->endpoints &&
           workload->kind->next(workload, endpoint_of(site, source), &cursor, &random).to !=
               WEFT_NOWHERE;
}

/* Where messages need not wait none does. */
static void load_source(weft_site *site, uint32_t source, weft_time now, weft_unpack *from)
{
    const weft_cursor *head = &site->head[source];
    load_cursor(&site->head[source], from);
    if (head->index > WEFT_NAME_MASK)
        weft_unpack_fail(
            from); /* the run would have ended before; what waits is not numbered yet */
    if (site->counted) {
        const weft_cursor *counted = &site->counted[source];
        load_cursor(&site->counted[source], from);
        if (counted->index < head->index || weft_fine_time_before(counted->at, head->at))
            weft_unpack_fail(from);
    }
    if (site->rest)
        load_rest(site->platform, endpoint_of(site, source), traffic_class_of(site, source),
                  &site->rest[source], from);
    bool sends = head->live || (site->counted && site->counted[source].live) ||
                 (site->rest && site->rest[source].left > 0);
    if (sends && endpoint_of(site, source) >= site->platform->network->endpoints)
        weft_unpack_fail(from);
    if (!from->failed && !sends_something(site, source))
        weft_unpack_fail(from);
    if (!site->counted && weft_sources_due(site, source, now - 1))
        weft_unpack_fail(from);
}

void weft_sources_load(weft_site *site, uint32_t router, weft_time now, weft_unpack *from)
{
    uint32_t each = weft_site_sources(site, router);
    for (uint32_t s = router * each; s < (router + 1) * each; s++)
        load_source(site, s, now, from);
}
