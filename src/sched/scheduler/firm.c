/* SPDX-License-Identifier: Apache-2.0 */
/* FCFS in round robin matching: as iSLIP, but the pointer of an output whose offer was refused
 * stays at that input, which is then offered the output first: closer to first come, first
 * served. D. N. Serpanos, P. I. Antoniadis, FIRM: a class of distributed scheduling algorithms
 * for high-speed ATM switches with multiple input queues, INFOCOM 2000. */
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
    weft_rounds_build_offers(scheduler, WEFT_LOSS_STAYS);
    return WEFT_OK;
}

const weft_scheduler_kind weft_scheduler_firm = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_scheduler_kind),
             .name = "firm",
             .brief = "as iSLIP, but an offer that is refused is repeated in the next tick",
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
