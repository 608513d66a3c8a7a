/* SPDX-License-Identifier: Apache-2.0 */
/* What statistical tests share: a run of the whole simulator from a scenario's text, and scores.
 *
 * A score is a difference in standard errors, taken through Student's t to the normal scale, so
 * that scores of few and of many seeds can stand in one table. A board collects the scores of a
 * table and holds them to the z rules: none above 4, at most 3 % above 2.58, their mean within
 * ±3/√runs. */
#ifndef WEFT_TEST_SUPPORT_H
#define WEFT_TEST_SUPPORT_H

#include "base/numeric.h"
#include "config/scenario.h"
#include "sim/simulation.h"
#include "study/kinds.h"
#include "study/outcome.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

typedef struct trial { /* one run, with everything it measured */
    weft_registry registry;
    weft_arena arena;
    weft_scenario scenario;
    weft_network network;
    weft_simulation *simulation;
    weft_ending ending;
    weft_census census;
    weft_point point;
} trial;

static inline void trial_must(weft_status status, const weft_error *err)
{
    if (status != WEFT_OK)
        fail_msg("%s", err->text);
}

/* Runs a scenario of one point with a seed. A run that loses a packet fails. */
static inline void trial_run_as(trial *run, int seed, const weft_simulation_options *options,
                                const char *text)
{
    char number[32];
    const char *overrides[] = {number, NULL};
    weft_error err;
    weft_plan *plan;
    snprintf(number, sizeof number, "seed=%d", seed);
    memset(run, 0, sizeof *run);
    weft_registry_init(&run->registry);
    weft_kinds_register(&run->registry);
    weft_arena_init(&run->arena);
    trial_must(weft_plan_read_text("trial.yaml", text, strlen(text), overrides, &run->registry,
                                   &run->arena, &plan, &err),
               &err);
    assert_int_equal(weft_plan_points(plan), 1);
    trial_must(weft_plan_point(plan, 0, &run->arena, &run->scenario, &err), &err);
    trial_must(weft_network_build(&run->network, &run->scenario, &run->arena, &err), &err);
    trial_must(weft_simulation_create(&run->network, options, &run->simulation, &err), &err);
    trial_must(weft_simulation_run(run->simulation, &run->ending, &err), &err);
    run->census = weft_simulation_census(run->simulation);
    assert_int_equal(run->census.generated, run->census.delivered + run->census.in_flight +
                                                run->census.waiting + run->census.lost);
    weft_outcome_build(&run->point, &run->network, run->simulation, run->ending, NULL, &run->arena);
}

/* The same of one given by format. */
__attribute__((format(printf, 3, 4))) static inline void trial_run(trial *run, int seed,
                                                                   const char *format, ...)
{
    char text[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    trial_run_as(run, seed, &(weft_simulation_options){0}, text);
}

static inline void trial_done(trial *run)
{
    weft_simulation_destroy(run->simulation);
    weft_network_done(&run->network);
    weft_arena_done(&run->arena);
    weft_registry_done(&run->registry);
}

static inline const weft_metric *trial_metric(const trial *run, const char *name, const char *by,
                                              int64_t index)
{
    for (size_t i = 0; i < run->point.n_metrics; i++) {
        const weft_metric *metric = &run->point.metrics[i];
        if (strcmp(metric->name, name) == 0 && *metric->of == '\0' && strcmp(metric->by, by) == 0 &&
            metric->index == index)
            return metric;
    }
    fail_msg("no metric '%s' by '%s' %lld", name, by, (long long)index);
    return NULL;
}

static inline double trial_value(const trial *run, const char *name)
{
    return trial_metric(run, name, "", 0)->value;
}

/* The first two moments of a packet's length, in flits. */
typedef struct moments {
    double first, second;
} moments;

static inline moments moments_fixed(double length)
{
    return (moments){length, length * length};
}

/* Of the nearest whole number to an exponential variable, at least 1. With q = exp(−1/mean), the
 * chance of more than k is √q q^k for k ≥ 1. */
static inline moments moments_exponential(double mean)
{
    double q = exp(-1 / mean), half = exp(-0.5 / mean);
    return (moments){half / (1 - q) + 1 - half, half * (1 + q) / ((1 - q) * (1 - q)) + 1 - half};
}

/* The mean wait in a queue with Poisson arrivals (Pollaczek and Khinchin). It holds exactly in
 * whole ticks too: what a packet waits less because work is counted in ticks, ρ/2, is what
 * packets of the same tick wait for each other. */
static inline double mean_wait(double rate, moments length)
{
    return rate * length.second / (2 * (1 - rate * length.first));
}

/* One value per seed. */
typedef struct sample {
    int count;
    double mean, squares; /* squares: Σ (value − mean)² */
} sample;

static inline void sample_add(sample *of, double value)
{
    double change = value - of->mean;
    of->mean += change / ++of->count;
    of->squares += change * (value - of->mean);
}

static inline double sample_deviation(const sample *of)
{
    return sqrt(of->squares / (of->count - 1));
}

/* Standard error of the mean. */
static inline double sample_error(const sample *of)
{
    return sample_deviation(of) / sqrt(of->count);
}

/* The normal score with the same tail as t with df degrees of freedom. */
static inline double score_of_t(double t, double df)
{
    return copysign(weft_normal_quantile(weft_student_cdf(-fabs(t), df)), t);
}

/* The mean over seeds against the truth. */
static inline double score_truth(const sample *ours, double truth)
{
    return score_of_t((ours->mean - truth) / sample_error(ours), ours->count - 1);
}

/* Welch's t against another mean with its standard error and degrees of freedom, after a margin. */
static inline double score_welch(const sample *ours, double theirs, double error, double df,
                                 double margin)
{
    double own = sample_error(ours), difference = ours->mean - theirs;
    double left = fabs(difference) > margin ? fabs(difference) - margin : 0;
    double a = own * own, b = error * error;
    double freedom = (a + b) * (a + b) / (a * a / (ours->count - 1) + b * b / df);
    return copysign(score_of_t(left / sqrt(a + b), freedom), difference);
}

typedef struct board {
    int cells, above; /* above: beyond 2.58 */
    double worst, sum;
} board;

static inline void board_add(board *table, double score)
{
    table->cells++;
    table->above += !(fabs(score) <= 2.58);
    table->worst = fabs(score) <= table->worst ? table->worst : fabs(score);
    table->sum += score;
}

/* Reports a table and holds it to the z rules. A single cell may exceed 2.58 in small tables; in
 * tables of more than 100 cells the worst may be as rare as 4 is among 100. */
static inline void board_check(const board *table, const char *what, int runs)
{
    double mean = table->sum / table->cells;
    print_message("%s: %d cells, max |score| %.2f, %d above 2.58, mean score %+.3f (within %.3f)\n",
                  what, table->cells, table->worst, table->above, mean, 3 / sqrt(runs));
    double allowed = table->cells > 100 ? weft_normal_quantile(1 - 0.0032 / table->cells) : 4;
    assert_true(table->worst <= allowed);
    assert_true(table->above <= (table->cells < 34 ? 1 : 0.03 * table->cells));
    assert_true(fabs(mean) <= 3 / sqrt(runs));
}

#endif
