/* SPDX-License-Identifier: Apache-2.0 */
/* Wavefront allocation: the diagonals of the request matrix are visited one after the other,
 * cyclically; the pairs of one diagonal share no input and no output, so all that are requested and
 * still free are matched. A match is maximal. The first diagonal advances by one with every match.
 * Y. Tamir, H.-C. Chi, Symmetric crossbar arbiters for VLSI communication switches, IEEE TPDS 4(1),
 * 1993.
 *
 * The state is that diagonal, then the pointers of inputs over VCs, a byte each; in a wide
 * crossbar the diagonal alone, in two bytes. */
#include "interweft/scheduler.h"
#include "sched/kinds.h"

#include "sched/vc_state.h"

static uint32_t diagonals(const weft_scheduler *scheduler)
{
    return scheduler->inputs > scheduler->outputs ? scheduler->inputs : scheduler->outputs;
}

static weft_status build(weft_scheduler *scheduler, weft_error *err)
{
    (void)err;
    assert(weft_field_ports_fit(scheduler));
    scheduler->bytes = scheduler->wide ? sizeof(uint16_t) : 1 + (size_t)scheduler->inputs;
    return WEFT_OK;
}

typedef struct front { /* how far the wave has come */
    uint32_t diagonal, diagonals;
    const uint64_t *wants;
    uint64_t *inputs, *outputs; /* free */
} front;

/* Matches what is free on one diagonal: input x with output (diagonal − x). */
WEFT_RULE void sweep(uint32_t words, const front *wave, const weft_pairs *into)
{
    uint32_t n = wave->diagonals;
    for (uint32_t w = 0; w < words; w++)
        for (uint64_t left = wave->inputs[w]; left; left &= left - 1) {
            uint32_t x = 64 * w + weft_lowest(left), y = (wave->diagonal + n - x) % n;
            if (!weft_set_has(words, wave->wants + (size_t)x * words, y) ||
                !weft_set_has(words, wave->outputs, y))
                continue;
            weft_pair(into, x, y);
            weft_set_remove(words, wave->inputs, x);
            weft_set_remove(words, wave->outputs, y);
        }
}

WEFT_RULE void sweep_all(uint32_t words, front *wave, const weft_pairs *into)
{
    for (uint32_t k = 0; k < wave->diagonals && weft_set_any(words, wave->inputs) &&
                         weft_set_any(words, wave->outputs);
         k++) {
        sweep(words, wave, into);
        wave->diagonal = weft_past(wave->diagonal, wave->diagonals);
    }
}

static void match(const weft_scheduler *scheduler, const void *state, const weft_requests *requests,
                  weft_match *found)
{
    const uint8_t *bytes = state;
    const weft_pairs into = {found, scheduler, bytes + 1, requests, NULL};
    weft_field open;
    weft_field_rows(scheduler, requests, &open);
    front wave = {bytes[0], diagonals(scheduler), open.wanted, &open.free_inputs,
                  &open.free_outputs};
    found->inputs = 0;
    sweep_all(1, &wave, &into);
    found->first = found->inputs;
}

static void match_wide(const weft_scheduler *scheduler, void *state,
                       const weft_wide_requests *requests, weft_wide_match *found)
{
    uint16_t *diagonal = state;
    const weft_pairs into = {.wide = found};
    uint64_t inputs[WEFT_WIDE_WORDS], outputs[WEFT_WIDE_WORDS] = {0};
    memcpy(inputs, requests->asking, requests->words * sizeof *inputs);
    weft_set_fill(outputs, scheduler->outputs);
    front wave = {*diagonal, diagonals(scheduler), requests->wants, inputs, outputs};
    weft_set_clear(requests->words, found->inputs);
    sweep_all(requests->words, &wave, &into);
    *diagonal = (uint16_t)weft_past(*diagonal, diagonals(scheduler));
}

static void granted(const weft_scheduler *scheduler, void *state, uint32_t input, uint32_t vc,
                    uint32_t output, bool first)
{
    (void)output, (void)first;
    ((uint8_t *)state)[1 + input] = (uint8_t)weft_past(vc, scheduler->n_vcs);
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
           weft_all_below(bytes + 1, scheduler->inputs, scheduler->n_vcs);
}

const weft_scheduler_kind weft_scheduler_wavefront = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_scheduler_kind),
             .name = "wavefront",
             .brief = "diagonal by diagonal, from another one every time; a maximal match"},
    .several = true,
    .build = build,
    .reset = weft_vc_reset,
    .match = match,
    .granted = granted,
    .learn = learn,
    .sound = sound,
    .match_wide = match_wide,
};
