/* SPDX-License-Identifier: Apache-2.0 */
/* Parallel iterative matching: outputs offer, inputs accept, in iterations, both at random. The
 * draws are a pure function of (seed, tick, crossbar), so only the VCs of inputs have pointers.
 * T. E. Anderson, S. S. Owicki, J. B. Saxe, C. P. Thacker, High-speed switch scheduling for
 * local-area networks, ACM TOCS 11(4), 1993. */
#include "interweft/scheduler.h"
#include "sched/kinds.h"

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
    {.name = NULL},
};

static weft_status build(weft_scheduler *scheduler, weft_error *err)
{
    (void)err; /* the table has checked the range */
    weft_rounds_build(scheduler);
    scheduler->draws = true;
    return WEFT_OK;
}

static void granted(const weft_scheduler *scheduler, void *state, uint32_t input, uint32_t vc,
                    uint32_t output, bool first)
{
    (void)output, (void)first;
    weft_rounds_granted_vc(scheduler, state, input, vc);
}

const weft_scheduler_kind weft_scheduler_pim = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_scheduler_kind),
             .name = "pim",
             .brief = "outputs offer, inputs accept, in iterations, by lot",
             .params = params,
             .settings_size = sizeof(weft_rounds)},
    .several = true,
    .build = build,
    .reset = weft_rounds_reset,
    .match = weft_rounds_draw,
    .granted = granted,
    .sound = weft_rounds_sound,
    .match_wide = weft_wide_rounds_draw,
    .room = weft_wide_rounds_room,
};
