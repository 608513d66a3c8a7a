/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs are visited in random order, and each takes a random one of the free outputs it requests:
 * a maximal match. The draws are a pure function of (seed, tick, crossbar). */
#include "interweft/scheduler.h"
#include "sched/kinds.h"

#include "sched/vc_state.h"

static weft_status build(weft_scheduler *scheduler, weft_error *err)
{
    (void)err;
    scheduler->bytes = weft_vc_bytes(scheduler);
    scheduler->draws = true;
    return WEFT_OK;
}

/* Takes inputs and outputs away as they are matched, and inputs that find none. */
WEFT_RULE void pair_by_lot(uint32_t words, const uint64_t *wants, uint64_t *inputs,
                           uint64_t *outputs, const weft_occasion *occasion, const weft_pairs *into)
{
    weft_random random = weft_draws(occasion);
    while (weft_set_any(words, inputs)) {
        uint64_t wanted[WEFT_WIDE_WORDS];
        uint32_t x = weft_set_draw(words, inputs, &random);
        weft_set_remove(words, inputs, x);
        if (!weft_set_both(words, wants + (size_t)x * words, outputs, wanted))
            continue;
        uint32_t y = weft_set_draw(words, wanted, &random);
        weft_set_remove(words, outputs, y);
        weft_pair(into, x, y);
    }
}

static void match(const weft_scheduler *scheduler, const void *state, const weft_requests *requests,
                  weft_match *found)
{
    const weft_pairs into = {found, scheduler, state, requests, NULL};
    weft_field open;
    weft_field_rows(scheduler, requests, &open);
    found->inputs = 0;
    pair_by_lot(1, open.wanted, &open.free_inputs, &open.free_outputs, &requests->occasion, &into);
    found->first = found->inputs;
}

static void match_wide(const weft_scheduler *scheduler, void *state,
                       const weft_wide_requests *requests, weft_wide_match *found)
{
    (void)state;
    const weft_pairs into = {.wide = found};
    uint64_t inputs[WEFT_WIDE_WORDS], outputs[WEFT_WIDE_WORDS] = {0};
    memcpy(inputs, requests->asking, requests->words * sizeof *inputs);
    weft_set_fill(outputs, scheduler->outputs);
    weft_set_clear(requests->words, found->inputs);
    pair_by_lot(requests->words, requests->wants, inputs, outputs, &requests->occasion, &into);
}

const weft_scheduler_kind weft_scheduler_random = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_scheduler_kind),
             .name = "random",
             .brief = "inputs in random order take what is free; a maximal match"},
    .several = true,
    .build = build,
    .reset = weft_vc_reset,
    .match = match,
    .granted = weft_vc_granted,
    .sound = weft_vc_sound,
    .match_wide = match_wide,
};
