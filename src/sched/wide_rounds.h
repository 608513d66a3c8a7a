/* SPDX-License-Identifier: Apache-2.0 */
/* The wide form of all schedulers that match in rounds: by pointers, according to the scheduler's
 * weft_pointer_rule, or at random. Their state is an output's pointer over inputs, then an input's
 * over outputs, 16 bits each. */
#ifndef WEFT_SCHED_WIDE_ROUNDS_H
#define WEFT_SCHED_WIDE_ROUNDS_H

#include "interweft/scheduler.h"

/* Bytes of that state. */
static inline size_t weft_wide_rounds_bytes(const weft_scheduler *scheduler)
{
    return sizeof(uint16_t) * ((size_t)scheduler->outputs + scheduler->inputs);
}

size_t weft_wide_rounds_room(const weft_scheduler *scheduler);
/* match_wide of kinds with a rule. */
void weft_wide_rounds_match(const weft_scheduler *scheduler, void *state,
                            const weft_wide_requests *requests, weft_wide_match *match);
/* The same at random, for a kind whose settings are a weft_rounds. */
void weft_wide_rounds_draw(const weft_scheduler *scheduler, void *state,
                           const weft_wide_requests *requests, weft_wide_match *match);

#endif
