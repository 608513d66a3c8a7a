/* SPDX-License-Identifier: Apache-2.0 */
/* The repetitions of a job one by one, and where the time of its ranks goes. */
#include "base/numeric.h"
#include "study/outcome_rows.h"

#include <math.h>

/* Where the steps of a job begin in those of all jobs. */
static const int64_t *steps_of(const weft_rows *rows, uint32_t number)
{
    const weft_job *jobs = rows->network->jobs->jobs;
    const int64_t *steps = weft_simulation_steps(rows->simulation);
    for (uint32_t j = 0; j < number; j++)
        steps += weft_ranks_steps(jobs[j].repeats);
    return steps;
}

typedef struct spread { /* of the ticks of a repetition */
    double mean, deviation, least, most;
} spread;

static spread look_at(const int64_t *ends, uint32_t count, int64_t began, uint32_t stride)
{
    spread found = {.least = HUGE_VAL};
    double squares = 0;
    for (uint32_t i = 0; i < count; i++) {
        double took = (double)(ends[i] - (i ? ends[i - 1] : began)) / stride;
        double off = took - found.mean;
        found.mean += off / (i + 1);
        squares += off * (took - found.mean);
        found.least = took < found.least ? took : found.least;
        found.most = took > found.most ? took : found.most;
    }
    found.deviation = count > 1 ? weft_sqrt(squares / (count - 1)) : 0;
    return found;
}

size_t weft_rows_steps(weft_rows *rows, uint32_t number, weft_array *array)
{
    const weft_job *job = &rows->network->jobs->jobs[number];
    const weft_timing *timing = &rows->network->timing;
    const int64_t *ends = steps_of(rows, number);
    uint32_t count = weft_ranks_steps(job->repeats), stride = weft_ranks_stride(job->repeats);
    if (count < 2)
        return 0;
    spread its = look_at(ends, count, weft_simulation_began(rows->simulation)[number], stride);
    double confidence = rows->network->scenario->measure.confidence;
    double half =
        weft_student_quantile((1 + confidence) / 2, count - 1.0) * its.deviation / weft_sqrt(count);
    weft_metric metric = {.name = "repetition",
                          .of = job->name,
                          .by = "",
                          .value = weft_timing_value(timing, its.mean),
                          .lo = weft_timing_value(timing, its.mean - half),
                          .hi = weft_timing_value(timing, its.mean + half),
                          .n = count,
                          .unit = weft_timing_unit(timing),
                          .method = "Student's t over repetitions"};
    weft_rows_add(rows, metric);
    metric.lo = metric.hi = NAN;
    metric.method = "exact";
    metric.by = "min";
    metric.value = weft_timing_value(timing, its.least);
    weft_rows_add(rows, metric);
    metric.by = "max";
    metric.value = weft_timing_value(timing, its.most);
    weft_rows_add(rows, metric);
    int64_t *x = WEFT_TAKE(rows->arena, int64_t, count);
    for (uint32_t i = 0; i < count; i++)
        x[i] = (int64_t)(i + 1) * stride;
    *array = (weft_array){.table = "series",
                          .name = "repetition end",
                          .of = job->name,
                          .unit = "repetition",
                          .count = count,
                          .x = x,
                          .y = ends};
    return 1;
}

void weft_rows_shares(weft_rows *rows, uint32_t number, double ticks)
{
    static const char *const names[WEFT_SPENT_KINDS] = {"compute", "messages", "network"};
    const weft_job *job = &rows->network->jobs->jobs[number];
    const int64_t *spent = weft_simulation_spent(rows->simulation);
    double all = ticks * job->program.n_ranks * job->program.n_cpus, rest = 1;
    for (uint32_t kind = 0; kind <= WEFT_SPENT_KINDS && all > 0; kind++) {
        double share =
            kind < WEFT_SPENT_KINDS ? (double)spent[number * WEFT_SPENT_KINDS + kind] / all : rest;
        rest -= share;
        weft_rows_add(rows, (weft_metric){.name = "time share",
                                          .of = job->name,
                                          .by = kind < WEFT_SPENT_KINDS ? names[kind] : "wait",
                                          .value = share > 0 ? share : 0,
                                          .lo = NAN,
                                          .hi = NAN,
                                          .n = job->program.n_ranks,
                                          .unit = "fraction",
                                          .method = "exact"});
    }
}
