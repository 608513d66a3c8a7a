/* SPDX-License-Identifier: Apache-2.0 */
/* Round robin matching: outputs offer, inputs accept, and the pointer of an output moves past the
 * input that got its offer, accepted or not: so pointers of outputs synchronise, and outputs block
 * each other. The ancestor of iSLIP, kept for comparison.
 * N. McKeown, The iSLIP scheduling algorithm for input-queued switches, IEEE/ACM ToN 7(2), 1999. */
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
    {.name = "later",
     .brief = "pointers that move after the first iteration too: those outputs offer by, those "
              "inputs accept by, both",
     .type = WEFT_PARAM_CHOICE,
     .offset = offsetof(weft_rounds, later),
     .fallback = "both",
     .choices = weft_rounds_later},
    {.name = NULL},
};

static weft_status build(weft_scheduler *scheduler, weft_error *err)
{
    (void)err; /* the table has checked the ranges */
    weft_rounds_build_offers(scheduler, WEFT_LOSS_PASSES);
    return WEFT_OK;
}

const weft_scheduler_kind weft_scheduler_rrm = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_scheduler_kind),
             .name = "rrm",
             .brief = "as iSLIP, but an offer that is refused moves the pointer too",
             .params = params,
             .settings_size = sizeof(weft_rounds)},
    .several = true,
    .build = build,
    .reset = weft_rounds_reset,
    .match = weft_rounds_match,
    .granted = weft_rounds_granted,
    .learn = weft_rounds_learn,
    .sound = weft_rounds_sound,
    .match_wide = weft_wide_rounds_match,
    .room = weft_wide_rounds_room,
};
