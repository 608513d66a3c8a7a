/* SPDX-License-Identifier: Apache-2.0 */
/* The I/O bus is a link of its own period and latency, each way. Outwards a packet is fetched
 * when its class has nothing staged (its predecessor has started); a message's first packet
 * after the time the DMA engine takes to set it up. It may start on the wire as soon as the bus
 * cannot fall behind. Inwards the bus takes packets in the order in which they were granted;
 * what it cannot take is kept by the endpoint. */
#include "sim/router/input_queued/endpoint_impl.h"

#include "sim/source.h"

static uint32_t *bus_out(const weft_iq *iq, uint32_t endpoint)
{
    return &iq->buses[2 * endpoint];
}

/* Ticks of a flit on the link of an endpoint. */
static weft_time link_period(const weft_iq *iq, uint32_t endpoint)
{
    const weft_platform *platform = iq->layout.platform;
    uint32_t hosts = platform->network->topology.concentration;
    if (!platform->network->topology.host_class)
        return platform->period[WEFT_LINK_HOST];
    const weft_iq_layout *layout = weft_iq_layout_of(iq, weft_iq_record(iq, endpoint / hosts));
    return layout->period[layout->ports + endpoint % hosts * layout->each];
}

/* First tick at which a packet that may be fetched from now on can start on the wire. */
static weft_time fetch(weft_iq *iq, uint32_t endpoint, const weft_event *packet, weft_time now)
{
    const weft_platform *platform = iq->layout.platform;
    weft_time start = weft_packet_follows(packet) ? now : now + platform->dma;
    if (!iq->buses)
        return start;
    uint32_t *free = bus_out(iq, endpoint), flits = weft_packet_flits(packet);
    if (weft_iq_later(*free, (uint32_t)start))
        start += (int32_t)(*free - (uint32_t)start);
    weft_time slower = platform->bus_period - link_period(iq, endpoint);
    *free = (uint32_t)(start + flits * platform->bus_period);
    return start + platform->bus_latency + (slower > 0 ? (flits - 1) * slower : 0);
}

void weft_iq_endpoint_stage(weft_iq *iq, uint32_t source, weft_time now)
{
    weft_site *site = iq->site;
    assert(iq->staged[source] == WEFT_IQ_NONE && weft_sources_due(site, source, now));
    uint32_t handle = weft_iq_take(iq);
    weft_event *packet = &weft_iq_packet_at(iq, handle)->event;
    weft_sources_take(site, source, packet);
    packet->when =
        (uint32_t)fetch(iq, source / site->platform->network->n_traffic_classes, packet, now);
    iq->staged[source] = handle;
}

/* Birth of a staged packet's message: what follows the first packet of a message is as old as
 * it. */
static uint64_t birth(const weft_iq *iq, uint32_t source, const weft_event *packet)
{
    return weft_packet_follows(packet) ? weft_sources_birth(iq->site, source)
                                       : weft_packet_birth(packet);
}

bool weft_iq_endpoint_older(const weft_iq *iq, uint32_t source, uint32_t other)
{
    uint64_t mine = birth(iq, source, &weft_iq_packet_at(iq, iq->staged[source])->event);
    uint64_t theirs = birth(iq, other, &weft_iq_packet_at(iq, iq->staged[other])->event);
    uint64_t younger = (theirs - mine) & WEFT_BIRTH_MASK; /* by so much, if it is little */
    return younger > 0 && younger <= WEFT_BIRTH_MASK / 2;
}

weft_time weft_iq_endpoint_receive(weft_iq *iq, uint32_t endpoint, uint32_t flits, weft_time head)
{
    const weft_platform *platform = iq->layout.platform;
    uint32_t *free = bus_out(iq, endpoint) + 1;
    weft_time faster = link_period(iq, endpoint) - platform->bus_period;
    weft_time begin = head + (faster > 0 ? (flits - 1) * faster : 0);
    if (weft_iq_later(*free, (uint32_t)begin))
        begin += (int32_t)(*free - (uint32_t)begin);
    *free = (uint32_t)(begin + flits * platform->bus_period);
    return begin + platform->bus_latency + (flits - 1) * platform->bus_period;
}
