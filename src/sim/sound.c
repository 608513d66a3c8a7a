/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/sound.h"

bool weft_packet_sound(const weft_network *network, uint32_t router, const weft_event *packet)
{
    const weft_topology *topology = &network->topology;
    return weft_packet_flow(packet) < network->flows &&
           weft_packet_host(packet) < topology->hosts && packet->data[0] < network->endpoints &&
           weft_packet_flits(packet) > 0 &&
           (!topology->kind->sound || topology->kind->sound(topology, router, packet->data[3]));
}
