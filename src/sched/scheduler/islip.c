/* SPDX-License-Identifier: Apache-2.0 */
/* iSLIP: in every iteration each free output offers itself to one free input that requests it, and
 * each input accepts one of its offers, both round robin. Pointers move past accepted ports, in the
 * first iteration only (unless `later` is set): so pointers of outputs desynchronise, and no input
 * starves. The VC of an input is chosen last, round robin by a pointer of its own. N. McKeown, The
 * iSLIP scheduling algorithm for input-queued switches, IEEE/ACM ToN 7(2), 1999.
 *
 * The state is three pointers of a byte: an output's over inputs, an input's over outputs, an
 * input's over VCs. */
#include "interweft/scheduler.h"
#include "sched/kinds.h"

#include "sched/field.h"
#include "sched/rounds.h"
#include "sched/wide_rounds.h"

static const weft_param params[] = {
    {.name = "iterations",
     .brief = "rounds of offers and acceptances in a tick",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(weft_rounds, iterations),
     .fallback = "1",
     .min = 1,
     .max = WEFT_ITERATIONS_MAX},
    {.name = "later",
     .brief = "pointers that move after the first iteration too: those outputs offer by, those "
              "inputs accept by, both",
     .type = WEFT_PARAM_CHOICE,
     .offset = offsetof(weft_rounds, later),
     .fallback = "neither",
     .choices = weft_rounds_later},
    {.name = NULL},
};

enum { OFFERS, ACCEPTS, VCS }; /* of part: where the pointers are, as rounds.h has them */

static weft_status build(weft_scheduler *scheduler, weft_error *err)
{
    (void)err; /* the table has checked the range */
    weft_rounds_build_offers(scheduler, WEFT_LOSS_KEEPS);
    return WEFT_OK;
}

/* One iteration; returns the inputs it matched. */
static uint64_t iterate(const weft_scheduler *scheduler, const uint8_t *state,
                        const weft_requests *requests, weft_field *open, weft_match *match)
{
    const uint8_t *offers = state + scheduler->part[OFFERS];
    const uint8_t *accepts = state + scheduler->part[ACCEPTS];
    uint64_t offered[WEFT_CROSSBAR_PORTS_MAX], inputs = 0; /* outputs, per input of inputs */
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
        match->vc[x] =
            (uint8_t)weft_field_vc(scheduler, state[scheduler->part[VCS] + x], requests, x, y);
        open->free_outputs &= ~weft_bit(y);
    }
    open->free_inputs &= ~inputs;
    return inputs;
}

static void match(const weft_scheduler *scheduler, const void *state, const weft_requests *requests,
                  weft_match *found)
{
    int64_t iterations = ((const weft_rounds *)scheduler->settings)->iterations;
    weft_field open;
    weft_field_open(scheduler, requests, &open);
    found->first = iterate(scheduler, state, requests, &open, found);
    found->inputs = found->first;
    for (int64_t i = 1; i < iterations && open.free_outputs && open.free_inputs; i++)
        found->inputs |= iterate(scheduler, state, requests, &open, found);
}

static void granted(const weft_scheduler *scheduler, void *state, uint32_t input, uint32_t vc,
                    uint32_t output, bool first)
{
    assert(input < scheduler->inputs && vc < scheduler->n_vcs && output < scheduler->outputs);
    uint8_t *pointers = state;
    pointers[scheduler->part[VCS] + input] = (uint8_t)weft_past(vc, scheduler->n_vcs);
    int moves = first ? 3 : ((const weft_rounds *)scheduler->settings)->later;
    if (moves & 1)
        pointers[scheduler->part[OFFERS] + output] = (uint8_t)weft_past(input, scheduler->inputs);
    if (moves & 2)
        pointers[scheduler->part[ACCEPTS] + input] = (uint8_t)weft_past(output, scheduler->outputs);
}

const weft_scheduler_kind weft_scheduler_islip = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_scheduler_kind),
             .name = "islip",
             .brief = "outputs offer, inputs accept, in iterations; round robin that drifts apart",
             .params = params,
             .settings_size = sizeof(weft_rounds)},
    .several = true,
    .build = build,
    .reset = weft_rounds_reset,
    .match = match,
    .granted = granted,
    .sound = weft_rounds_sound,
    .match_wide = weft_wide_rounds_match,
    .room = weft_wide_rounds_room,
};
