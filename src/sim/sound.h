/* SPDX-License-Identifier: Apache-2.0 */
/* May there be such a packet? For packets from a file that nobody vouches for. */
#ifndef WEFT_SIM_SOUND_H
#define WEFT_SIM_SOUND_H

#include "net/network.h"
#include "sim/packet.h"

/* At this router of the network, or on its way to it. */
bool weft_packet_sound(const weft_network *network, uint32_t router, const weft_event *packet);

#endif
