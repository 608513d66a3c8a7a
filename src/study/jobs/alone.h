/* SPDX-License-Identifier: Apache-2.0 */
/* Every job by itself on the endpoints that it has in the mix. */
#ifndef WEFT_STUDY_ALONE_H
#define WEFT_STUDY_ALONE_H

#include "study/internal.h"

/* Runs each job of the network without the others and without traffic, if the scenario asks for it
 * (measure.alone). ticks: per job from its beginning to the end of its last rank; NaN: not known.
 * *ticks is NULL if nobody asked. All processes of the job's team together. */
WEFT_MUST_USE weft_status weft_alone_run(weft_study *study, const weft_study_job *job,
                                         const weft_network *network, weft_arena *arena,
                                         const double **ticks, weft_error *err);

#endif
