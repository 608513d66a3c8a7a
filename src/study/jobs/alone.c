/* SPDX-License-Identifier: Apache-2.0 */
/* These runs leave no checkpoints: a point that is stopped here begins with them again. */
#include "study/jobs/alone.h"

#include "study/outcome.h"

#include <math.h>

static weft_status run_one(weft_study *study, const weft_study_job *how,
                           const weft_network *network, uint32_t number, weft_arena *arena,
                           double *ticks, weft_error *err)
{
    weft_study_job job = *how;
    weft_simulation *simulation;
    weft_ending ending;
    const weft_network *alone = weft_network_alone(network, number, arena);
    job.folder = NULL;
    WEFT_TRY(weft_study_simulate(study, &job, alone, &simulation, &ending, err));
    if (ending == WEFT_END_COMPLETED)
        *ticks = weft_outcome_completion(&alone->jobs->jobs[number],
                                         weft_simulation_began(simulation)[number], simulation);
    weft_simulation_destroy(simulation);
    return WEFT_OK;
}

weft_status weft_alone_run(weft_study *study, const weft_study_job *job,
                           const weft_network *network, weft_arena *arena, const double **ticks,
                           weft_error *err)
{
    const weft_job_set *jobs = network->jobs;
    *ticks = NULL;
    if (!jobs || !network->scenario->measure.alone)
        return WEFT_OK;
    double *found = WEFT_TAKE(arena, double, jobs->n_jobs);
    for (uint32_t j = 0; j < jobs->n_jobs; j++) {
        found[j] = NAN;
        if (!jobs->jobs[j].background)
            WEFT_TRY(run_one(study, job, network, j, arena, &found[j], err));
    }
    *ticks = found;
    return WEFT_OK;
}
