/* SPDX-License-Identifier: Apache-2.0 */
/* The stop rule on made-up series: limits, precision, warm-up, growth. */
#include "stats/control.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "interweft/random.h"

enum { SUM, LEFT, ARRIVED, COLUMNS };

static weft_goal goal_of(double half_width)
{
    return (weft_goal){.watched = {SUM, LEFT},
                       .confidence = 0.95,
                       .half_width = half_width,
                       .arrived = ARRIVED,
                       .left = LEFT,
                       .warmup_intervals = -1};
}

struct run {
    weft_series *series;
    weft_control control;
    weft_random random;
};

static struct run begin(const weft_goal *goal)
{
    struct run run = {.series = weft_series_create(COLUMNS, 0),
                      .random = weft_random_stream(1, 0, 0, WEFT_FOR_ESTIMATE)};
    weft_control_init(&run.control, goal);
    return run;
}

static weft_stop_reason step(struct run *run, int64_t sum, int64_t left, int64_t arrived)
{
    const weft_i128 row[COLUMNS] = {sum, left, arrived};
    weft_series_add(run->series, row, NULL);
    return weft_control_step(&run->control, run->series);
}

/* 100 packets in and out, with a mean of about 50 each. */
static weft_stop_reason steady(struct run *run)
{
    return step(run, 4000 + weft_random_below(&run->random, 2001), 100, 100);
}

static void checks_depend_on_the_interval_count_only(void **state)
{
    (void)state;
    weft_goal goal = goal_of(1e-9);
    struct run run = begin(&goal);
    const uint64_t due[] = {64, 96, 128, 160, 192, 224, 256, 320, 384, 448, 512, 640, 768};
    size_t next = 0;
    for (uint64_t i = 1; i <= 700; i++) {
        assert_int_equal(run.control.next_check, due[next]);
        assert_int_equal(steady(&run), WEFT_GO_ON);
        next += i == due[next];
    }
    weft_series_destroy(run.series);
}

static void a_steady_run_converges(void **state)
{
    (void)state;
    weft_goal goal = goal_of(0.02);
    struct run run = begin(&goal);
    weft_stop_reason verdict;
    do
        verdict = steady(&run);
    while (verdict == WEFT_GO_ON);
    assert_int_equal(verdict, WEFT_CONVERGED);
    assert_true(run.control.settled && !run.control.growing && run.control.watched.independent);
    assert_true(run.control.watched.hi - run.control.watched.lo <= 0.04 * 51);
    assert_true(fabs(run.control.watched.value - 50) < 2);
    assert_true(weft_series_intervals(run.series) <= 320);
    weft_series_destroy(run.series);
}

static void limits_end_a_run(void **state)
{
    (void)state;
    weft_goal goal = goal_of(1e-9);
    goal.limit_intervals = 77;
    struct run run = begin(&goal);
    for (int i = 1; i < 77; i++)
        assert_int_equal(steady(&run), WEFT_GO_ON);
    assert_int_equal(steady(&run), WEFT_AT_LIMIT);
    assert_int_equal(weft_series_cells(run.series), 77);
    assert_true(run.control.watched.batches >= 32 && !run.control.growing);
    weft_series_destroy(run.series);

    goal.limit_intervals = 0;
    goal.limit_packets = 26650; /* inside a cell of two intervals */
    run = begin(&goal);
    for (int i = 1; i < 267; i++)
        assert_int_equal(steady(&run), WEFT_GO_ON);
    assert_int_equal(steady(&run), WEFT_AT_LIMIT);
    weft_series_destroy(run.series);
}

static void a_fixed_warmup_replaces_detection(void **state)
{
    (void)state;
    weft_goal goal = goal_of(0.02);
    goal.warmup_intervals = 101;
    struct run run = begin(&goal);
    weft_stop_reason verdict;
    do
        verdict = steady(&run);
    while (verdict == WEFT_GO_ON);
    assert_int_equal(verdict, WEFT_CONVERGED);
    uint64_t width = weft_series_width(run.series);
    assert_int_equal(run.control.from, (101 + width - 1) / width);
    weft_series_destroy(run.series);

    goal.warmup_intervals = 1000; /* longer than the run */
    goal.limit_intervals = 300;
    run = begin(&goal);
    do
        verdict = steady(&run);
    while (verdict == WEFT_GO_ON);
    assert_int_equal(verdict, WEFT_AT_LIMIT);
    assert_true(!run.control.settled && isnan(run.control.watched.value));
    weft_series_destroy(run.series);
}

static void linear_growth_is_saturation(void **state)
{
    (void)state;
    weft_goal goal = goal_of(0.5);
    struct run run = begin(&goal);
    weft_stop_reason verdict;
    int64_t i = 0;
    do
        verdict = step(&run, 100 * (50 + i++), 100, 130);
    while (verdict == WEFT_GO_ON);
    assert_int_equal(verdict, WEFT_SATURATED);
    assert_true(run.control.growing && !run.control.settled);
    assert_int_equal(weft_series_intervals(run.series), 192);
    weft_series_destroy(run.series);
}

/* A population that grows as the square root of time, or that fills up once, is no saturation. */
static void filling_up_is_not_saturation(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        weft_goal goal = goal_of(1e-9);
        goal.limit_intervals = 20000;
        struct run run = begin(&goal);
        int64_t before = 0;
        weft_stop_reason verdict = WEFT_GO_ON;
        for (int i = 1; verdict == WEFT_GO_ON; i++) {
            double level = kind == 0 ? sqrt(i) : i < 150 ? i / 12.5 : 12;
            int64_t population = (int64_t)(100000 * level);
            int64_t left = 100000 + weft_random_below(&run.random, 2001);
            verdict = step(&run, 50 * population, left, left + population - before);
            before = population;
        }
        assert_int_equal(verdict, WEFT_AT_LIMIT);
        assert_false(run.control.growing);
        weft_series_destroy(run.series);
    }
}

/* What a run of so many intervals proves in which `lost` of 100 packets stay behind each time,
 * and how far from rest it starts. */
static weft_stability proven(int64_t intervals, int64_t lost, int64_t unrest)
{
    weft_goal goal = goal_of(1e-9);
    goal.limit_intervals = intervals;
    struct run run = begin(&goal);
    weft_stop_reason verdict;
    int64_t i = 0, latency = 5000;
    do {
        latency += lost * 100;
        int64_t rest = i < intervals * 3 / 4 ? unrest * (intervals - i++) : 0;
        verdict =
            step(&run, latency + rest + weft_random_below(&run.random, 2001), 100, 100 + lost);
    } while (verdict == WEFT_GO_ON);
    weft_stability found = weft_control_stability(&run.control, run.series);
    weft_series_destroy(run.series);
    return found;
}

/* Intervals until a population that grows by so many packets of 100 in each ends a run. */
static uint64_t intervals_to_saturation(bool early, int64_t stay)
{
    weft_goal goal = goal_of(1e-9);
    goal.early = early;
    struct run run = begin(&goal);
    weft_stop_reason verdict;
    do
        verdict = step(&run, 4000 + weft_random_below(&run.random, 2001), 100 - stay, 100);
    while (verdict == WEFT_GO_ON && weft_series_intervals(run.series) < 5000);
    assert_int_equal(verdict, WEFT_SATURATED);
    assert_int_equal(weft_control_stability(&run.control, run.series), WEFT_UNSTABLE);
    assert_true(early || !run.control.deep);
    uint64_t intervals = weft_series_intervals(run.series);
    weft_series_destroy(run.series);
    return intervals;
}

static void deep_saturation_ends_early_if_asked(void **state)
{
    (void)state;
    assert_int_equal(intervals_to_saturation(false, 10), 192);
    assert_int_equal(intervals_to_saturation(true, 10), 96);
    /* two in a hundred may be the edge */
    assert_int_equal(intervals_to_saturation(true, 2), intervals_to_saturation(false, 2));
}

static void a_half_width_out_of_reach_ends_early_if_asked(void **state)
{
    (void)state;
    weft_goal goal = goal_of(1e-6);
    goal.limit_packets = 20000;
    for (int early = 0; early < 2; early++) {
        goal.early = early;
        struct run run = begin(&goal);
        weft_stop_reason verdict;
        do
            verdict = steady(&run);
        while (verdict == WEFT_GO_ON);
        assert_int_equal(verdict, early ? WEFT_OUT_OF_REACH : WEFT_AT_LIMIT);
        assert_int_equal(weft_series_intervals(run.series), early ? 64 : 200);
        weft_series_destroy(run.series);
    }
    goal.half_width = 0.01; /* needs some three times the limit: it may get near */
    struct run run = begin(&goal);
    weft_stop_reason verdict;
    do
        verdict = steady(&run);
    while (verdict == WEFT_GO_ON);
    assert_int_not_equal(verdict, WEFT_OUT_OF_REACH);
    weft_series_destroy(run.series);
}

static void only_what_is_seen_is_proven(void **state)
{
    (void)state;
    assert_int_equal(proven(400, 0, 0), WEFT_STABLE);
    assert_int_equal(proven(400, 30, 0), WEFT_UNSTABLE);
    assert_int_equal(proven(70, 30, 0), WEFT_STABILITY_UNKNOWN);   /* one check only */
    assert_int_equal(proven(30, 0, 0), WEFT_STABILITY_UNKNOWN);    /* no interval yet */
    assert_int_equal(proven(200, 0, 100), WEFT_STABILITY_UNKNOWN); /* still warming up */
    assert_int_equal(proven(100, 1, 0), WEFT_STABILITY_UNKNOWN);   /* less leaves than comes */
}

/* A run says what it had to wait for, besides the half-width. */
static void floors_are_told(void **state)
{
    (void)state;
    const double widths[] = {0.5, 0.004};
    const weft_floor floors[] = {WEFT_FLOOR_LENGTH, WEFT_FLOOR_NONE};
    for (int k = 0; k < 2; k++) {
        weft_goal goal = goal_of(widths[k]);
        struct run run = begin(&goal);
        weft_stop_reason verdict;
        do
            verdict = steady(&run);
        while (verdict == WEFT_GO_ON);
        assert_int_equal(verdict, WEFT_CONVERGED);
        assert_int_equal(run.control.floor, floors[k]);
        if (k == 0)
            assert_int_equal(weft_series_intervals(run.series), 96); /* two checks */
        weft_series_destroy(run.series);
    }
    weft_goal goal = goal_of(0.5); /* a warm-up that outlasts the first check */
    struct run run = begin(&goal);
    weft_stop_reason verdict;
    int i = 0;
    do
        verdict =
            step(&run, (i++ < 60 ? 25000 : 5000) + (int64_t)weft_random_below(&run.random, 2001),
                 100, 100);
    while (verdict == WEFT_GO_ON);
    assert_int_equal(verdict, WEFT_CONVERGED);
    assert_int_equal(run.control.floor, WEFT_FLOOR_WARMUP);
    weft_series_destroy(run.series);
}

/* Intervals whose means are anything from 0 to 100. */
static weft_stop_reason run_unsteady(const weft_goal *goal, uint64_t *intervals, double *half_width)
{
    struct run run = begin(goal);
    weft_stop_reason verdict;
    do
        verdict = step(&run, (int64_t)weft_random_below(&run.random, 10001), 100, 100);
    while (verdict == WEFT_GO_ON);
    const weft_estimate *found = &run.control.watched;
    *intervals = weft_series_intervals(run.series);
    *half_width = (found->hi - found->lo) / 2 / found->value;
    weft_series_destroy(run.series);
    return verdict;
}

/* A check ends no run above 6 %: it might have come when the error looked small. A limit does. */
static void a_wide_half_width_is_not_used_up(void **state)
{
    (void)state;
    uint64_t intervals, wider;
    double half_width;
    weft_goal goal = goal_of(0.1);
    assert_int_equal(run_unsteady(&goal, &intervals, &half_width), WEFT_CONVERGED);
    assert_true(half_width <= 0.06);
    goal.half_width = 0.5;
    assert_int_equal(run_unsteady(&goal, &wider, &half_width), WEFT_CONVERGED);
    assert_int_equal(wider, intervals);
    goal.half_width = 0.1;
    goal.limit_intervals = 200;
    assert_int_equal(run_unsteady(&goal, &intervals, &half_width), WEFT_CONVERGED);
    assert_int_equal(intervals, 200);
    assert_true(half_width > 0.06 && half_width <= 0.1);
}

static void an_empty_run_says_nothing(void **state)
{
    (void)state;
    weft_goal goal = goal_of(0.1);
    goal.limit_intervals = 200;
    struct run run = begin(&goal);
    weft_stop_reason verdict;
    do
        verdict = step(&run, 0, 0, 0);
    while (verdict == WEFT_GO_ON);
    assert_int_equal(verdict, WEFT_AT_LIMIT);
    assert_true(!run.control.settled && !run.control.growing && isnan(run.control.watched.value));
    weft_series_destroy(run.series);

    run = begin(&goal); /* finished before the first check, or the first interval */
    weft_control_finish(&run.control, run.series);
    assert_true(!run.control.settled && isnan(run.control.watched.value));
    weft_series_destroy(run.series);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checks_depend_on_the_interval_count_only),
        cmocka_unit_test(a_steady_run_converges),
        cmocka_unit_test(limits_end_a_run),
        cmocka_unit_test(a_fixed_warmup_replaces_detection),
        cmocka_unit_test(linear_growth_is_saturation),
        cmocka_unit_test(filling_up_is_not_saturation),
        cmocka_unit_test(deep_saturation_ends_early_if_asked),
        cmocka_unit_test(a_half_width_out_of_reach_ends_early_if_asked),
        cmocka_unit_test(only_what_is_seen_is_proven),
        cmocka_unit_test(floors_are_told),
        cmocka_unit_test(a_wide_half_width_is_not_used_up),
        cmocka_unit_test(an_empty_run_says_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
