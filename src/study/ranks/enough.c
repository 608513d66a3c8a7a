/* SPDX-License-Identifier: Apache-2.0 */
#include "study/ranks/enough.h"

#include "base/memory.h"
#include "study/portion/portion.h"

#include <stdlib.h>

/* Jobs of Slurm may have run all of them: --ranks was theirs. */
static bool all_done(weft_study *study)
{
    size_t points = weft_plan_points(study->plan);
    weft_point_survey *survey = weft_alloc((points + 1) * sizeof *survey);
    weft_error ignored;
    bool done = weft_study_survey(study, survey, &ignored) == WEFT_OK;
    for (size_t i = 0; i < points && done; i++)
        done = survey[i].state == WEFT_POINT_DONE || weft_portion_leaves_out(study, i);
    free(survey);
    return done;
}

weft_status weft_enough_ranks(weft_study *study, weft_error *err)
{
    long long wanted = (long long)study->options.ranks;
    uint32_t there = weft_comm_size(study->comm);
    if (wanted <= there || (there == 1 && all_done(study)))
        return WEFT_OK;
    if (there > 1)
        return weft_fail(err, WEFT_BAD_USAGE, "--ranks %lld: there are %u processes", wanted,
                         there);
    return weft_fail(err, WEFT_BAD_USAGE,
                     "--ranks %lld: there is one process; `mpirun -n %lld weft …` starts several",
                     wanted, wanted);
}
