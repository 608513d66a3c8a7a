/* SPDX-License-Identifier: Apache-2.0 */
/* Cells and their sums, warm-up and intervals on made-up series. */
#include "stats/series.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "interweft/random.h"

static void add(weft_series *series, int64_t num, int64_t den)
{
    const weft_i128 row[2] = {num, den};
    weft_series_add(series, row, NULL);
}

static void cells_double_when_they_are_full(void **state)
{
    (void)state;
    weft_series *series = weft_series_create(2, 0);
    for (int64_t i = 1; i <= 1000; i++) {
        add(series, i, 1);
        assert_int_equal(weft_series_intervals(series), i);
        assert_true(weft_series_cells(series) < WEFT_CELLS_MAX);
        assert_true(weft_series_total(series, 0) == (weft_i128)i * (i + 1) / 2);
        if (i == 255)
            assert_int_equal(weft_series_cells(series), 255);
        if (i == 256)
            assert_int_equal(weft_series_cells(series), 128);
    }
    assert_int_equal(weft_series_width(series), 4);
    assert_int_equal(weft_series_cells(series), 250);
    for (uint32_t cell = 0; cell < 250; cell++) {
        assert_true(weft_series_at(series, cell, 0) == 16 * (weft_i128)cell + 10);
        assert_true(weft_series_at(series, cell, 1) == 4);
    }
    assert_true(weft_series_sum(series, 0, 0) == 500500);
    assert_true(weft_series_sum(series, 249, 0) == 997 + 998 + 999 + 1000);
    add(series, 7, 1);
    assert_true(weft_series_sum(series, 0, 0) == 500500); /* complete cells only */
    assert_true(weft_series_total(series, 0) == 500507);
    weft_series_destroy(series);
    weft_series_destroy(NULL);
}

static void sums_are_exact_beyond_64_bits(void **state)
{
    (void)state;
    weft_series *series = weft_series_create(1, 0);
    weft_i128 big = (weft_i128)INT64_MAX * INT64_MAX / 512;
    for (int i = 0; i < 300; i++)
        weft_series_add(series, &big, NULL);
    assert_true(weft_series_sum(series, 0, 0) == 300 * big);
    weft_series_destroy(series);
}

/* Rows handed in whole, or as parts of several threads merged in any order before: the same. */
static void histograms_follow_their_cells(void **state)
{
    (void)state;
    weft_series *series = weft_series_create(0, 2);
    weft_histogram *row = calloc(2, sizeof *row), *whole = calloc(2, sizeof *whole), out;
    for (uint64_t i = 0; i < 600; i++) {
        memset(row, 0, 2 * sizeof *row);
        weft_histogram_add(&row[0], i);
        weft_histogram_add(&row[1], i * i);
        weft_series_add(series, NULL, row);
        if (i >= 8 && i < 600)
            weft_histogram_merge(&whole[1], &row[1]);
        weft_histogram_merge(&whole[0], &row[0]);
    }
    assert_int_equal(weft_series_width(series), 4);
    weft_series_histogram(series, 0, 0, &out);
    assert_memory_equal(&out, &whole[0], sizeof out);
    weft_series_histogram(series, 2, 1, &out);
    assert_memory_equal(&out, &whole[1], sizeof out);
    free(row);
    free(whole);
    weft_series_destroy(series);
}

static double uniform(weft_random *random)
{
    return weft_random_open(random);
}

static void warmup_cuts_a_transient(void **state)
{
    (void)state;
    weft_random random = weft_random_stream(1, 0, 0, WEFT_FOR_ESTIMATE);
    weft_series *series = weft_series_create(2, 0);
    for (int i = 0; i < 200; i++) /* 1,000 → 0 over 40 cells, then noise of 0 … 100 */
        add(series, (i < 40 ? 1000 - 25 * i : 0) + (int64_t)(100 * uniform(&random)), 1);
    bool settled = false;
    uint32_t from = weft_series_warmup(series, (weft_ratio){0, 1}, &settled);
    assert_true(settled && from >= 34 && from <= 44);
    weft_series_destroy(series);
}

static void warmup_keeps_a_steady_series(void **state)
{
    (void)state;
    uint32_t cut = 0, settled_runs = 0;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        weft_random random = weft_random_stream(seed, 0, 0, WEFT_FOR_ESTIMATE);
        weft_series *series = weft_series_create(2, 0);
        for (int i = 0; i < 200; i++)
            add(series, (int64_t)(-1000 * weft_log(uniform(&random))), 1);
        bool settled = false;
        uint32_t from = weft_series_warmup(series, (weft_ratio){0, 1}, &settled);
        settled_runs += settled;
        cut += settled ? from : 0;
        weft_series_destroy(series);
    }
    print_message("steady series: %u of 100 settled, %.2f of 200 cells cut\n", settled_runs,
                  cut / 100.0);
    assert_true(settled_runs >= 95 && cut < 200);
}

static void warmup_of_a_trend_is_not_settled(void **state)
{
    (void)state;
    weft_series *series = weft_series_create(2, 0);
    for (int i = 0; i < 200; i++)
        add(series, 1000 + 10 * i, 1);
    bool settled = true;
    uint32_t from = weft_series_warmup(series, (weft_ratio){0, 1}, &settled);
    assert_true(!settled && from >= 100);
    weft_series_destroy(series);
}

/* Empty cells at the beginning belong to the warm-up; none at all settle nothing. */
/* Too few cells to tell: three eighths of them, rounded down, are kept. */
static void warmup_of_few_cells_is_a_guess(void **state)
{
    (void)state;
    const uint32_t wanted[] = {0, 1, 2, 2, 3, 4, 4, 5};
    weft_series *series = weft_series_create(2, 0);
    for (uint32_t n = 1; n < 8; n++) {
        bool settled = true;
        add(series, n, 1);
        assert_int_equal(weft_series_warmup(series, (weft_ratio){0, 1}, &settled), wanted[n]);
        assert_false(settled);
    }
    weft_series_destroy(series);
}

static void warmup_skips_empty_cells(void **state)
{
    (void)state;
    weft_series *series = weft_series_create(2, 0);
    bool settled = true;
    assert_int_equal(weft_series_warmup(series, (weft_ratio){0, 1}, &settled), 0);
    assert_false(settled);
    for (int i = 0; i < 100; i++)
        add(series, i < 10 || i == 50 ? 0 : 70 + i % 2, i < 10 || i == 50 ? 0 : 7);
    assert_int_equal(weft_series_warmup(series, (weft_ratio){0, 1}, &settled), 10);
    assert_true(settled);
    weft_series_destroy(series);
}

static void ratio_is_that_of_the_sums(void **state)
{
    (void)state;
    weft_series *series = weft_series_create(2, 0);
    for (int i = 0; i < 100; i++)
        add(series, 3 * (i % 5 + 1), i % 5 + 1);
    weft_estimate estimate = weft_series_ratio(series, 10, (weft_ratio){0, 1}, 0.95);
    assert_true(estimate.value == 3 && estimate.lo == 3 && estimate.hi == 3);
    assert_true(estimate.independent && estimate.batches == 90);
    estimate = weft_series_ratio(series, 0, (weft_ratio){1, WEFT_PER_INTERVAL}, 0.95);
    assert_true(estimate.value == 3);
    estimate = weft_series_ratio(series, 70, (weft_ratio){0, 1}, 0.95);
    assert_true(estimate.value == 3 && isnan(estimate.lo) && isnan(estimate.hi));
    estimate = weft_series_ratio(series, 100, (weft_ratio){0, 1}, 0.95);
    assert_true(isnan(estimate.value));
    weft_series_destroy(series);
}

/* 32 values of two kinds: everything can be computed by hand. */
static void interval_is_students(void **state)
{
    (void)state;
    weft_series *series = weft_series_create(2, 0);
    for (int i = 0; i < 32; i++)
        add(series, i % 2 ? 90 : 110, 1);
    weft_estimate estimate = weft_series_ratio(series, 0, (weft_ratio){0, 1}, 0.95);
    double error = sqrt(32 * 100.0 / 31 / 32);
    assert_true(estimate.value == 100 && estimate.batches == 32 && estimate.independent);
    assert_true(fabs(estimate.stderr_ - error) < 1e-12);
    assert_true(fabs(estimate.hi - 100 - 2.0395134463964085 * error) < 1e-12);
    assert_true(fabs(estimate.lo + estimate.hi - 200) < 1e-12);
    weft_series_destroy(series);
}

/* A sum of 12 uniform draws less 6: near enough to normal. */
static double noise(weft_random *random)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += uniform(random);
    return sum;
}

/* Share of 95 % intervals that hold the mean of x' = φ x + noise, over 300 seeds of n intervals. */
static double coverage(double phi, int intervals, double *merged)
{
    int held = 0, seeds = 300, independent = 0;
    for (int seed = 1; seed <= seeds; seed++) {
        weft_random random = weft_random_stream((uint64_t)seed, 1, 0, WEFT_FOR_ESTIMATE);
        weft_series *series = weft_series_create(2, 0);
        double x = noise(&random) / sqrt(1 - phi * phi);
        for (int i = 0; i < intervals; i++) {
            x = phi * x + noise(&random);
            add(series, 100000 + (int64_t)floor(1000 * x + 0.5), 1);
        }
        weft_estimate estimate = weft_series_ratio(series, 0, (weft_ratio){0, 1}, 0.95);
        held += estimate.lo <= 100000 && 100000 <= estimate.hi;
        independent += estimate.independent;
        weft_series_destroy(series);
    }
    *merged = (double)independent / seeds;
    return (double)held / seeds;
}

static void intervals_cover_the_truth(void **state)
{
    (void)state;
    const double phi[] = {0, 0.5, 0.9, 0.95, -0.5};
    const int intervals[] = {250, 250, 2000, 8000, 250};
    for (size_t i = 0; i < sizeof phi / sizeof *phi; i++) {
        double independent, share = coverage(phi[i], intervals[i], &independent);
        print_message("AR(1) φ = %g: %.3f of 95 %% intervals cover, %.2f independent\n", phi[i],
                      share, independent);
        assert_true(share >= 0.9);
    }
}

static void correlated_cells_are_not_independent(void **state)
{
    (void)state;
    double independent;
    coverage(0.995, 128, &independent);
    assert_true(independent < 0.05);
}

/* Quantiles of exponential observations: how many of the intervals cover the truth. */
static void quantiles_have_intervals(void **state)
{
    (void)state;
    static const double p[] = {0.5, 0.9, 0.99, 0.999};
    int held[4] = {0}, seeds = 400;
    for (int seed = 1; seed <= seeds; seed++) {
        weft_random random = weft_random_stream((uint64_t)seed, 2, 0, WEFT_FOR_ESTIMATE);
        weft_series *series = weft_series_create(0, 1);
        for (int i = 0; i < 64; i++) {
            weft_histogram row = {{0}};
            for (int k = 0; k < 500; k++)
                weft_histogram_add(&row, (uint64_t)(-10000 * weft_log(uniform(&random)) + 0.5));
            weft_series_add(series, NULL, &row);
        }
        for (int k = 0; k < 4; k++) {
            weft_estimate estimate = weft_series_quantile(series, 0, 0, p[k], 0.95);
            assert_true(estimate.batches >= WEFT_BATCHES_MIN);
            double truth = -10000 * log(1 - p[k]);
            held[k] += estimate.lo <= truth && truth <= estimate.hi;
        }
        /* 64 × 500 observations: 3 beyond the quantile .9999 are too few */
        weft_estimate estimate = weft_series_quantile(series, 0, 0, 0.9999, 0.95);
        assert_true(!isnan(estimate.value) && isnan(estimate.lo) && isnan(estimate.hi));
        weft_series_destroy(series);
    }
    for (int k = 0; k < 4; k++) { /* 95 % of 400, less 4 standard deviations */
        print_message("quantile %g: %d of %d intervals cover\n", p[k], held[k], seeds);
        assert_true(held[k] >= 362);
    }
}

/* Standard deviation from count, sum and sum of squares. */
static double deviation_of(const double *sums, const void *user)
{
    (void)user;
    double mean = sums[1] / sums[0];
    return sqrt(sums[2] / sums[0] - mean * mean);
}

static void functions_of_sums_have_intervals(void **state)
{
    (void)state;
    static const uint32_t columns[] = {0, 1, 2};
    int held = 0, seeds = 400;
    for (int seed = 1; seed <= seeds; seed++) {
        weft_random random = weft_random_stream((uint64_t)seed, 3, 0, WEFT_FOR_ESTIMATE);
        weft_series *series = weft_series_create(3, 0);
        double last = 0;
        for (int i = 0; i < 200; i++) {
            weft_i128 row[3] = {0};
            for (int k = 0; k < 50; k++) { /* correlated: half of each is its predecessor */
                last = 0.5 * last - 1000 * weft_log(uniform(&random));
                row[0]++;
                row[1] += (weft_i128)last;
                row[2] += (weft_i128)last * (weft_i128)last;
            }
            if (i >= 2)
                weft_series_add(series, row, NULL);
        }
        weft_estimate estimate =
            weft_series_statistic(series, 0, columns, 3, deviation_of, NULL, 0.95);
        double truth = 1000 / sqrt(1 - 0.25);
        held += estimate.lo <= truth && truth <= estimate.hi;
        weft_series_destroy(series);
    }
    print_message("standard deviation: %d of %d intervals cover\n", held, seeds);
    assert_true(held >= 362);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_double_when_they_are_full),
        cmocka_unit_test(sums_are_exact_beyond_64_bits),
        cmocka_unit_test(histograms_follow_their_cells),
        cmocka_unit_test(warmup_cuts_a_transient),
        cmocka_unit_test(warmup_keeps_a_steady_series),
        cmocka_unit_test(warmup_of_a_trend_is_not_settled),
        cmocka_unit_test(warmup_of_few_cells_is_a_guess),
        cmocka_unit_test(warmup_skips_empty_cells),
        cmocka_unit_test(ratio_is_that_of_the_sums),
        cmocka_unit_test(interval_is_students),
        cmocka_unit_test(intervals_cover_the_truth),
        cmocka_unit_test(correlated_cells_are_not_independent),
        cmocka_unit_test(quantiles_have_intervals),
        cmocka_unit_test(functions_of_sums_have_intervals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
