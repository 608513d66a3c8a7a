/* SPDX-License-Identifier: Apache-2.0 */
/* Thresholds of pause, and the room that is needed above them. */
#ifndef WEFT_SIM_ROUTER_INPUT_QUEUED_HEADROOM_H
#define WEFT_SIM_ROUTER_INPUT_QUEUED_HEADROOM_H

#include "sim/router/input_queued/layout.h"

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
