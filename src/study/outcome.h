/* SPDX-License-Identifier: Apache-2.0 */
/* Turns the measurements of a simulation into the rows of one point, each with unit, interval and
 * method. */
#ifndef WEFT_STUDY_OUTCOME_H
#define WEFT_STUDY_OUTCOME_H

#include "interweft/result.h"
#include "sim/simulation.h"

/* Fills *point; its memory is the arena's. alone: ticks of every job by itself; NULL: not known. */
void weft_outcome_build(weft_point *point, const weft_network *network,
                        const weft_simulation *simulation, weft_ending ending, const double *alone,
                        weft_arena *arena);
/* Ticks from the beginning of a job to the end of its last rank, of all of its steps. */
double weft_outcome_completion(const weft_job *job, int64_t began,
                               const weft_simulation *simulation);
/* True if the network cannot carry the whole offered load, whatever a run shows. */
bool weft_outcome_overloaded(const weft_network *network);
/* True if the point saturated. */
bool weft_outcome_saturated(const weft_network *network, const weft_simulation *simulation,
                            weft_ending ending);

#endif
