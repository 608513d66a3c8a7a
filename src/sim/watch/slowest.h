/* SPDX-License-Identifier: Apache-2.0 */
/* The slowest messages of a run, each by the packet that completed it. Found in a run of one
 * thread that knows when the measured part begins. */
#ifndef WEFT_SIM_WATCH_SLOWEST_H
#define WEFT_SIM_WATCH_SLOWEST_H

#include "kernel/kernel.h"

typedef struct weft_slow_packet {
    uint32_t source, traffic_class, index, number; /* of the message at its source and class … */
    uint64_t latency;                              /* ticks */
    weft_time delivered;
} weft_slow_packet;

typedef struct weft_slowest {
    weft_time from; /* messages completed before do not count */
    size_t wanted, count;
    weft_slow_packet *at; /* room for `wanted`; the slowest first */
} weft_slowest;

/* A message is complete. Of equals the one that was delivered first comes first. */
void weft_slowest_add(weft_slowest *slowest, const weft_event *packet, uint64_t latency,
                      weft_time now);

#endif
