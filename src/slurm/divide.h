/* SPDX-License-Identifier: Apache-2.0 */
/* Points divided into the tasks of an array job, by their estimates: every task has about as much
 * work, and enough to be worth its start. */
#ifndef WEFT_SLURM_DIVIDE_H
#define WEFT_SLURM_DIVIDE_H

#include <stddef.h>
#include <stdint.h>

#define WEFT_SLURM_TASKS_MOST 1000 /* Slurm's MaxArraySize is 1001 unless a site has changed it */

typedef struct weft_slurm_item {
    size_t point;   /* its number, from 1 */
    double seconds; /* estimated */
    int64_t bytes;
} weft_slurm_item;

typedef struct weft_slurm_task {
    char *points; /* "1,4,7-9" */
    size_t n_points;
    double seconds; /* of all of them, one after the other */
} weft_slurm_task;

typedef struct weft_slurm_plan {
    size_t n_tasks;
    weft_slurm_task *tasks;
    double longest; /* seconds of the longest task … */
    int64_t bytes;  /* … and of memory, of the largest point */
} weft_slurm_plan;

/* wanted: tasks; 0: as many as have a minute of work each. Points must be given in order. */
void weft_slurm_divide(const weft_slurm_item *items, size_t n_items, size_t wanted,
                       weft_slurm_plan *plan);
void weft_slurm_plan_done(weft_slurm_plan *plan);

#endif
