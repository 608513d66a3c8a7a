/* SPDX-License-Identifier: Apache-2.0 */
/* The bare pointers of the separable scheduler with two round robins, over VCs: a byte per input,
 * then one per output. Routers that are compiled for them match as the scheduler does. */
#ifndef WEFT_SCHED_POINTERS_H
#define WEFT_SCHED_POINTERS_H

#include "interweft/scheduler.h"
#include "sched/round_robin.h"

/* Is a scheduler that was built of this kind? */
bool weft_pointers_are_bare(const weft_scheduler *scheduler);

/* Does an output take an input rather than one with a lower number? Its round robin takes the
 * first, unless that lies before the pointer and a later one does not. */
static inline bool weft_pointers_overtakes(const uint8_t *pointers, uint32_t inputs,
                                           uint32_t output, uint32_t before, uint32_t input)
{
    return before < pointers[inputs + output] && input >= pointers[inputs + output];
}

static inline void weft_pointers_granted(uint8_t *pointers, uint32_t inputs, uint32_t n_vcs,
                                         uint32_t input, uint32_t vc, uint32_t output)
{
    pointers[input] = (uint8_t)weft_past(vc, n_vcs);
    pointers[inputs + output] = (uint8_t)weft_past(input, inputs);
}

#endif
