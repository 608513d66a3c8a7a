/* SPDX-License-Identifier: Apache-2.0 */
/* A source is a cursor over its workload's messages; timers of the kernel wake it for the next one. */
#include "sim/source.h"

#include "base/memory.h"

#include <assert.h>

static uint32_t flow_of(const weft_site *site, uint32_t source)
{
    return source % site->fabric->network->flows;
}

static uint32_t endpoint_of(const weft_site *site, uint32_t source)
{
    const weft_network *network = site->fabric->network;
    uint32_t hosts = network->topology.hosts, here = source / network->flows;
    uint32_t router = weft_partition_router(site->fabric->partition, site->block, here / hosts);
    return router * hosts + here % hosts;
}

static const weft_workload *workload_of(const weft_site *site, uint32_t source)
{
    return &site->fabric->network->flow[flow_of(site, source)].workload;
}

void weft_sources_open(weft_site *site)
{
    const weft_network *network = site->fabric->network;
    site->sources = site->routers * network->topology.hosts * network->flows;
    site->head = weft_region_create(sizeof *site->head * site->sources);
    if (site->fabric->injection_port) {
        site->counted = weft_region_create(sizeof *site->counted * site->sources);
        site->injection =
            weft_region_create(sizeof *site->injection * site->routers * network->topology.hosts);
    }
}

void weft_sources_close(weft_site *site)
{
    const weft_network *network = site->fabric->network;
    weft_region_destroy(site->head, sizeof *site->head * site->sources);
    if (site->counted)
        weft_region_destroy(site->counted, sizeof *site->counted * site->sources);
    if (site->injection)
        weft_region_destroy(site->injection,
                            sizeof *site->injection * site->routers * network->topology.hosts);
}

int64_t weft_sources_bytes(const weft_fabric *fabric)
{
    int64_t endpoints = fabric->network->topology.hosts;
    int64_t sources = endpoints * fabric->network->flows;
    int64_t bytes = sources * (int64_t)(sizeof(weft_cursor) + sizeof(int32_t)); /* with its timer */
    if (fabric->injection_port)
        bytes += sources * (int64_t)sizeof(weft_cursor) + endpoints * (int64_t)sizeof(weft_time);
    return bytes;
}

void weft_sources_start(weft_site *site, weft_block *block)
{
    for (uint32_t s = 0; s < site->sources; s++) {
        const weft_workload *workload = workload_of(site, s);
        site->head[s] = workload->kind->first(workload, endpoint_of(site, s));
        if (site->counted)
            site->counted[s] = site->head[s];
        if (site->head[s].live)
            weft_timer_set(block, s, weft_moment_tick(site->head[s].at));
    }
}

static void emit(weft_site *site, weft_block *block, uint32_t source, weft_time at)
{
    weft_event *event = weft_emit(block, at);
    event->to = weft_site_router_of(site, source);
    event->key = weft_key(WEFT_WAKE, 0);
    event->data[0] = source;
    event->data[1] = 0;
}

void weft_sources_timer(weft_site *site, weft_block *block, uint32_t source, weft_time now)
{
    weft_time at = weft_moment_tick(site->head[source].at);
    if (at >> site->fabric->page_shift <= now >> site->fabric->page_shift)
        emit(site, block, source, at < now ? now : at);
    else
        weft_timer_set(block, source, at);
}

/* A page is looked at once, at its start: a message of the page in hand goes straight into the wheel. */
void weft_sources_arm(weft_site *site, weft_block *block, uint32_t source, weft_time now)
{
    if (!site->head[source].live)
        return;
    weft_time at = weft_moment_tick(site->head[source].at);
    assert(at > now);
    if (at >> site->fabric->page_shift == now >> site->fabric->page_shift)
        emit(site, block, source, at);
    else
        weft_timer_set(block, source, at);
}

/* With injection ports a message is counted when it arrives, which may be long before its packet is
 * made: `counted` is ahead of the head then. */
static void count_head(weft_site *site, uint32_t source, uint32_t flow, weft_time at)
{
    if (!site->counted) {
        weft_tally_generate(site->tally, flow, at);
    } else if (site->counted[source].index == site->head[source].index) {
        weft_tally_generate(site->tally, flow, at);
        site->counted[source].index++;
    }
}

void weft_sources_take(weft_site *site, uint32_t source, weft_event *packet)
{
    weft_cursor *cursor = &site->head[source];
    const weft_topology *topology = &site->fabric->network->topology;
    const weft_workload *workload = workload_of(site, source);
    uint32_t endpoint = endpoint_of(site, source);
    weft_time at = weft_moment_tick(cursor->at);
    count_head(site, source, workload->number, at);
    packet->data[0] = endpoint;
    packet->data[1] = cursor->index;
    packet->data[2] = (uint32_t)at;
    weft_random random;
    weft_message message = workload->kind->next(workload, endpoint, cursor, &random);
    if (site->counted && site->counted[source].index == cursor->index)
        site->counted[source] = *cursor;
    packet->data[3] = topology->kind->aim(topology, endpoint / topology->hosts,
                                          message.to / topology->hosts, &random);
    weft_packet_make(packet, workload->number, message.to % topology->hosts, message.flits);
}

int64_t weft_sources_count(weft_site *site, weft_time now)
{
    int64_t waiting = 0;
    for (uint32_t s = 0; site->counted && s < site->sources; s++) {
        weft_cursor *cursor = &site->counted[s];
        const weft_workload *workload = workload_of(site, s);
        while (cursor->live && weft_moment_tick(cursor->at) < now) {
            weft_tally_generate(site->tally, workload->number, weft_moment_tick(cursor->at));
            workload->kind->skip(workload, endpoint_of(site, s), cursor);
        }
        waiting += cursor->index - site->head[s].index;
    }
    return waiting;
}
