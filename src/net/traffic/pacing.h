/* SPDX-License-Identifier: Apache-2.0 */
/* The rate control of a traffic class: every source of it has a rate of its own, which acknowledged
 * packets change by a response law. Const once built. */
#ifndef WEFT_NET_TRAFFIC_PACING_H
#define WEFT_NET_TRAFFIC_PACING_H

#include "config/scenario.h"
#include "net/timing.h"
#include "net/traffic/response.h"

typedef struct weft_pacing {
    weft_response law; /* kind NULL: sources have no rate control */
    double ticks;      /* of the unit of time of rates: a second, or a cycle without a clock */
    double jitter;     /* the gap before a packet is (1 ± jitter) / rate, uniformly */
    uint32_t window;   /* packets that may be under way without an ACK; 0: no limit */
} weft_pacing;

/* packet_ticks: time of a mean packet on an endpoint's link. */
WEFT_MUST_USE weft_status weft_pacing_build(weft_pacing *pacing, const weft_class_settings *set,
                                            const weft_timing *timing, double packet_ticks,
                                            weft_error *err);

#endif
