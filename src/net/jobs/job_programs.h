/* SPDX-License-Identifier: Apache-2.0 */
/* Programs of jobs that come from files. A file is read once for all points of a study as long as
 * they can use what was read: all of a program, or of one that is divided the same ranks. */
#ifndef WEFT_NET_JOB_PROGRAMS_H
#define WEFT_NET_JOB_PROGRAMS_H

#include "net/jobs/jobs.h"

#define WEFT_JOB_NUMBERS_MAX (1u << 27) /* messages of a rank: what a packet's name has room for */

/* The part of a process in a run. Endpoints belong to the process that has their router. */
typedef struct weft_job_part {
    uint32_t ranks, rank;     /* of processes: how many, and which */
    uint32_t threads, blocks; /* that the network is divided for; blocks 0: as many as suit it */
    /* own[endpoint]: it is here. */
    void (*find)(const struct weft_job_part *part, const weft_topology *topology, bool *own);
} weft_job_part;

typedef struct weft_job_programs weft_job_programs; /* for any thread */
weft_job_programs *weft_job_programs_create(void);
/* Another network is built from here on. Accepts NULL. */
void weft_job_programs_next(weft_job_programs *programs);
/* No job uses any of them. Accepts NULL. */
void weft_job_programs_destroy(weft_job_programs *programs);

typedef struct weft_job_reading {
    weft_job_programs *programs; /* NULL: nothing is kept for others */
    const char *path;
    const weft_job_set *set; /* its costs */
    const weft_topology *topology;
    const weft_job_part *part; /* NULL: all ranks are here */
    uint64_t most;             /* operations up to which a program is not divided */
    /* Gives the ranks of the job endpoints; called at most once, before or at the end. */
    weft_status (*place)(void *user, weft_job *job, weft_error *err);
    void *user;
} weft_job_reading;

/* Reads the program of a job, checks and places it. */
WEFT_MUST_USE weft_status weft_job_programs_read(const weft_job_reading *how, weft_job *job,
                                                 weft_error *err);
/* A job needs its program no more. */
void weft_job_programs_release(weft_job *job);

#endif
