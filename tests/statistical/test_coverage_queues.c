/* SPDX-License-Identifier: Apache-2.0 */
/* What a 95 % interval is worth: the share of runs, each ended by the stop rule at a wanted
 * half-width of the mean latency, whose intervals hold the truth; and the bias of the values, in
 * standard errors of one run. Two M/M/1 or M/M/1/K queues by Lindley's recursion, counted in
 * sampling intervals as sim/interval.c chooses them, so that a thousand runs are cheap.
 *
 *     test_coverage_queues                 200 runs of the cheap cases
 *     test_coverage_queues RUNS [CASE]...  so many of all cases, or of those numbered so, from 1
 *
 * Seeds are 1 … RUNS. */
#include "statistical/recursion.h"
#include "stats/control.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#define QUEUES      2
#define CONFIDENCE  0.95
#define SMALL_RUNS  200
#define OTHER_LEAST 0.9 /* quantities that did not decide the end of the run */

typedef struct scene {
    double rho;
    uint32_t room;      /* 0: any number of packets */
    double half_width;  /* of the mean latency */
    double messages;    /* of a sampling interval */
    bool early;         /* measure.early */
    bool small;         /* in CI */
    double least, most; /* share of intervals of the mean latency that hold it */
} scene;

static const scene scenes[] = {
    {0.3, 0, 0.1, 200, false, true, 0.93, 0.97},
    {0.6, 0, 0.1, 200, false, true, 0.93, 0.97},
    {0.9, 0, 0.1, 200, false, false, 0.9, 0.97},
    {0.3, 0, 0.02, 1000, false, true, 0.93, 0.97},
    {0.6, 0, 0.02, 1000, false, true, 0.93, 0.97},
    {0.9, 0, 0.02, 1000, false, false, 0.93, 0.97},
    {0.3, 0, 0.005, 1000, false, false, 0.93, 0.97},
    {0.6, 0, 0.005, 1000, false, false, 0.93, 0.97},
    {0.5, 5, 0.02, 1000, false, true, 0.93, 0.97},
    {0.9, 5, 0.02, 1000, false, true, 0.93, 0.97},
    {0.3, 0, 0.02, 200, true, false, 0.93, 0.97},
    {0.6, 0, 0.02, 200, true, false, 0.93, 0.97},
    {0.9, 0, 0.02, 200, true, false, 0.93, 0.97},
    {0.5, 0, 0.01, 200, true, false, 0.93, 0.97},
    {0.8, 0, 0.05, 200, false, false, 0.9, 0.97},
    {0.9, 0, 0.05, 200, false, false, 0.9, 0.97},
};
enum { SCENES = sizeof scenes / sizeof *scenes };

enum { MEAN, P50, P90, P95, P99, P999, ACCEPTED, UTILISATION, LOSS, ALL };
static const char *const names[ALL] = {"mean latency", "p50",      "p90",         "p95", "p99",
                                       "p99.9",        "accepted", "utilisation", "loss"};
static const double percentiles[ALL] = {
    [P50] = 0.5, [P90] = 0.9, [P95] = 0.95, [P99] = 0.99, [P999] = 0.999};

/* True values: the latency of M/M/1 is exponential. */
static void know(const scene *of, double truth[ALL])
{
    double chance[64], sum = 0, held = 0;
    for (int q = 0; q < ALL; q++)
        truth[q] = NAN;
    if (of->room == 0) {
        truth[MEAN] = SERVICE / (1 - of->rho);
        for (int q = P50; q <= P999; q++)
            truth[q] = -log(1 - percentiles[q]) * truth[MEAN];
        truth[ACCEPTED] = truth[UTILISATION] = of->rho;
        return;
    }
    for (uint32_t n = 0; n <= of->room; n++)
        sum += chance[n] = pow(of->rho, n);
    for (uint32_t n = 0; n <= of->room; n++)
        held += n * (chance[n] /= sum);
    truth[LOSS] = chance[of->room];
    truth[ACCEPTED] = truth[UTILISATION] = 1 - chance[0];
    truth[MEAN] = held * SERVICE / (of->rho * (1 - truth[LOSS]));
}

/* Of all quantities, from where the run is warm. */
static void estimate(const weft_series *series, const weft_control *control, const double *truth,
                     weft_estimate found[ALL])
{
    const weft_ratio ratios[ALL] = {[ACCEPTED] = {WORK, WEFT_PER_INTERVAL},
                                    [UTILISATION] = {BUSY, WEFT_PER_INTERVAL},
                                    [LOSS] = {LOST, ARRIVED}};
    found[MEAN] = control->watched;
    for (int q = P50; q < ALL; q++) {
        if (isnan(truth[q]))
            continue;
        found[q] = q <= P999
                       ? weft_series_quantile(series, control->from, 0, percentiles[q], CONFIDENCE)
                       : weft_series_ratio(series, control->from, ratios[q], CONFIDENCE);
    }
}

typedef struct score { /* of one quantity over the runs */
    int count, held, below, missing;
    double mean, squares, error; /* of the values; sum of claimed standard errors */
} score;

static void score_add(score *of, const weft_estimate *found, double truth, double unit)
{
    double value = found->value * unit;
    if (isnan(found->lo)) {
        of->missing++;
        return;
    }
    double change = value - of->mean;
    of->mean += change / ++of->count;
    of->squares += change * (value - of->mean);
    of->error += found->stderr_ * unit;
    of->held += found->lo * unit <= truth && truth <= found->hi * unit;
    of->below += found->hi * unit < truth;
}

static double share_held(const score *of)
{
    return (double)of->held / of->count;
}

/* Standard errors of one run. */
static double bias_of(const score *of, double truth)
{
    return (of->mean - truth) / (of->error / of->count);
}

/* Counts packets and the part of the time that was cut as warm-up. */
static void run_once(const scene *of, int seed, struct queue *queues, const double *truth,
                     score found[ALL], double *packets, double *cut)
{
    const weft_goal goal = {.watched = {LATENCY, LEFT},
                            .confidence = CONFIDENCE,
                            .half_width = of->half_width,
                            .arrived = ARRIVED,
                            .left = GONE,
                            .warmup_intervals = -1,
                            .early = of->early};
    const struct setup setup = {of->rho, false, 0, of->messages / QUEUES / of->rho, of->room};
    weft_estimate estimates[ALL] = {0};
    weft_control control;
    weft_series *series = weft_series_create(COLUMNS, 1);
    weft_stop_reason verdict;
    for (uint32_t k = 0; k < QUEUES; k++)
        queue_init(&queues[k], &setup, (uint64_t)seed, k);
    weft_control_init(&control, &goal);
    do {
        weft_i128 row[COLUMNS] = {0};
        weft_histogram latencies;
        memset(&latencies, 0, sizeof latencies);
        for (uint32_t k = 0; k < QUEUES; k++)
            queue_row(&queues[k], row, &latencies);
        weft_series_add(series, row, &latencies);
        verdict = weft_control_step(&control, series);
    } while (verdict == WEFT_GO_ON);
    assert_int_equal(verdict, WEFT_CONVERGED);
    estimate(series, &control, truth, estimates);
    for (int q = 0; q < ALL; q++)
        if (!isnan(truth[q]))
            score_add(&found[q], &estimates[q], truth[q],
                      q == ACCEPTED || q == UTILISATION ? 1 / (QUEUES * setup.interval * SERVICE)
                                                        : 1);
    *packets += (double)weft_series_total(series, LEFT);
    *cut += (double)control.from / weft_series_cells(series);
    weft_series_destroy(series);
}

static void print_score(const score *of, const char *name, double truth)
{
    double deviation = sqrt(of->squares / (of->count - 1)), held = share_held(of);
    print_message("    %-12s %5.1f %% ± %.1f hold it, %4.1f %% lie below; standard error %.2f %%, "
                  "deviation of runs %.2f times that; bias %+.3f of it (%+.1f of the mean's)",
                  name, 100 * held, 100 * sqrt(held * (1 - held) / of->count),
                  100.0 * of->below / of->count, 100 * of->error / of->count / truth,
                  deviation / (of->error / of->count), bias_of(of, truth),
                  (of->mean - truth) / deviation * sqrt(of->count));
    if (of->missing)
        print_message("; %d runs without an interval", of->missing);
    print_message("\n");
}

static int n_runs = SMALL_RUNS;

/* Fewer runs than 1,000 have three binomial standard errors beside the limits. A percentile
 * whose interval few runs tell is not judged: those whose bursts look small do. */
static void check_scores(const scene *of, const score found[ALL], const double *truth)
{
    for (int q = 0; q < ALL; q++) {
        if (isnan(truth[q]) || found[q].count == 0 ||
            (percentiles[q] > 0 && found[q].count < n_runs / 2))
            continue;
        double room = found[q].count < 1000 ? 3 * sqrt(0.95 * 0.05 / found[q].count) : 0;
        assert_true(share_held(&found[q]) >= (q == MEAN ? of->least : OTHER_LEAST) - room);
        assert_true(q != MEAN || share_held(&found[q]) <= of->most + room);
        assert_true(fabs(bias_of(&found[q], truth[q])) < 1);
    }
}

static char **chosen;

static bool is_chosen(int number)
{
    if (!chosen)
        return scenes[number].small;
    for (char **one = chosen; *one; one++)
        if (atoi(*one) == number + 1)
            return true;
    return !*chosen;
}

static void intervals_hold_the_truth(void **state)
{
    (void)state;
    struct queue *queues = malloc(sizeof *queues * QUEUES);
    score found[SCENES][ALL] = {0};
    double truth[SCENES][ALL];
    for (int i = 0; i < SCENES; i++) {
        const scene *of = &scenes[i];
        double packets = 0, cut = 0;
        if (!is_chosen(i))
            continue;
        know(of, truth[i]);
        for (int seed = 1; seed <= n_runs; seed++)
            run_once(of, seed, queues, truth[i], found[i], &packets, &cut);
        print_message("%d: M/M/1", i + 1);
        if (of->room)
            print_message("/%u", of->room);
        print_message(" at rho %g to %g %%%s: %d runs of %.0f packets, %.2f %% cut as warm-up\n",
                      of->rho, 100 * of->half_width, of->early ? ", early" : "", n_runs,
                      packets / n_runs, 100 * cut / n_runs);
        for (int q = 0; q < ALL; q++)
            if (!isnan(truth[i][q]) && found[i][q].count > 1)
                print_score(&found[i][q], names[q], truth[i][q]);
        (void)fflush(stdout);
    }
    free(queues);
    for (int i = 0; i < SCENES; i++)
        if (is_chosen(i))
            check_scores(&scenes[i], found[i], truth[i]);
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        n_runs = atoi(argv[1]);
        chosen = argv + 2;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_hold_the_truth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
