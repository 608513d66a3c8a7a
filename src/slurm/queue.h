/* SPDX-License-Identifier: Apache-2.0 */
/* Jobs in Slurm's queue: submit one, see how it stands, cancel it. The state of a task is what the
 * queue says; of a task that has left it, what its script wrote last. No accounting database is
 * needed. */
#ifndef WEFT_SLURM_QUEUE_H
#define WEFT_SLURM_QUEUE_H

#include "slurm/record.h"

/* Submits the script in a folder; the record says it afterwards. options: further words for
 * sbatch, NULL-terminated. job: its number. *unsure, after a failure: a job may be in the queue all
 * the same, which needs the folder. */
WEFT_MUST_USE weft_status weft_slurm_submit(const char *folder, const char *const *options,
                                            const weft_slurm_plan *plan,
                                            char job[WEFT_SLURM_JOB_CHARS], bool *unsure,
                                            weft_error *err);

typedef enum weft_slurm_state {
    WEFT_SLURM_PENDING,
    WEFT_SLURM_RUNNING,
    WEFT_SLURM_DONE,
    WEFT_SLURM_STOPPED, /* with a checkpoint: cancelled */
    WEFT_SLURM_FAILED,
    WEFT_SLURM_STATES
} weft_slurm_state;

typedef struct weft_slurm_view {
    char job[WEFT_SLURM_JOB_CHARS];
    size_t n_tasks, count[WEFT_SLURM_STATES];
    size_t n_points, done; /* points of all tasks; those that are in parts */
    double left_s;         /* seconds, if as many tasks run at a time as now; < 0: unknown */
    char reason[64];       /* why a task is pending; "": none is, or unknown */
    size_t failed;         /* the first task that failed … */
    int ended;             /* … and its exit status; 0: it was killed */
    bool cancelled;        /* by weft cancel */
} weft_slurm_view;

static inline bool weft_slurm_is_active(const weft_slurm_view *view)
{
    return view->count[WEFT_SLURM_PENDING] + view->count[WEFT_SLURM_RUNNING] > 0;
}

/* *there: there is a job to look at. */
WEFT_MUST_USE weft_status weft_slurm_look(const char *folder, weft_slurm_view *view, bool *there,
                                          weft_error *err);

/* Asks the tasks of a job to stop with checkpoints, those that wait not to begin. */
WEFT_MUST_USE weft_status weft_slurm_stop(const char *folder, const char *job, weft_error *err);
/* Ends a job at once. */
WEFT_MUST_USE weft_status weft_slurm_kill(const char *job, weft_error *err);

#endif
