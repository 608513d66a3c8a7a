/* SPDX-License-Identifier: Apache-2.0 */
/* Settings and traffic of a platform in ticks, flits and packets; thresholds of pause, and the room
 * that is needed above them. */
#ifndef WEFT_SIM_ROUTER_INPUT_QUEUED_HEADROOM_H
#define WEFT_SIM_ROUTER_INPUT_QUEUED_HEADROOM_H

#include "sim/router/input_queued/layout.h"

/* From a flit's leaving the buffer behind a link of this class to its credit upstream, ticks. */
uint32_t weft_iq_credit_delay(const weft_platform *platform, uint32_t class);
/* The classes of links between routers, which are there. */
void weft_iq_link_classes(const weft_platform *platform, bool there[WEFT_LINK_CLASSES_MAX]);
/* A size in flits, or in packets where it is given so; a duration in ticks. */
double weft_iq_room_units(const weft_platform *platform, weft_size size);
uint32_t weft_iq_ticks(const weft_platform *platform, weft_duration duration);
/* Flits of the longest packet there can be, or more; of the shortest, or fewer. */
uint32_t weft_iq_shortest_packet(const weft_platform *platform);
uint32_t weft_iq_longest_packet(const weft_platform *platform);

typedef struct weft_iq_thresholds { /* flits, or packets */
    int64_t xoff, xon;
    int64_t headroom;  /* the most that a buffer gets after it was filled to xoff */
    uint64_t arrivals; /* packets that can be on their way to a buffer, as its sender sees it */
} weft_iq_thresholds;

bool weft_iq_pauses(const weft_platform *platform);
/* Of a platform that passed the check. */
weft_iq_thresholds weft_iq_thresholds_of(const weft_platform *platform);
/* Refuses buffers that could overflow, and what pause does not go with. */
WEFT_MUST_USE weft_status weft_iq_thresholds_check(const weft_platform *platform, weft_error *err);

#endif
