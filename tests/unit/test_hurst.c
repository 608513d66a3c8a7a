/* SPDX-License-Identifier: Apache-2.0 */
/* The Hurst estimate against processes whose parameter is known: fractional Gaussian noise, coins
 * without memory, superposed on-off sources, equal counts. Intervals must cover as often as they
 * say. */
#include "base/memory.h"
#include "interweft/traffic.h"
#include "net/kinds.h"
#include "stats/hurst.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "contract/settings.h"

enum { LENGTH = 1024, RUNS = 200 };

static double normal(weft_random *random)
{
    double radius = sqrt(-2 * log(weft_random_open(random)));
    return radius * cos(2 * 3.141592653589793 * weft_random_open(random));
}

/* Autocovariance of fractional Gaussian noise at a lag. */
static double covariance(double h, double lag)
{
    return 0.5 * (pow(fabs(lag + 1), 2 * h) - 2 * pow(lag, 2 * h) + pow(fabs(lag - 1), 2 * h));
}

/* The recursion of Levinson and Durbin, once for all runs: row i of the predictor and its error. */
static void predict(double h, double *rows, double *errors)
{
    errors[0] = 1;
    for (int i = 1; i < LENGTH; i++) {
        double *row = rows + (size_t)i * LENGTH, *last = row - LENGTH, sum = covariance(h, i);
        for (int k = 1; k < i; k++)
            sum -= last[k] * covariance(h, i - k);
        row[i] = sum / errors[i - 1];
        for (int k = 1; k < i; k++)
            row[k] = last[k] - row[i] * last[i - k];
        errors[i] = errors[i - 1] * (1 - row[i] * row[i]);
    }
}

static weft_hurst noise(const double *rows, const double *errors, uint64_t run)
{
    static const double scale = 1e4, level = 1e6;
    double values[LENGTH];
    weft_hurst hurst = {0};
    weft_random random = weft_random_stream(5, run, 1, WEFT_FOR_ESTIMATE);
    for (int i = 0; i < LENGTH; i++) {
        values[i] = sqrt(errors[i]) * normal(&random);
        for (int k = 1; k <= i; k++)
            values[i] += rows[(size_t)i * LENGTH + (size_t)k] * values[i - k];
        weft_hurst_add(&hurst, (int64_t)(level + scale * values[i]));
    }
    return hurst;
}

/* At 95 % some 6 to 7 % miss (59, 59 and 72 of 1,000 runs): the selection of octaves costs some
 * coverage. More than 26 of 200 would be a mistake. */
static void intervals_cover_fractional_noise(void **state)
{
    (void)state;
    double *rows = weft_alloc(sizeof *rows * LENGTH * LENGTH), errors[LENGTH];
    for (double h = 0.5; h < 0.95; h += 0.2) {
        double sum = 0, squares = 0;
        int missed = 0;
        predict(h, rows, errors);
        for (uint64_t run = 0; run < RUNS; run++) {
            weft_hurst hurst = noise(rows, errors, run);
            uint32_t octave;
            weft_estimate found = weft_hurst_estimate(&hurst, 0.95, &octave);
            missed += !(found.lo <= h && h <= found.hi);
            sum += found.value;
            squares += found.value * found.value;
        }
        double mean = sum / RUNS, error = sqrt((squares / RUNS - mean * mean) / RUNS);
        print_message("H %.1f: mean %.4f ± %.4f, %d of %d intervals miss\n", h, mean, error, missed,
                      RUNS);
        assert_true(fabs(mean - h) <= 4 * error + 0.01);
        assert_true(missed <= 26);
    }
    free(rows);
}

/* Messages of `sources` in intervals of `width` ticks. */
static weft_estimate of_arrivals(const char *name, const char *text, uint32_t sources, double mean,
                                 uint32_t intervals, double width, uint32_t *octave)
{
    const weft_component *kind = kind_named(weft_arrival_kinds, name);
    void *settings = settings_make(kind, text);
    weft_arrival arrival = {.kind = (const weft_arrival_kind *)(const void *)kind,
                            .settings = settings,
                            .mean = mean,
                            .cycle_ticks = 1};
    int64_t *counts = weft_alloc(sizeof *counts * intervals);
    for (uint32_t s = 0; s < sources; s++) {
        weft_fine_time at = 0;
        uint32_t memory = 0;
        for (uint64_t i = 0;; i++) {
            weft_random random = weft_random_stream(6, i, s, WEFT_FOR_ESTIMATE);
            at += arrival.kind->interval_with_memory
                      ? arrival.kind->interval_with_memory(&arrival, i, &memory, &random)
                      : arrival.kind->interval(&arrival, i, &random);
            double interval = (double)at * 0x1p-16 / width;
            if (interval >= intervals)
                break;
            counts[(uint32_t)interval]++;
        }
    }
    weft_hurst hurst = {0};
    for (uint32_t i = 0; i < intervals; i++)
        weft_hurst_add(&hurst, counts[i]);
    free(counts);
    free(settings);
    weft_estimate found = weft_hurst_estimate(&hurst, 0.95, octave);
    print_message("%s %s: %.3f (%.3f … %.3f) from octave %u\n", name, text, found.value, found.lo,
                  found.hi, *octave);
    return found;
}

static void poisson_has_one_half(void **state)
{
    (void)state;
    uint32_t octave;
    weft_estimate found = of_arrivals("poisson", "", 20, 10, 4096, 50, &octave);
    assert_true(found.lo <= 0.5 && 0.5 <= found.hi && found.hi - found.lo < 0.1);
    found =
        of_arrivals("on-off", "on=exponential off=exponential burst=5", 20, 10, 4096, 200, &octave);
    assert_true(found.lo <= 0.5 && 0.5 <= found.hi);
}

/* H = (3 − shape) / 2 in the limit of long times; at these the estimate is within 0.1. */
static void heavy_tails_are_self_similar(void **state)
{
    (void)state;
    uint32_t octave;
    weft_estimate found = of_arrivals("on-off", "on-shape=1.4 off=exponential burst=10", 100, 20,
                                      16384, 100, &octave);
    assert_true(fabs(found.value - 0.8) < 0.1 && found.lo > 0.6);
    found =
        of_arrivals("on-off", "on-shape=1.4 off-shape=1.4 burst=10", 100, 20, 16384, 100, &octave);
    assert_true(fabs(found.value - 0.8) < 0.1 && found.lo > 0.6);
    found = of_arrivals("pareto", "shape=1.4", 100, 20, 16384, 100, &octave);
    assert_true(fabs(found.value - 0.8) < 0.1 && found.lo > 0.6);
}

static void too_little_has_no_estimate(void **state)
{
    (void)state;
    weft_hurst equal = {0}, few = {0};
    uint32_t octave;
    for (int i = 0; i < 1000; i++)
        weft_hurst_add(&equal, 7);
    for (int i = 0; i < 31; i++)
        weft_hurst_add(&few, i % 3);
    assert_true(isnan(weft_hurst_estimate(&equal, 0.95, &octave).value));
    assert_true(isnan(weft_hurst_estimate(&few, 0.95, &octave).value));
}

static void it_goes_on_where_it_was_saved(void **state)
{
    (void)state;
    weft_random random = weft_random_stream(7, 0, 0, WEFT_FOR_ESTIMATE);
    weft_hurst whole = {0}, half = {0};
    for (int i = 0; i < 777; i++) {
        int64_t count = weft_random_below(&random, 1000);
        weft_hurst_add(&whole, count);
        weft_hurst_add(&half, count);
        weft_pack pack = {0};
        weft_hurst_save(&half, &pack);
        weft_unpack from = weft_unpack_of(pack.data, pack.count);
        memset(&half, 0xee, sizeof half);
        weft_hurst_load(&half, &from);
        assert_true(weft_unpack_end(&from));
        weft_pack_done(&pack);
    }
    assert_memory_equal(&whole, &half, sizeof whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_cover_fractional_noise),
        cmocka_unit_test(poisson_has_one_half),
        cmocka_unit_test(heavy_tails_are_self_similar),
        cmocka_unit_test(too_little_has_no_estimate),
        cmocka_unit_test(it_goes_on_where_it_was_saved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
