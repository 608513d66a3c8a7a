/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/router/input_queued/congestion/ack.h"

#include "sim/pace.h"

void weft_iq_acknowledge(const weft_iq *iq, weft_block *block, const weft_event *packet,
                         weft_time end)
{
    const weft_platform *platform = iq->layout.platform;
    const weft_topology *topology = iq->layout.topology;
    uint32_t traffic_class = weft_packet_traffic_class(packet);
    uint32_t source = weft_packet_source(packet), classes = iq->layout.traffic_classes;
    const weft_response_kind *law =
        platform->network->traffic_classes[traffic_class].pacing.law.kind;
    bool marked = weft_packet_mark(packet) == WEFT_MARK_CONGESTED;
    if (!law || (law->reaction && !marked))
        return;
    weft_place home =
        weft_partition_place(platform->partition, weft_topology_home(topology, source));
    weft_time at = end + platform->ack_delay;
    weft_event *event =
        home.block == iq->site->block
            ? weft_emit(block, at)
            : weft_emit_across(block, platform->partition->anywhere + home.block, at);
    event->to = home.local;
    weft_ack_make(event, weft_topology_host(topology, source) * classes + traffic_class, marked);
}

void weft_iq_space(weft_iq *iq, uint32_t source)
{
    if (iq->staged[source] == WEFT_IQ_NONE)
        return;
    weft_iq_packet *packet = weft_iq_packet_at(iq, iq->staged[source]);
    packet->ready = packet->event.when;
    packet->event.when = weft_pace_due(iq->site, source, &packet->event, packet->ready);
}

void weft_iq_apply_acks(weft_iq *iq, uint32_t endpoint, weft_time now)
{
    uint32_t classes = iq->layout.traffic_classes;
    for (uint32_t s = endpoint * classes; s < (endpoint + 1) * classes; s++) {
        if (!weft_pace_settle(iq->site, s, now) || iq->staged[s] == WEFT_IQ_NONE)
            continue;
        weft_iq_packet *packet = weft_iq_packet_at(iq, iq->staged[s]);
        packet->event.when = weft_pace_due(iq->site, s, &packet->event, packet->ready);
    }
}
