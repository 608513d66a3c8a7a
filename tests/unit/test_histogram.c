/* SPDX-License-Identifier: Apache-2.0 */
/* Bins against their edges, quantiles of known data, merging. */
#include "stats/histogram.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "interweft/random.h"

static void bins_begin_at_their_edges(void **state)
{
    (void)state;
    assert_int_equal(weft_histogram_edge(0), 0);
    for (uint32_t bin = 0; bin < WEFT_HISTOGRAM_BINS; bin++) {
        int64_t edge = weft_histogram_edge(bin), next = weft_histogram_edge(bin + 1);
        assert_true(next > edge);
        assert_int_equal(weft_histogram_bin((uint64_t)edge), bin);
        assert_int_equal(weft_histogram_bin((uint64_t)next - 1), bin);
        assert_true(next - edge == 1 || (double)(next - edge) <= (double)edge / 64);
    }
    assert_int_equal(weft_histogram_edge(WEFT_HISTOGRAM_BINS), (int64_t)1 << WEFT_HISTOGRAM_TOP);
    assert_int_equal(weft_histogram_bin((uint64_t)1 << WEFT_HISTOGRAM_TOP),
                     WEFT_HISTOGRAM_BINS - 1);
    assert_int_equal(weft_histogram_bin(UINT64_MAX), WEFT_HISTOGRAM_BINS - 1);
}

static void quantile_of_small_values_is_exact(void **state)
{
    (void)state;
    weft_histogram histogram = {{0}};
    for (uint64_t value = 1; value <= 100; value++)
        weft_histogram_add(&histogram, value);
    assert_int_equal(weft_histogram_total(&histogram), 100);
    assert_true(weft_histogram_quantile(&histogram, 0) == 1);
    assert_true(weft_histogram_quantile(&histogram, 0.01) == 1);
    assert_true(weft_histogram_quantile(&histogram, 0.5) == 50);
    assert_true(weft_histogram_quantile(&histogram, 0.505) == 51);
    assert_true(weft_histogram_quantile(&histogram, 0.99) == 99);
    assert_true(weft_histogram_quantile(&histogram, 1) == 100);
}

/* Nothing waited is an observation, too. */
static void zeros_are_counted(void **state)
{
    (void)state;
    weft_histogram histogram = {{0}};
    for (int i = 0; i < 3; i++)
        weft_histogram_add(&histogram, 0);
    assert_int_equal(weft_histogram_total(&histogram), 3);
    assert_true(weft_histogram_quantile(&histogram, 0.5) == 0);
    weft_histogram_add(&histogram, 1);
    assert_int_equal(weft_histogram_total(&histogram), 4);
    assert_true(weft_histogram_quantile(&histogram, 0.75) == 0);
    assert_true(weft_histogram_quantile(&histogram, 0.76) == 1);
    assert_true(weft_histogram_quantile(&histogram, 1) == 1);
}

static void quantile_of_large_values_is_interpolated(void **state)
{
    (void)state;
    weft_histogram *histogram = calloc(1, sizeof *histogram);
    const uint64_t count = (1u << 20) - 1; /* the last bin is full */
    for (uint64_t value = 1; value <= count; value++)
        weft_histogram_add(histogram, value);
    const double shares[] = {0.001, 0.1, 0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999};
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        double truth = shares[i] * (double)count;
        assert_true(fabs(weft_histogram_quantile(histogram, shares[i]) - truth) <= 1);
    }
    free(histogram);
}

static void quantile_without_observations_is_not_a_number(void **state)
{
    (void)state;
    weft_histogram histogram = {{0}};
    assert_true(isnan(weft_histogram_quantile(&histogram, 0.5)));
    weft_histogram_add(&histogram, UINT64_MAX);
    assert_true(weft_histogram_quantile(&histogram, 0.5) <= 0x1p41);
    assert_true(weft_histogram_quantile(&histogram, 0.5) >= 0x1p40);
}

static void merging_does_not_depend_on_order(void **state)
{
    (void)state;
    weft_histogram part[3], whole, forward, backward;
    memset(part, 0, sizeof part);
    memset(&whole, 0, sizeof whole);
    memset(&forward, 0, sizeof forward);
    memset(&backward, 0, sizeof backward);
    weft_random random = weft_random_stream(1, 0, 0, WEFT_FOR_ESTIMATE);
    for (int i = 0; i < 30000; i++) {
        uint64_t value = (uint64_t)weft_random_word(&random) >> weft_random_below(&random, 32);
        weft_histogram_add(&part[i % 3], value);
        weft_histogram_add(&whole, value);
    }
    for (int i = 0; i < 3; i++) {
        weft_histogram_merge(&forward, &part[i]);
        weft_histogram_merge(&backward, &part[2 - i]);
    }
    assert_memory_equal(&forward, &whole, sizeof whole);
    assert_memory_equal(&backward, &whole, sizeof whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bins_begin_at_their_edges),
        cmocka_unit_test(quantile_of_small_values_is_exact),
        cmocka_unit_test(zeros_are_counted),
        cmocka_unit_test(quantile_of_large_values_is_interpolated),
        cmocka_unit_test(quantile_without_observations_is_not_a_number),
        cmocka_unit_test(merging_does_not_depend_on_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
