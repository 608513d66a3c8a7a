/* SPDX-License-Identifier: Apache-2.0 */
/* The schedule of a job: its phases, or the collective it is. */
#ifndef WEFT_NET_JOB_SCHEDULE_H
#define WEFT_NET_JOB_SCHEDULE_H

#include "net/jobs/jobs.h"

/* Fills in job->schedule and what there is of a program: ranks, which are given, and one CPU. A job
 * in the background is repeated as often as can be. calc: ticks of a unit; most:
 * numbers of messages that a rank may have. */
WEFT_MUST_USE weft_status weft_job_schedule_build(weft_job *job, const weft_job_settings *settings,
                                                  uint32_t ranks, uint64_t calc,
                                                  const weft_timing *timing, uint64_t seed,
                                                  uint32_t most, weft_arena *arena,
                                                  weft_error *err);

/* Exact where there are few steps, else from a sample of ranks and steps. */
weft_job_sums weft_job_schedule_sums(const weft_job_set *set, const weft_job *job);

#endif
