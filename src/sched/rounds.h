/* SPDX-License-Identifier: Apache-2.0 */
/* Rounds of offers and acceptances in which a refused offer may move a pointer: RRM and FIRM, and,
 * with random draws instead of pointers, PIM.
 *
 * A refused offer moves the pointer of its output within the tick, so the next iteration already
 * uses the new pointer. A match therefore contains the final pointers, and `learn` stores them. The
 * state is that of iSLIP: an output's pointer over inputs, an input's over outputs, an input's over
 * VCs. */
#ifndef WEFT_SCHED_ROUNDS_H
#define WEFT_SCHED_ROUNDS_H

#include "interweft/scheduler.h"

typedef struct weft_rounds {
    int64_t iterations;
    int later; /* pointers that move after the first iteration too, bits: 1 offers, 2 accepts */
} weft_rounds; /* settings of the kinds */

/* {neither, offers, accepts, both}, NULL-terminated: choices of `later`. */
extern const char *const weft_rounds_later[];
#define WEFT_ITERATIONS_MAX 16

/* Lays out the state; in a wide crossbar that of wide_rounds.h. */
void weft_rounds_build(weft_scheduler *scheduler);
/* The same for a scheduler whose settings are a weft_rounds. After a refusal pointers go past the
 * refusing input (WEFT_LOSS_PASSES), to it (WEFT_LOSS_STAYS) or nowhere (WEFT_LOSS_KEEPS). */
void weft_rounds_build_offers(weft_scheduler *scheduler, weft_pointer_loss loss);
void weft_rounds_reset(const weft_scheduler *scheduler, void *state);
void weft_rounds_match(const weft_scheduler *scheduler, const void *state,
                       const weft_requests *requests, weft_match *match);
void weft_rounds_draw(const weft_scheduler *scheduler, const void *state,
                      const weft_requests *requests, weft_match *match);
void weft_rounds_granted(const weft_scheduler *scheduler, void *state, uint32_t input, uint32_t vc,
                         uint32_t output, bool first);
/* Moves only the VC pointer. */
void weft_rounds_granted_vc(const weft_scheduler *scheduler, void *state, uint32_t input,
                            uint32_t vc);
void weft_rounds_learn(const weft_scheduler *scheduler, void *state, const weft_match *match);
bool weft_rounds_sound(const weft_scheduler *scheduler, const void *state);

/* Pointers in a state of weft_rounds_build. */
const uint8_t *weft_rounds_offers(const weft_scheduler *scheduler, const void *state);
const uint8_t *weft_rounds_accepts(const weft_scheduler *scheduler, const void *state);
uint32_t weft_rounds_vc(const weft_scheduler *scheduler, const void *state, uint32_t input);

#endif
