/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs come in random order, and each takes one of the free outputs it asks for, by lot: a maximal
 * match. The draws are a pure function of (seed, tick, crossbar). */
#include "sched/scheduler.h"

#include "sched/lane_state.h"

static weft_status build(weft_scheduler *scheduler, weft_error *err)
{
    (void)err;
    scheduler->bytes = scheduler->inputs;
    scheduler->draws = true;
    return WEFT_OK;
}

static void match(const weft_scheduler *scheduler, const void *state, const weft_requests *requests,
                  weft_match *found)
{
    weft_random random = weft_draws(&requests->occasion);
    weft_field open;
    weft_field_open(scheduler, requests, &open);
    found->inputs = 0;
    while (open.free_inputs) {
        uint32_t x = weft_any(&random, open.free_inputs);
        uint64_t wanted = open.wanted[x] & open.free_outputs;
        open.free_inputs &= ~weft_bit(x);
        if (!wanted)
            continue;
        uint32_t y = weft_any(&random, wanted);
        open.free_outputs &= ~weft_bit(y);
        weft_lane_pair(scheduler, state, requests, x, y, found);
    }
    found->first = found->inputs;
}

const weft_scheduler_kind weft_scheduler_random = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_scheduler_kind),
             .name = "random",
             .brief = "inputs in random order take what is free; a maximal match"},
    .several = true,
    .build = build,
    .reset = weft_lane_reset,
    .match = match,
    .granted = weft_lane_granted,
    .sound = weft_lane_sound,
};
