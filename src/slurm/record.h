/* SPDX-License-Identifier: Apache-2.0 */
/* The folder of a job, <results>.slurm, and the record in it of what was submitted. What is read
 * back is not trusted: numbers are numbers within bounds, or the record is refused. */
#ifndef WEFT_SLURM_RECORD_H
#define WEFT_SLURM_RECORD_H

#include "slurm/divide.h"
#include "interweft/status.h"

#include <stdbool.h>

#define WEFT_SLURM_JOB_CHARS 24

typedef struct weft_slurm_record {
    char job[WEFT_SLURM_JOB_CHARS]; /* digits */
    size_t n_tasks;
    struct weft_slurm_record_task {
        size_t n_points;
        double seconds;
    } * tasks;
} weft_slurm_record;

/* <results>.slurm; the caller frees it. */
char *weft_slurm_folder(const char *results);
/* <folder>/<name>, or <folder>/<task><name>; the caller frees them. */
char *weft_slurm_file(const char *folder, const char *name);
char *weft_slurm_task_file(const char *folder, size_t task, const char *name);

/* From here to the release nobody else takes the folder: to see what job is there, submit one,
 * collect it. A folder that is not there is made, one that is empty then is removed. */
WEFT_MUST_USE weft_status weft_slurm_folder_take(const char *folder, weft_error *err);
void weft_slurm_folder_release(const char *folder);
/* Makes the folder, empty but for the script and the points of the tasks. */
WEFT_MUST_USE weft_status weft_slurm_folder_make(const char *folder, const char *script,
                                                 const weft_slurm_plan *plan, weft_error *err);
/* Removes the folder and the files in it; what is none of them stays. */
void weft_slurm_folder_remove(const char *folder);

WEFT_MUST_USE weft_status weft_slurm_record_write(const char *folder, const char *job,
                                                  const weft_slurm_plan *plan, weft_error *err);
/* *there: a job was submitted. A script of which nobody knows whether it was is refused. */
WEFT_MUST_USE weft_status weft_slurm_record_read(const char *folder, weft_slurm_record *record,
                                                 bool *there, weft_error *err);
void weft_slurm_record_done(weft_slurm_record *record);
/* The number of a job, and nothing else? */
bool weft_slurm_is_job(const char *text);

#endif
