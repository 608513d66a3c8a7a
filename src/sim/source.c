/* SPDX-License-Identifier: Apache-2.0 */
/* Every message has one random stream: the gap to the next message first, then length, destination
 * and direction of ties. So the arrival times alone can be walked cheaply (weft_sources_count). */
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

static weft_random stream(const weft_site *site, uint32_t endpoint, uint32_t flow, uint64_t index,
                          weft_purpose purpose)
{
    return weft_random_stream(site->fabric->network->seed, index, endpoint,
                              (weft_purpose)((uint32_t)purpose | flow << 4));
}

/* Moves a cursor to its next message; random is the stream of the present one. The first messages
 * of a backlog all wait from the start. */
static void advance(const weft_site *site, const weft_flow *flow, weft_cursor *cursor,
                    weft_random *random)
{
    weft_moment gap = flow->arrival.kind->interval(&flow->arrival, cursor->index + 1, random);
    if (++cursor->index >= site->fabric->backlog)
        cursor->at += gap;
    if (weft_moment_tick(cursor->at) >= flow->stop)
        cursor->live = 0;
}

static weft_cursor first_message(const weft_site *site, uint32_t source)
{
    uint32_t f = flow_of(site, source), endpoint = endpoint_of(site, source);
    const weft_flow *flow = &site->fabric->network->flow[f];
    weft_random random = stream(site, endpoint, f, 0, WEFT_FOR_MESSAGE);
    bool silent =
        flow->pattern.kind->destination(&flow->pattern, endpoint, &random) == WEFT_NOWHERE;
    weft_cursor cursor = {.at = weft_moment_of((double)flow->start), .live = !silent};
    if (site->fabric->backlog == 0) {
        random = stream(site, endpoint, f, 0, WEFT_FOR_PHASE);
        cursor.at += flow->arrival.kind->interval(&flow->arrival, 0, &random);
    }
    if (weft_moment_tick(cursor.at) >= flow->stop)
        cursor.live = 0;
    return cursor;
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
        site->head[s] = first_message(site, s);
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

void weft_sources_take(weft_site *site, uint32_t source, weft_time now, weft_event *packet)
{
    assert(weft_sources_due(site, source, now));
    weft_cursor *cursor = &site->head[source];
    weft_time at = weft_moment_tick(cursor->at);
    const weft_network *network = site->fabric->network;
    const weft_topology *topology = &network->topology;
    uint32_t f = flow_of(site, source), endpoint = endpoint_of(site, source);
    const weft_flow *flow = &network->flow[f];
    weft_random random = stream(site, endpoint, f, cursor->index, WEFT_FOR_MESSAGE);
    if (!site->counted) {
        weft_tally_generate(site->tally, f, at);
    } else if (site->counted[source].index == cursor->index) {
        weft_tally_generate(site->tally, f, at);
        site->counted[source].index++;
    }
    packet->data[0] = endpoint;
    packet->data[1] = cursor->index;
    packet->data[2] = (uint32_t)at;
    advance(site, flow, cursor, &random);
    if (site->counted && site->counted[source].index == cursor->index)
        site->counted[source] = *cursor;
    uint32_t flits = flow->length.kind->flits(&flow->length, &random);
    uint32_t to = flow->pattern.kind->destination(&flow->pattern, endpoint, &random);
    packet->data[3] =
        topology->kind->aim(topology, endpoint / topology->hosts, to / topology->hosts, &random);
    weft_packet_make(packet, f, to % topology->hosts, flits);
    (void)now;
}

int64_t weft_sources_count(weft_site *site, weft_time now)
{
    int64_t waiting = 0;
    for (uint32_t s = 0; site->counted && s < site->sources; s++) {
        weft_cursor *cursor = &site->counted[s];
        uint32_t f = flow_of(site, s), endpoint = endpoint_of(site, s);
        while (cursor->live && weft_moment_tick(cursor->at) < now) {
            weft_random random = stream(site, endpoint, f, cursor->index, WEFT_FOR_MESSAGE);
            weft_tally_generate(site->tally, f, weft_moment_tick(cursor->at));
            advance(site, &site->fabric->network->flow[f], cursor, &random);
        }
        waiting += cursor->index - site->head[s].index;
    }
    return waiting;
}
