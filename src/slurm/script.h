/* SPDX-License-Identifier: Apache-2.0 */
/* The job script of an array of tasks. It stands in the folder of the job, <results>.slurm, beside
 *
 *     points        line N + 1: the points of task N
 *     job           what was submitted (slurm/record.h)
 *     N.weft        the part of the results that task N has written, N.weft.progress how far it is
 *     N.weft.stopped there: it ended because it was asked to
 *     N.state       running, waiting, done, stopped or failed STATUS, as its script says
 *     N.log         what it printed
 *     cancelled     there: nothing is requeued any more
 */
#ifndef WEFT_SLURM_SCRIPT_H
#define WEFT_SLURM_SCRIPT_H

#include <stddef.h>
#include <stdint.h>

typedef struct weft_slurm_script {
    const char *name;         /* of the job; odd characters become - */
    const char *folder;       /* of the job */
    const char *const *words; /* the command of every task but for its points; NULL-terminated */
    size_t n_tasks;
    uint32_t ranks;   /* processes of a task; several are started by srun … */
    const char *mpi;  /* … with this --mpi */
    uint32_t threads; /* of a process */
    int64_t bytes;    /* memory of a process */
    double limit_s;   /* time limit */
} weft_slurm_script;

/* The text of the script; the caller frees it. Every name in it is quoted for the shell. */
char *weft_slurm_script_write(const weft_slurm_script *script);

#endif
