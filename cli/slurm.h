/* SPDX-License-Identifier: Apache-2.0 */
/* A study as a job of Slurm: submitted, followed, collected. */
#ifndef WEFT_CLI_SLURM_H
#define WEFT_CLI_SLURM_H

#include "slurm/queue.h"
#include "cli/command.h"

/* Options for a study that a command runs, with the flags checked: under Slurm nothing of this
 * machine is a limit. */
WEFT_MUST_USE weft_status weft_cluster_options(const weft_command *command,
                                               weft_study_options *options, weft_error *err);
/* Runs a study: here, after a job that has ended was collected (one that goes on is a refusal), or
 * with --slurm by jobs: follows the one that is there or submits one for the points that are
 * missing, and collects. *complete: all points are there; false after --no-wait. */
WEFT_MUST_USE weft_status weft_cluster_run(const weft_command *command, weft_study *study,
                                           weft_display *display, bool *complete, weft_error *err);
/* "3 pending (Resources), 2 running, 5 done; 21 of 40 points, about 12 min left" */
char *weft_cluster_describe(const weft_slurm_view *view);
/* Follows the job in a folder until it has left the queue, or somebody asks to stop. */
WEFT_MUST_USE weft_status weft_cluster_follow(const char *folder, weft_display *display,
                                              double most_s, weft_slurm_view *view,
                                              weft_error *err);

#endif
