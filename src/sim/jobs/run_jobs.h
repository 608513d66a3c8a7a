/* SPDX-License-Identifier: Apache-2.0 */
/* Jobs at sync points: whether they have ended, cannot end, and when their ranks did. */
#ifndef WEFT_SIM_RUN_JOBS_H
#define WEFT_SIM_RUN_JOBS_H

#include "sim/run.h"

/* Of the jobs of this process that are not in the background. */
typedef struct weft_jobs_votes {
    int64_t ranks;     /* that have not ended */
    int64_t active;    /* blocks that have something to do without messages */
    int64_t under_way; /* beside jobs in the background: messages, summed over processes */
} weft_jobs_votes;
weft_jobs_votes weft_run_jobs_vote(const weft_instance *instance);
/* Sets up simulation->began. */
void weft_run_jobs_init(weft_simulation *simulation);
/* Begins the jobs that have waited for others which have ended, at this sync point; all processes
 * together. True if one began. */
bool weft_run_jobs_begin(weft_simulation *simulation);
/* True if no message of a job that is not in the background waits or is in the network; under_way:
 * the sum of the votes. */
bool weft_run_jobs_silent(const weft_simulation *simulation, int64_t under_way);
/* Jobs end the run when all ranks have ended (WEFT_CONVERGED), or a limit is reached. */
weft_stop_reason weft_run_jobs_verdict(const weft_simulation *simulation, int64_t ranks);
/* Describes who waits for whom; all processes together. */
weft_status weft_run_jobs_stuck(const weft_simulation *simulation, weft_error *err);
/* Brings simulation->steps up to date on the first process; all processes together. */
void weft_run_jobs_steps(weft_simulation *simulation);
/* Writes ->flows, and reads them back as ->flows_before. */
void weft_run_jobs_save(const weft_simulation *simulation, weft_pack *pack);
void weft_run_jobs_load(weft_simulation *simulation, weft_unpack *from);
/* Sums up simulation->flows; all processes together. */
void weft_run_jobs_flows(weft_simulation *simulation);
/* Fills simulation->finish, ->repetition, ->cpu_spent, ->steps and ->flows; all processes
 * together. */
void weft_run_jobs_finish(weft_simulation *simulation);

#endif
