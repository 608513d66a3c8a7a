/* SPDX-License-Identifier: Apache-2.0 */
/* The study's inside, shared by its verbs: run, check, saturate. */
#ifndef WEFT_STUDY_CONDUCTOR_H
#define WEFT_STUDY_CONDUCTOR_H

#include "config/scenario.h"
#include "farm/farm.h"
#include "farm/schedule.h"
#include "interweft/study.h"
#include "net/jobs/job_programs.h"
#include "net/network.h"
#include "sim/simulation.h"
#include "study/monitor.h"
#include "study/catalog.h"

#include <string.h>

struct weft_study {
    weft_study_options options;
    weft_arena arena;
    weft_plan *plan;
    const char *results;     /* the file that is written: a part, if one is */
    const char *checkpoints; /* the file beside which checkpoints are: the whole results' */
    bool *left_out;          /* points of the grid that were not chosen; NULL: all are */
    weft_result *kept;       /* results in memory, once it has run; NULL: none, or a file */
    weft_comm *comm;         /* NULL: this process alone */
    int64_t memory;          /* bytes this process may hold */
    uint32_t least_threads;  /* that any of the processes may have: they cut one network alike */
    /* points that this process runs at a time: they share its cores and its memory */
    uint32_t at_once;
    weft_monitor *monitor;
    weft_job_programs *programs; /* that were read */
};

struct weft_sharing; /* study/beside.h */

/* No results file and no checkpoints. */
static inline bool weft_study_in_memory(const weft_study *study)
{
    return strcmp(study->results, WEFT_IN_MEMORY) == 0;
}

/* Checks of what callers of the library say, such as numbers that no run can have.
 * Of blocks, jobs, threads, ranks, memory and the time between checkpoints. */
WEFT_MUST_USE weft_status weft_study_options_check(const weft_study_options *options,
                                                   weft_error *err);
/* Of what has no form as a text. */
WEFT_MUST_USE weft_status weft_study_options_file(const weft_study_options *options,
                                                  weft_error *err);
WEFT_MUST_USE weft_status weft_study_options_count(const char *name, int64_t value, int64_t least,
                                                   int64_t most, weft_error *err);
WEFT_MUST_USE weft_status weft_study_options_threads(int64_t threads, weft_error *err);
WEFT_MUST_USE weft_status weft_study_options_tolerance(double tolerance, weft_error *err);

/* Opens a study whose plan comes from `read`, which fills study->plan. */
WEFT_MUST_USE weft_status
weft_study_open_plan(const weft_study_options *options,
                     weft_status (*read)(weft_study *study, const void *user, weft_error *err),
                     const void *user, weft_study **study, weft_error *err);

/* A point bound and its network built, in one arena. */
typedef struct weft_study_point {
    weft_arena arena;
    weft_job_part part;
    weft_scenario scenario;
    weft_network network;
    bool built; /* the network is there */
} weft_study_point;

/* After a failure there is nothing to close. */
WEFT_MUST_USE weft_status weft_study_point_open(weft_study *study, size_t i,
                                                weft_study_point *point, weft_error *err);
/* The same for a run by a team alone (NULL: this process): of long programs it has no ranks but its
 * own. */
WEFT_MUST_USE weft_status weft_study_point_open_part(weft_study *study, size_t i,
                                                     const weft_comm *team, weft_study_point *point,
                                                     weft_error *err);
void weft_study_point_close(weft_study_point *point);

/* Fails unless point i is valid and fits (see weft_study_afford) `members` processes, or the
 * requested number of them. Its needs on one process: *item for the schedule, *cost in full. */
WEFT_MUST_USE weft_status weft_study_estimate(weft_study *study, size_t i, uint32_t members,
                                              weft_schedule_item *item, weft_cost *cost,
                                              weft_error *err);
/* Refuses a network that does not fit the memory of `ranks` processes; the message has the size. */
WEFT_MUST_USE weft_status weft_study_afford(const weft_study *study, const weft_network *network,
                                            uint32_t ranks, weft_error *err);
/* How and by whom a network is run. */
typedef struct weft_study_job {
    size_t point;
    weft_comm *team;              /* NULL: this process alone */
    struct weft_sharing *sharing; /* beside others; NULL: alone */
    double half_width;            /* 0: as in the scenario */
    const char *folder;           /* of its checkpoints; NULL: none */
    /* a search: the load that is tried, and the bracket so far; load 0: it is none */
    double load, stable, unstable;
} weft_study_job;

/* Runs a network to its end; on success the caller destroys *simulation. One that is told to stop
 * fails; so does what had only its part of the memory and wanted more, which says so in its
 * sharing. */
WEFT_MUST_USE weft_status weft_study_simulate(weft_study *study, const weft_study_job *job,
                                              const weft_network *network,
                                              weft_simulation **simulation, weft_ending *ending,
                                              weft_error *err);
/* The communicator for a point that nothing is farmed beside: all of it for a large network,
 * else NULL, and rank 0 works alone. */
weft_comm *weft_study_team(const weft_study *study, const weft_network *network);
/* Threads that each of so many processes uses for this network beside at_once − 1 other points:
 * those that pay, at most as many as are allowed or free; as many as were asked for if the blocks
 * were given too. */
uint32_t weft_study_threads(const weft_study *study, const weft_network *network, uint32_t ranks);

#endif
