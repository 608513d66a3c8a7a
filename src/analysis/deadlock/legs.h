/* SPDX-License-Identifier: Apache-2.0 */
/* Paths in phases (internal to analysis/deadlock). Phases have VCs of their own and a fixed order,
 * so a cycle would have to close within one phase. There a packet behaves as on any minimal route,
 * whatever its source and destination before and after. Pairs of routers have to be examined
 * instead of triples. */
#ifndef WEFT_ANALYSIS_DEADLOCK_LEGS_H
#define WEFT_ANALYSIS_DEADLOCK_LEGS_H

#include "analysis/deadlock/deadlock.h"

typedef struct weft_cdg_legs {
    weft_deadlock_question question; /* a class for every phase, and the classes without phases */
    weft_routing routing[WEFT_CLASSES_MAX];
} weft_cdg_legs;

/* Splits the routings of a question into phases; false if it has no phases, or if they are not
 * separate. The question is borrowed. */
bool weft_cdg_legs_init(weft_cdg_legs *legs, const weft_deadlock_question *question);

/* The phase that a routing of such a question stands for; NULL: none. */
const weft_phase *weft_cdg_leg_of(const weft_routing *routing);
/* Finds the phase of a VC: *leg, NULL if it belongs to none. Returns the number of phases after
 * it. */
uint32_t weft_cdg_legs_behind(const weft_deadlock_question *question, uint32_t vc,
                              const weft_phase **leg);

#endif
