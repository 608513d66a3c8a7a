/* SPDX-License-Identifier: Apache-2.0 */
/* State of schedulers with VC pointers only: a byte per input; no state in a wide crossbar, which
 * has one VC. */
#ifndef WEFT_SCHED_VC_STATE_H
#define WEFT_SCHED_VC_STATE_H

#include "sched/field.h"

#include <string.h>

static inline size_t weft_vc_bytes(const weft_scheduler *scheduler)
{
    return scheduler->wide ? 0 : scheduler->inputs;
}

static inline void weft_vc_reset(const weft_scheduler *scheduler, void *state)
{
    memset(state, 0, scheduler->bytes);
}

static inline void weft_vc_granted(const weft_scheduler *scheduler, void *state, uint32_t input,
                                   uint32_t vc, uint32_t output, bool first)
{
    (void)output, (void)first;
    assert(input < scheduler->inputs && output < scheduler->outputs);
    ((uint8_t *)state)[input] = (uint8_t)weft_past(vc, scheduler->n_vcs);
}

static inline bool weft_vc_sound(const weft_scheduler *scheduler, const void *state)
{
    return weft_all_below(state, scheduler->inputs, scheduler->n_vcs);
}

/* The output of a rule shared by both forms: the match of one of them. */
typedef struct weft_pairs {
    weft_match *match; /* with VCs; NULL: into wide */
    const weft_scheduler *scheduler;
    const uint8_t *vcs; /* VC pointers */
    const weft_requests *requests;
    weft_wide_match *wide;
} weft_pairs;

WEFT_RULE void weft_pair(const weft_pairs *into, uint32_t x, uint32_t y)
{
    if (!into->match) {
        into->wide->output[x] = (uint16_t)y;
        weft_set_add(WEFT_WIDE_WORDS, into->wide->inputs, x);
        return;
    }
    weft_match *match = into->match;
    match->output[x] = (uint8_t)y;
    match->vc[x] = (uint8_t)weft_field_vc(into->scheduler, into->vcs[x], into->requests, x, y);
    match->inputs |= weft_bit(x);
}

#endif
