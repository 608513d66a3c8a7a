/* SPDX-License-Identifier: Apache-2.0 */
/* Schedulers that remember nothing but which lane of an input comes next: a byte per input. */
#ifndef WEFT_SCHED_LANE_STATE_H
#define WEFT_SCHED_LANE_STATE_H

#include "sched/field.h"

#include <string.h>

static inline void weft_lane_reset(const weft_scheduler *scheduler, void *state)
{
    memset(state, 0, scheduler->bytes);
}

static inline void weft_lane_granted(const weft_scheduler *scheduler, void *state, uint32_t input,
                                     uint32_t lane, uint32_t output, bool first)
{
    (void)output, (void)first;
    assert(input < scheduler->inputs && output < scheduler->outputs);
    ((uint8_t *)state)[input] = (uint8_t)weft_past(lane, scheduler->lanes);
}

static inline bool weft_lane_sound(const weft_scheduler *scheduler, const void *state)
{
    return weft_all_below(state, scheduler->inputs, scheduler->lanes);
}

/* Notes the pair in the match, with its lane. */
static inline void weft_lane_pair(const weft_scheduler *scheduler, const void *state,
                                  const weft_requests *requests, uint32_t x, uint32_t y,
                                  weft_match *match)
{
    uint32_t from = ((const uint8_t *)state)[x];
    match->output[x] = (uint8_t)y;
    match->lane[x] = (uint8_t)weft_field_lane(scheduler, from, requests, x, y);
    match->inputs |= weft_bit(x);
}

#endif
