/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/watch/slowest.h"

#include "sim/packet.h"

#include <string.h>

/* Events of a tick have no order: names decide. */
static bool comes_before(const weft_slow_packet *a, const weft_slow_packet *b)
{
    if (a->latency != b->latency)
        return a->latency > b->latency;
    if (a->delivered != b->delivered)
        return a->delivered < b->delivered;
    if (a->source != b->source)
        return a->source < b->source;
    return a->traffic_class != b->traffic_class ? a->traffic_class < b->traffic_class
                                                : a->index < b->index;
}

void weft_slowest_add(weft_slowest *slowest, const weft_event *packet, uint64_t latency,
                      weft_time now)
{
    if (now < slowest->from)
        return;
    weft_slow_packet found = {.source = weft_packet_source(packet),
                              .traffic_class = weft_packet_traffic_class(packet),
                              .index = weft_packet_index(packet),
                              .number = weft_packet_follows(packet) ? packet->data[2] : 0,
                              .latency = latency,
                              .delivered = now};
    size_t place = slowest->count;
    while (place > 0 && comes_before(&found, &slowest->at[place - 1]))
        place--;
    if (place == slowest->wanted)
        return;
    slowest->count += slowest->count < slowest->wanted;
    memmove(slowest->at + place + 1, slowest->at + place,
            (slowest->count - place - 1) * sizeof *slowest->at);
    slowest->at[place] = found;
}
