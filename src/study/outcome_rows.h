/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of one point as they grow, for the files that fill them (outcome*.c). */
#ifndef WEFT_STUDY_OUTCOME_ROWS_H
#define WEFT_STUDY_OUTCOME_ROWS_H

#include "study/outcome.h"

typedef struct weft_rows { /* of one point, as they grow */
    weft_arena *arena;
    const weft_network *network;
    const weft_simulation *simulation;
    const weft_series *series;
    uint32_t from; /* first cell after the warm-up */
    bool saturated;
    bool settled;         /* the warm-up is over */
    const double *alone;  /* ticks of every job by itself; NULL: not known */
    const char *counted;  /* "packets", or "messages" where these are cut into several */
    weft_metric *metrics; /* capacity is known beforehand */
    size_t n_metrics;
} weft_rows;

void weft_rows_add(weft_rows *rows, weft_metric metric);
void weft_rows_value(weft_rows *rows, const char *name, const char *of, double value,
                     const char *unit, const char *method);
/* Adds a scaled estimate. A quantity that grows without bound has no interval once saturated. */
void weft_rows_estimate(weft_rows *rows, weft_metric metric, weft_estimate estimate, double scale,
                        bool grows);
/* Of two columns after the warm-up, and the sum of one. */
weft_estimate weft_rows_ratio(const weft_rows *rows, uint32_t num, uint32_t den);
int64_t weft_rows_sum(const weft_rows *rows, uint32_t column);
/* Any function of the sums of columns after the warm-up. */
weft_estimate weft_rows_statistic(const weft_rows *rows, const uint32_t *columns,
                                  uint32_t n_columns, weft_statistic statistic, const void *user);

/* outcome_history.c: what packets of a group did after what they had done; of = its name, start
 * = its first column. */
void weft_rows_history(weft_rows *rows, uint32_t start, const char *of);
/* Its packets by hops (lines) and cut-throughs (columns); only with history. */
weft_array weft_rows_cuts(const weft_rows *rows, uint32_t group);

#define WEFT_JOB_ROWS 48 /* of a job, at most */
/* jobs/job_rows.c: when jobs and their ranks have ended; fills an array for every job and returns
 * how many. */
size_t weft_rows_jobs(weft_rows *rows, weft_ending ending, weft_array *arrays);

/* jobs/job_steps.c: the times of a job's repetitions, and their ends in *array; returns how many
 * arrays. Then what its CPUs did of `ticks`. */
size_t weft_rows_steps(weft_rows *rows, uint32_t job, weft_array *array);
void weft_rows_shares(weft_rows *rows, uint32_t job, double ticks);
/* jobs/flow_rows.c: times of its messages by size. */
void weft_rows_flows(weft_rows *rows, uint32_t job);
/* Which jobs have not ended, and how far they are; "": all have. */
const char *weft_rows_jobs_left(const weft_rows *rows);

/* outcome_rates.c: the rates of flows that are followed, over ticks of this unit; fills at most two
 * arrays for each and returns how many. */
size_t weft_rows_rates(const weft_rows *rows, const char *unit, weft_array *arrays);

/* outcome_timeline.c: what ranks did over time and the critical path of each job, with
 * measure.timeline; ticks: their unit. Fills up to WEFT_TIMELINE_ARRAYS arrays for every job, adds
 * up to WEFT_TIMELINE_METRICS metrics, and returns how many arrays. */
enum {
    WEFT_TIMELINE_ARRAYS = 5,
    WEFT_PATH_LINKS = 16,
    WEFT_TIMELINE_METRICS = 6 + WEFT_PATH_LINKS
};
size_t weft_rows_timeline(weft_rows *rows, weft_ending ending, const char *ticks,
                          weft_array *arrays);

/* outcome_links.c: loads of the busiest links over time, with measure.link-series; points: rows of
 * point->links in order of index. False: there are none. */
bool weft_rows_link_bins(weft_rows *rows, const weft_point *point, const char *ticks,
                         weft_array *array);

/* outcome_devices.c: the fairness among the sources of a group, and the counts of every port. */
void weft_rows_fairness(weft_rows *rows, uint32_t group);
void weft_rows_devices(weft_rows *rows, weft_point *point);

#endif
