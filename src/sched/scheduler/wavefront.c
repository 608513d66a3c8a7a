/* SPDX-License-Identifier: Apache-2.0 */
/* Wave front: the diagonals of the matrix of requests are gone through one after the other, wrapped
 * around; the pairs of one diagonal share no input and no output, so all of them that are asked for
 * and still free are matched. A match is maximal. The diagonal that comes first moves on by one with
 * every match.
 * Y. Tamir, H.-C. Chi, Symmetric crossbar arbiters for VLSI communication switches, IEEE TPDS 4(1), 1993.
 *
 * The state is that diagonal, then the pointers of inputs over lanes, a byte each. */
#include "sched/scheduler.h"

#include "sched/field.h"

#include <string.h>

static uint32_t diagonals(const weft_scheduler *scheduler)
{
    return scheduler->inputs > scheduler->outputs ? scheduler->inputs : scheduler->outputs;
}

static weft_status build(weft_scheduler *scheduler, weft_error *err)
{
    (void)err;
    assert(scheduler->inputs <= WEFT_LINES_MAX && scheduler->outputs <= WEFT_LINES_MAX);
    scheduler->bytes = 1 + (size_t)scheduler->inputs;
    return WEFT_OK;
}

static void reset(const weft_scheduler *scheduler, void *state)
{
    memset(state, 0, scheduler->bytes);
}

/* Matches what is free on one diagonal: input x with output (diagonal − x). */
static void sweep(const weft_scheduler *scheduler, const uint8_t *state,
                  const weft_requests *requests, uint32_t diagonal, weft_field *open,
                  weft_match *match)
{
    uint32_t n = diagonals(scheduler);
    for (uint64_t left = open->free_inputs; left; left &= left - 1) {
        uint32_t x = weft_lowest(left), y = (diagonal + n - x) % n;
        if (!(open->wanted[x] & open->free_outputs & weft_bit(y)))
            continue;
        match->output[x] = (uint8_t)y;
        match->lane[x] = (uint8_t)weft_field_lane(scheduler, state[1 + x], requests, x, y);
        match->inputs |= weft_bit(x);
        open->free_inputs &= ~weft_bit(x);
        open->free_outputs &= ~weft_bit(y);
    }
}

static void match(const weft_scheduler *scheduler, const void *state, const weft_requests *requests,
                  weft_match *found)
{
    const uint8_t *bytes = state;
    uint32_t n = diagonals(scheduler), diagonal = bytes[0];
    weft_field open;
    weft_field_open(scheduler, requests, &open);
    found->inputs = 0;
    for (uint32_t k = 0; k < n && open.free_inputs && open.free_outputs; k++) {
        sweep(scheduler, bytes, requests, diagonal, &open, found);
        diagonal = weft_past(diagonal, n);
    }
    found->first = found->inputs;
}

static void granted(const weft_scheduler *scheduler, void *state, uint32_t input, uint32_t lane,
                    uint32_t output, bool first)
{
    (void)output, (void)first;
    ((uint8_t *)state)[1 + input] = (uint8_t)weft_past(lane, scheduler->lanes);
}

static void learn(const weft_scheduler *scheduler, void *state, const weft_match *match)
{
    (void)match;
    uint8_t *diagonal = state;
    *diagonal = (uint8_t)weft_past(*diagonal, diagonals(scheduler));
}

static bool sound(const weft_scheduler *scheduler, const void *state)
{
    const uint8_t *bytes = state;
    return bytes[0] < diagonals(scheduler) &&
           weft_all_below(bytes + 1, scheduler->inputs, scheduler->lanes);
}

const weft_scheduler_kind weft_scheduler_wavefront = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_scheduler_kind),
             .name = "wavefront",
             .brief = "diagonal by diagonal, from another one every time; a maximal match"},
    .several = true,
    .build = build,
    .reset = reset,
    .match = match,
    .granted = granted,
    .learn = learn,
    .sound = sound,
};
