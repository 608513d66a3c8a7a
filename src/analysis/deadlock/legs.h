/* SPDX-License-Identifier: Apache-2.0 */
/* Packets that go in legs (inside of net/deadlock). A leg has VCs of its own and comes before
 * the next one, so a circle would have to close within one leg. There a packet is like any other
 * that takes minimal ways: it does not matter where it comes from and goes to before and after.
 * Pairs of routers are to be looked at instead of triples. */
#ifndef WEFT_ANALYSIS_DEADLOCK_LEGS_H
#define WEFT_ANALYSIS_DEADLOCK_LEGS_H

#include "analysis/deadlock/deadlock.h"

typedef struct weft_cdg_legs {
    weft_deadlock_question question; /* a flow for every leg, and those without */
    weft_routing routing[WEFT_CLASSES_MAX];
} weft_cdg_legs;

/* Takes routings of a question to pieces; false: nothing goes in legs there, or they are not
 * apart. The question is borrowed. */
bool weft_cdg_legs_init(weft_cdg_legs *legs, const weft_deadlock_question *question);

/* The leg that a routing of such a question is; NULL: it is none. */
const weft_phase *weft_cdg_leg_of(const weft_routing *routing);
/* How a VC is used: *leg that it belongs to, NULL: it is of no leg. Returns how many legs come
 * behind it. */
uint32_t weft_cdg_legs_behind(const weft_deadlock_question *question, uint32_t vc,
                              const weft_phase **leg);

#endif
