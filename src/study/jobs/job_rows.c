/* SPDX-License-Identifier: Apache-2.0 */
/* When jobs have ended, from their start on, and every rank by itself. */
#include "study/outcome_rows.h"

#include "sim/jobs/ideal.h"

#include <math.h>

typedef struct ends { /* ticks from the start of the job */
    double least, mean, most;
} ends;

static ends look_at(const weft_job *job, int64_t began, const int64_t *finish)
{
    uint32_t ranks = job->program.n_ranks;
    int64_t least = INT64_MAX, most = 0, sum = 0;
    for (uint32_t r = 0; r < ranks; r++) {
        int64_t took = finish[job->first + r] > began ? finish[job->first + r] - began : 0;
        least = took < least ? took : least;
        most = took > most ? took : most;
        sum += took;
    }
    return (ends){(double)least, (double)sum / ranks, (double)most};
}

/* Ticks that the steps of a job would take that were not run: each as long as one of the second
 * half of those that were, on the mean of all ranks. 0: all were. */
static double ticks_left(const weft_job *job, const int64_t *finish, const int64_t *half)
{
    const weft_phased *schedule = &job->schedule;
    if (schedule->limit == 0)
        return 0;
    const weft_collective *collective = &schedule->phases[0].collective;
    double took = 0;
    for (uint32_t r = job->first; r < job->first + schedule->ranks; r++)
        took += (double)(finish[r] - half[r]);
    uint32_t steps = collective->kind->steps(collective, 0) - schedule->limit;
    uint32_t second = schedule->limit - schedule->limit / 2;
    return took / schedule->ranks / second * steps;
}

static const char *exactness(const weft_job *job)
{
    return job->schedule.limit ? "extrapolated" : "exact";
}

/* job: NULL for all of them. */
static void add_completion(weft_rows *rows, const weft_job *job, const char *by, double ticks,
                           const char *method)
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
                                .method = method});
}

double weft_outcome_completion(const weft_job *job, int64_t began,
                               const weft_simulation *simulation)
{
    const int64_t *finish = weft_simulation_finish(simulation);
    return look_at(job, began, finish).most +
           ticks_left(job, finish, weft_simulation_half(simulation));
}

static void add_slowdown(weft_rows *rows, const weft_job *job, const char *by, double slowdown,
                         const char *method)
{
    weft_rows_add(rows, (weft_metric){.name = "slowdown",
                                      .of = job->name,
                                      .by = by,
                                      .value = slowdown,
                                      .lo = NAN,
                                      .hi = NAN,
                                      .n = job->program.n_ranks,
                                      .unit = "times",
                                      .method = method});
}

/* Beside the time that the job takes by itself on the same endpoints. */
static void add_alone(weft_rows *rows, uint32_t number, double ticks)
{
    const weft_job *job = &rows->network->jobs->jobs[number];
    double alone = rows->alone ? rows->alone[number] : NAN;
    if (isnan(alone))
        return;
    add_completion(rows, job, "alone", alone, exactness(job));
    if (alone > 0)
        add_slowdown(rows, job, "", ticks / alone,
                     job->schedule.limit ? "extrapolated: mixed by alone"
                                         : "exact: mixed by alone");
}

static void add_bound(weft_rows *rows, const weft_job *job, int64_t index, double ticks,
                      const char *method)
{
    const weft_timing *timing = &rows->network->timing;
    weft_rows_add(rows, (weft_metric){.name = "completion",
                                      .of = job->name,
                                      .by = "bound",
                                      .index = index,
                                      .value = weft_timing_value(timing, ticks),
                                      .lo = NAN,
                                      .hi = NAN,
                                      .n = job->program.n_ranks,
                                      .unit = weft_timing_unit(timing),
                                      .method = method});
}

/* Beside the time on hosts over a network without contention. */
static void add_ideal(weft_rows *rows, uint32_t number, double ticks)
{
    const weft_job *job = &rows->network->jobs->jobs[number];
    weft_ideal ideal = weft_ideal_find(rows->network, number);
    if (ideal.ticks > 0) {
        add_bound(rows, job, 0, ideal.ticks,
                  ideal.drawn ? "model: LogGP with latencies of drawn routes"
                              : "bound: LogGP with the latency of every pair");
        add_slowdown(rows, job, "ideal", ticks / ideal.ticks, "exact: mixed by LogGP");
    }
    if (ideal.channel > 0)
        add_bound(rows, job, 1, ideal.channel, "bound: channel load");
    if (ideal.form > 0)
        add_bound(rows, job, 2, ideal.form, "bound: α-β form of the algorithm");
}

/* As nccl-tests have them: bytes of the collective by the mean time of a repetition, and what a
 * rank's link carries of them. */
static void add_bandwidths(weft_rows *rows, const weft_job *job, double ticks)
{
    const weft_timing *timing = &rows->network->timing;
    double time = weft_timing_value(timing, ticks / job->repeats);
    const char *unit = timing->in_cycles ? "B/cycle" : "GB/s"; /* B/ns */
    weft_metric metric = {.name = "algorithm bandwidth",
                          .of = job->name,
                          .by = "",
                          .lo = NAN,
                          .hi = NAN,
                          .n = job->repeats,
                          .unit = unit,
                          .method = exactness(job)};
    if (job->bus_factor <= 0 || time <= 0)
        return;
    metric.value = (double)job->bytes / time;
    weft_rows_add(rows, metric);
    metric.name = "bus bandwidth";
    metric.value *= job->bus_factor;
    weft_rows_add(rows, metric);
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

/* A job of which only some steps were run: how long these took, and what all would take. */
static void add_extrapolated(weft_rows *rows, const weft_job *job, double took, double left)
{
    const weft_collective *collective = &job->schedule.phases[0].collective;
    add_completion(rows, job, "steps run", took, "exact");
    add_completion(rows, job, "", took + left,
                   weft_arena_format(rows->arena, "extrapolated from steps %u to %u of %u",
                                     job->schedule.limit / 2 + 1, job->schedule.limit,
                                     collective->kind->steps(collective, 0)));
}

static size_t add_job(weft_rows *rows, uint32_t number, weft_array *arrays)
{
    const weft_job *job = &rows->network->jobs->jobs[number];
    const int64_t *finish = weft_simulation_finish(rows->simulation);
    ends took = look_at(job, weft_simulation_began(rows->simulation)[number], finish);
    double left = ticks_left(job, finish, weft_simulation_half(rows->simulation));
    if (job->schedule.limit)
        add_extrapolated(rows, job, took.most, left);
    else
        add_completion(rows, job, "", took.most, "exact");
    add_completion(rows, job, "mean", took.mean + left, exactness(job));
    add_completion(rows, job, "min", took.least + left, exactness(job));
    add_alone(rows, number, took.most + left);
    if (!job->schedule.limit) /* bounds are those of the whole */
        add_ideal(rows, number, took.most);
    add_bandwidths(rows, job, took.most + left);
    weft_rows_shares(rows, number, took.most);
    weft_rows_flows(rows, number);
    arrays[0] = rank_ends(rows, job, finish);
    return 1 + weft_rows_steps(rows, number, &arrays[1]);
}

static int64_t last_end(const weft_job_set *jobs, const int64_t *finish)
{
    int64_t last = 0;
    for (uint32_t j = 0; j < jobs->n_jobs; j++) {
        const weft_job *job = &jobs->jobs[j];
        for (uint32_t r = 0; r < job->program.n_ranks && !job->background; r++)
            last = finish[job->first + r] > last ? finish[job->first + r] : last;
    }
    return last;
}

size_t weft_rows_jobs(weft_rows *rows, weft_ending ending, weft_array *arrays)
{
    const weft_job_set *jobs = rows->network->jobs;
    const int64_t *finish = weft_simulation_finish(rows->simulation);
    if (!jobs || ending != WEFT_END_COMPLETED)
        return 0;
    if (!weft_simulation_half(rows->simulation))
        add_completion(rows, NULL, "", (double)last_end(jobs, finish), "exact");
    else if (jobs->n_jobs == 1) /* all end with the only one */
        add_completion(rows, NULL, "",
                       weft_outcome_completion(jobs->jobs,
                                               weft_simulation_began(rows->simulation)[0],
                                               rows->simulation),
                       "extrapolated");
    size_t count = 0;
    for (uint32_t j = 0; j < jobs->n_jobs; j++)
        if (!jobs->jobs[j].background)
            count += add_job(rows, j, &arrays[count]);
    return count;
}

/* How far a job is: its ranks that have not ended, and the repetition of the last of them. */
static void describe_left(weft_text *text, const weft_job *job, int64_t began,
                          const int64_t *repetition)
{
    uint32_t ranks = job->program.n_ranks, left = 0;
    int64_t least = job->repeats;
    for (uint32_t r = 0; r < ranks; r++) {
        left += repetition[job->first + r] < job->repeats;
        least = repetition[job->first + r] < least ? repetition[job->first + r] : least;
    }
    if (left == 0)
        return;
    const char *comma = text->length > 0 ? "; " : "";
    if (began < 0)
        weft_text_add(text, "%sjob %s has not begun", comma, job->name);
    else
        weft_text_add(text, "%sjob %s has %u of %u ranks left", comma, job->name, left, ranks);
    if (began >= 0 && job->repeats > 1)
        weft_text_add(text, ", the last in repetition %lld of %u", (long long)least + 1,
                      job->repeats);
}

const char *weft_rows_jobs_left(const weft_rows *rows)
{
    const weft_job_set *jobs = rows->network->jobs;
    const int64_t *repetition = weft_simulation_repetition(rows->simulation);
    weft_text text;
    weft_text_init(&text);
    for (uint32_t j = 0; jobs && repetition && j < jobs->n_jobs; j++)
        if (!jobs->jobs[j].background)
            describe_left(&text, &jobs->jobs[j], weft_simulation_began(rows->simulation)[j],
                          repetition);
    const char *said = weft_arena_format(rows->arena, "%.1000s", text.length ? text.at : "");
    weft_text_done(&text);
    return said;
}
