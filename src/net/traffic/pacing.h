/* SPDX-License-Identifier: Apache-2.0 */
/* The rate control of a traffic class: every source of it has a rate of its own, which ACKs, or
 * notifications and timers, change by a response law. What an endpoint sends in one class is one
 * flow, whoever gets it. Const once built. */
#ifndef WEFT_NET_TRAFFIC_PACING_H
#define WEFT_NET_TRAFFIC_PACING_H

#include "config/scenario.h"
#include "net/timing.h"
#include "net/traffic/response.h"

typedef struct weft_pacing {
    weft_response law; /* kind NULL: sources have no rate control */
    double jitter;     /* the gap before a packet is (1 ± jitter) / rate, uniformly */
    uint32_t window;   /* packets that may be under way without an ACK; 0: no limit */
} weft_pacing;

typedef struct weft_pacing_packet {
    double flits;      /* of a mean packet … */
    double most_flits; /* … and of the longest */
    double flit_bytes;
} weft_pacing_packet;

WEFT_MUST_USE weft_status weft_pacing_build(weft_pacing *pacing, const weft_class_settings *set,
                                            const weft_timing *timing, weft_pacing_packet packet,
                                            weft_arena *arena, weft_error *err);
/* Ticks of the unit of time of rates: a second, or a cycle without a clock. */
double weft_pacing_ticks(const weft_timing *timing);

#endif
