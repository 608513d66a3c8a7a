/* SPDX-License-Identifier: Apache-2.0 */
/* iSLIP: in every iteration each free output offers itself to one free input that asks for it, and
 * each input accepts one of its offers, both round robin. Pointers move past what was accepted,
 * and only if that was in the first iteration: so pointers of outputs drift apart, and nobody
 * starves. The lane inside an input comes last, round robin by a pointer of its own.
 * N. McKeown, The iSLIP scheduling algorithm for input-queued switches, IEEE/ACM ToN 7(2), 1999.
 *
 * The state is three pointers of a byte: an output's over inputs, an input's over outputs, an
 * input's over lanes. */
#include "sched/scheduler.h"

#include "sched/round_robin.h"

#include <string.h>

#define ITERATIONS_MAX 16

typedef struct settings {
    int64_t iterations;
} settings;

static const weft_param params[] = {
    {.name = "iterations",
     .brief = "rounds of offers and acceptances in a tick",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, iterations),
     .fallback = "1",
     .min = 1,
     .max = ITERATIONS_MAX},
    {.name = NULL},
};

enum { OFFERS, ACCEPTS, LANES }; /* of part: where the pointers are */

static weft_status build(weft_scheduler *scheduler, weft_error *err)
{
    (void)err; /* the table has checked the range */
    uint32_t inputs = scheduler->inputs, outputs = scheduler->outputs;
    assert(inputs > 0 && inputs <= WEFT_LINES_MAX && outputs > 0 && outputs <= WEFT_LINES_MAX);
    assert(scheduler->lanes > 0 && scheduler->lanes <= WEFT_LANES_MAX);
    scheduler->part[OFFERS] = 0;
    scheduler->part[ACCEPTS] = outputs;
    scheduler->part[LANES] = outputs + inputs;
    scheduler->bytes = outputs + inputs + inputs;
    scheduler->ages = false;
    return WEFT_OK;
}

static void reset(const weft_scheduler *scheduler, void *state)
{
    memset(state, 0, scheduler->bytes);
}

/* What is still to be matched, by output. */
typedef struct field {
    uint64_t free_inputs, free_outputs; /* that ask, that are asked for */
    uint64_t asks[WEFT_LINES_MAX];      /* per output of free_outputs: inputs that want it */
} field;

static void field_open(const weft_scheduler *scheduler, const weft_requests *requests, field *open)
{
    uint64_t wanted[WEFT_LINES_MAX], all = 0;
    for (uint64_t left = requests->asking; left; left &= left - 1) {
        uint32_t x = weft_lowest(left);
        wanted[x] = 0;
        for (uint32_t lane = 0; lane < scheduler->lanes; lane++)
            wanted[x] |= requests->wants[(size_t)x * scheduler->lanes + lane];
        all |= wanted[x];
    }
    for (uint64_t left = all; left; left &= left - 1)
        open->asks[weft_lowest(left)] = 0;
    for (uint64_t left = requests->asking; left; left &= left - 1)
        for (uint64_t want = wanted[weft_lowest(left)]; want; want &= want - 1)
            open->asks[weft_lowest(want)] |= left & (~left + 1);
    open->free_inputs = requests->asking;
    open->free_outputs = all;
}

/* The lane of input x that sends to y: the first from its pointer on that asks for it. */
static uint32_t lane_of(const weft_scheduler *scheduler, const uint8_t *state,
                        const weft_requests *requests, uint32_t x, uint32_t y)
{
    const uint64_t *wants = requests->wants + (size_t)x * scheduler->lanes;
    uint32_t lane = state[scheduler->part[LANES] + x];
    assert(lane < scheduler->lanes);
    while (!(wants[lane] & weft_bit(y)))
        lane = weft_past(lane, scheduler->lanes);
    return lane;
}

/* One iteration; returns the inputs it matched. */
static uint64_t iterate(const weft_scheduler *scheduler, const uint8_t *state,
                        const weft_requests *requests, field *open, weft_match *match)
{
    const uint8_t *offers = state + scheduler->part[OFFERS];
    const uint8_t *accepts = state + scheduler->part[ACCEPTS];
    uint64_t offered[WEFT_LINES_MAX], inputs = 0; /* outputs, per input of inputs */
    for (uint64_t left = open->free_outputs; left; left &= left - 1) {
        uint32_t y = weft_lowest(left);
        uint64_t asking = open->asks[y] & open->free_inputs;
        if (!asking) {
            open->free_outputs &= ~weft_bit(y); /* nobody is left who wants it */
            continue;
        }
        uint32_t x = weft_round_robin(asking, offers[y]);
        offered[x] = (inputs & weft_bit(x) ? offered[x] : 0) | weft_bit(y);
        inputs |= weft_bit(x);
    }
    for (uint64_t left = inputs; left; left &= left - 1) {
        uint32_t x = weft_lowest(left), y = weft_round_robin(offered[x], accepts[x]);
        match->output[x] = (uint8_t)y;
        match->lane[x] = (uint8_t)lane_of(scheduler, state, requests, x, y);
        open->free_outputs &= ~weft_bit(y);
    }
    open->free_inputs &= ~inputs;
    return inputs;
}

static void match(const weft_scheduler *scheduler, const void *state, const weft_requests *requests,
                  weft_match *found)
{
    int64_t iterations = ((const settings *)scheduler->settings)->iterations;
    field open;
    field_open(scheduler, requests, &open);
    found->first = iterate(scheduler, state, requests, &open, found);
    found->inputs = found->first;
    for (int64_t i = 1; i < iterations && open.free_outputs && open.free_inputs; i++)
        found->inputs |= iterate(scheduler, state, requests, &open, found);
}

static void granted(const weft_scheduler *scheduler, void *state, uint32_t input, uint32_t lane,
                    uint32_t output, bool first)
{
    assert(input < scheduler->inputs && lane < scheduler->lanes && output < scheduler->outputs);
    uint8_t *pointers = state;
    pointers[scheduler->part[LANES] + input] = (uint8_t)weft_past(lane, scheduler->lanes);
    if (!first)
        return;
    pointers[scheduler->part[OFFERS] + output] = (uint8_t)weft_past(input, scheduler->inputs);
    pointers[scheduler->part[ACCEPTS] + input] = (uint8_t)weft_past(output, scheduler->outputs);
}

static bool all_below(const uint8_t *pointers, uint32_t count, uint32_t n)
{
    bool fine = true;
    for (uint32_t i = 0; i < count; i++)
        fine &= pointers[i] < n;
    return fine;
}

static bool sound(const weft_scheduler *scheduler, const void *state)
{
    const uint8_t *pointers = state;
    return all_below(pointers + scheduler->part[OFFERS], scheduler->outputs, scheduler->inputs) &&
           all_below(pointers + scheduler->part[ACCEPTS], scheduler->inputs, scheduler->outputs) &&
           all_below(pointers + scheduler->part[LANES], scheduler->inputs, scheduler->lanes);
}

const weft_scheduler_kind weft_scheduler_islip = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_scheduler_kind),
             .name = "islip",
             .brief = "outputs offer, inputs accept, in iterations; round robin that drifts apart",
             .params = params,
             .settings_size = sizeof(settings)},
    .several = true,
    .build = build,
    .reset = reset,
    .match = match,
    .granted = granted,
    .sound = sound,
};
