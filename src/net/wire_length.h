/* SPDX-License-Identifier: Apache-2.0 */
/* Lengths of messages on the wire, where packets have headers beside their payload. A message of L
 * flits in packets of at most M, with H flits of headers each, has L + ⌈L / M⌉ H flits; cut at
 * M + H it comes in just these packets. */
#ifndef WEFT_NET_WIRE_LENGTH_H
#define WEFT_NET_WIRE_LENGTH_H

#include "base/arena.h"
#include "config/scenario.h"
#include "interweft/traffic.h"

/* Longest packet that is not cut: WEFT_PACKET_MAX of sim/packet.h. */
#define WEFT_WIRE_PACKET_MAX 65535u

/* Flits of the headers of a packet; 0: it has none. */
uint32_t weft_wire_header(const weft_scenario *scenario);
/* Flits of the longest packet, headers included. */
uint32_t weft_wire_packet(const weft_scenario *scenario);
/* Makes the length of payloads that on the wire, if packets have headers; fails where they cannot
 * have any. */
WEFT_MUST_USE weft_status weft_wire_length_build(weft_length *length, const weft_scenario *scenario,
                                                 weft_arena *arena, weft_error *err);

#endif
