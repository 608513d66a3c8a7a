/* SPDX-License-Identifier: Apache-2.0 */
/* What a simulation measured → the rows of one point, each with unit, interval and method. */
#ifndef WEFT_STUDY_OUTCOME_H
#define WEFT_STUDY_OUTCOME_H

#include "interweft/result.h"
#include "sim/simulation.h"

/* Fills *point; its memory is the arena's. */
void weft_outcome_build(weft_point *point, const weft_network *network,
                        const weft_simulation *simulation, weft_ending ending, weft_arena *arena);
/* Is more offered than the network can carry whole, whatever a run shows? */
bool weft_outcome_overloaded(const weft_network *network);
/* Did the point saturate? */
bool weft_outcome_saturated(const weft_network *network, const weft_simulation *simulation,
                            weft_ending ending);

#endif
