/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/validate.h"

bool weft_packet_valid(const weft_platform *platform, uint32_t router, const weft_event *packet)
{
    const weft_network *network = platform->network;
    const weft_topology *topology = &network->topology;
    return weft_packet_traffic_class(packet) < network->n_traffic_classes &&
           weft_packet_host(platform->key, packet, topology->concentration) <
               topology->concentration &&
           weft_packet_source(packet) < network->endpoints && weft_packet_flits(packet) > 0 &&
           (weft_packet_header(packet) != 0 ||
            router - topology->egress_offset < topology->edge_routers) &&
           weft_routing_header_valid(
               &network->traffic_classes[weft_packet_traffic_class(packet)].routing, router,
               weft_packet_header(packet));
}
