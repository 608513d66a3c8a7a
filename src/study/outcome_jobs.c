/* SPDX-License-Identifier: Apache-2.0 */
/* When jobs have ended, from their start on, and every rank by itself. */
#include "study/outcome_rows.h"

#include <math.h>

typedef struct ends { /* ticks from the start of the job */
    double least, mean, most;
} ends;

static ends look_at(const weft_job *job, const int64_t *finish)
{
    uint32_t ranks = job->program.n_ranks;
    int64_t least = INT64_MAX, most = 0, sum = 0;
    for (uint32_t r = 0; r < ranks; r++) {
        int64_t took =
            finish[job->first + r] > job->start ? finish[job->first + r] - job->start : 0;
        least = took < least ? took : least;
        most = took > most ? took : most;
        sum += took;
    }
    return (ends){(double)least, (double)sum / ranks, (double)most};
}

/* job: NULL for all of them. */
static void add_completion(weft_rows *rows, const weft_job *job, const char *by, double ticks)
{
    const weft_timing *timing = &rows->network->timing;
    weft_rows_add(rows,
                  (weft_metric){.name = "completion",
                                .of = job ? job->name : "",
                                .by = by,
                                .value = weft_timing_value(timing, ticks),
                                .lo = NAN,
                                .hi = NAN,
                                .n = job ? job->program.n_ranks : rows->network->jobs->n_ranks,
                                .unit = weft_timing_unit(timing),
                                .method = "exact"});
}

/* x: ranks, y: their ends in ticks. */
static weft_array rank_ends(const weft_rows *rows, const weft_job *job, const int64_t *finish)
{
    uint32_t ranks = job->program.n_ranks;
    int64_t *x = WEFT_TAKE(rows->arena, int64_t, ranks),
            *y = WEFT_TAKE(rows->arena, int64_t, ranks);
    for (uint32_t r = 0; r < ranks; r++) {
        x[r] = r;
        y[r] = finish[job->first + r];
    }
    return (weft_array){.table = "series",
                        .name = "rank end",
                        .of = job->name,
                        .unit = "rank",
                        .count = ranks,
                        .x = x,
                        .y = y};
}

size_t weft_rows_jobs(weft_rows *rows, weft_ending ending, weft_array *arrays)
{
    const weft_job_set *jobs = rows->network->jobs;
    const int64_t *finish = weft_simulation_finish(rows->simulation);
    if (!jobs || ending != WEFT_END_COMPLETED)
        return 0;
    int64_t last = 0;
    for (uint32_t r = 0; r < jobs->n_ranks; r++)
        last = finish[r] > last ? finish[r] : last;
    add_completion(rows, NULL, "", (double)last);
    for (uint32_t j = 0; j < jobs->n_jobs; j++) {
        ends took = look_at(&jobs->jobs[j], finish);
        add_completion(rows, &jobs->jobs[j], "", took.most);
        add_completion(rows, &jobs->jobs[j], "mean", took.mean);
        add_completion(rows, &jobs->jobs[j], "min", took.least);
        arrays[j] = rank_ends(rows, &jobs->jobs[j], finish);
    }
    return jobs->n_jobs;
}
