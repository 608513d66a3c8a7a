/* SPDX-License-Identifier: Apache-2.0 */
/* The jobs of a scenario: programs whose ranks are placed on endpoints, at most one on each. Const
 * once built. All of their messages are one traffic class; message `number` of an endpoint is a
 * pure function of the program (program/ranks.h). */
#ifndef WEFT_NET_JOBS_H
#define WEFT_NET_JOBS_H

#include "base/time.h"
#include "config/scenario.h"
#include "interweft/workload.h"
#include "net/timing.h"
#include "program/ranks.h"
#include "program/march/phased.h"

/* Classes of messages by size: below 10 kB, 100 kB, 1 MB, and all others. */
#define WEFT_SIZE_CLASSES 4
static inline uint32_t weft_job_size_class(uint64_t bytes)
{
    return bytes < 10000 ? 0 : bytes < 100000 ? 1 : bytes < 1000000 ? 2 : 3;
}

#define WEFT_JOBS_CLASS    "jobs" /* name of their traffic class */
/* Flits of a message, at most: packets and parts of it are counted in 32 bits. */
#define WEFT_JOB_FLITS_MAX (1u << 30)

typedef struct weft_job_sums { /* of one repetition, over all ranks */
    double messages, flits;    /* messages: requests and answers are some, of one flit */
    double busiest;            /* ticks of the rank that sends and computes most */
    uint64_t most_bytes;       /* of a message; not less than the longest one */
    uint32_t size_classes;     /* a bit for each that messages have; of a sample maybe more */
} weft_job_sums;

typedef struct weft_job {
    const char *name;
    weft_program program;       /* of a job with a schedule: n_ranks alone */
    struct weft_job_file *file; /* whose the program is; NULL: there is none */
    weft_job_sums sums;         /* of a program that is divided */
    weft_phased schedule;       /* n_phases 0: the program is stored */
    uint32_t repeats;
    weft_time start;          /* ticks from the beginning of the run, or from the end … */
    uint32_t after;           /* … of this job; WEFT_NOWHERE: it waits for none */
    bool background;          /* repeats until the others have ended */
    bool silent;              /* never begins */
    double bus_factor;        /* of its collective, as in weft_program_bus_factor; 0: none */
    uint64_t bytes;           /* of its collective */
    uint32_t size_classes;    /* a bit for each that its messages have */
    uint32_t first;           /* its rank 0 among the ranks of all jobs */
    const uint32_t *endpoint; /* per rank */
} weft_job;

typedef struct weft_job_set {
    uint32_t n_jobs, n_ranks;
    weft_job *jobs;
    uint32_t *rank_at;     /* per endpoint: rank among those of all jobs, or WEFT_NOWHERE */
    weft_host_costs costs; /* ticks; per_byte: of a flit */
    uint64_t flit;         /* bytes */
    uint64_t calc;         /* ticks of a unit */
    double messages;       /* of all, and … */
    double mean_flits;     /* … their mean length */
    uint32_t most_flits;
    double longest; /* ticks of the rank that has most to do, without waiting */
    double load;    /* of the endpoints, estimated: if all ranks were always sending or computing */
} weft_job_set;

/* The job of a rank among those of all jobs. */
static inline uint32_t weft_job_set_of(const weft_job_set *set, uint32_t rank)
{
    uint32_t low = 0, high = set->n_jobs;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (set->jobs[middle].first <= rank)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* True if a job begins when another one has ended. */
static inline bool weft_job_set_waits(const weft_job_set *set)
{
    for (uint32_t j = 0; j < set->n_jobs; j++)
        if (set->jobs[j].after != WEFT_NOWHERE)
            return true;
    return false;
}

static inline bool weft_job_set_has_background(const weft_job_set *set)
{
    for (uint32_t j = 0; j < set->n_jobs; j++)
        if (set->jobs[j].background)
            return true;
    return false;
}

/* Reads or generates the programs and places them. *set: NULL without jobs. */
WEFT_MUST_USE weft_status weft_job_set_build(const weft_scenario *scenario,
                                             const weft_topology *topology,
                                             const weft_timing *timing, uint64_t seed,
                                             weft_arena *arena, const weft_job_set **set,
                                             weft_error *err);
/* Fills in what its messages come to (jobs_measure.c). */
void weft_job_set_measure(weft_job_set *set, uint32_t endpoints);
/* Adds the operations of a rank, in order. */
void weft_job_sums_add(const weft_job_set *set, const weft_operation *operations, uint32_t count,
                       weft_job_sums *sums);
/* True if a program is divided between processes. */
bool weft_job_set_divided(const weft_job_set *set);
void weft_job_set_done(const weft_job_set *set);
/* The class of all messages of jobs, with which estimates count: lengths and load as of the
 * programs, destinations spread evenly. */
weft_class_settings weft_job_set_class(const weft_job_set *set, const weft_host_settings *host);

extern const weft_workload_kind weft_workload_program;

#endif
