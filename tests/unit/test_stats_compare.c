/* SPDX-License-Identifier: Apache-2.0 */
/* The z rules against values worked out by hand or integrated elsewhere. */
#include "stats/compare.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void near(double found, double wanted, double within)
{
    if (!(fabs(found - wanted) <= within))
        fail_msg("%.12g instead of %.12g", found, wanted);
}

static void sample_gives_mean_and_error(void **state)
{
    (void)state;
    weft_sample sample = {0};
    const double values[] = {2, 4, 4, 4, 5, 5, 7, 9}; /* squares about 5: 32 */
    for (size_t i = 0; i < 8; i++)
        weft_sample_add(&sample, values[i]);
    weft_mean mean = weft_sample_mean(&sample);
    near(mean.value, 5, 1e-12);
    near(mean.error, sqrt(32.0 / 7 / 8), 1e-12);
    near(mean.freedom, 7, 0);
    weft_sample single = {0};
    weft_sample_add(&single, 3);
    near(weft_sample_error(&single), 0, 0);
}

static void score_has_the_tail_of_t(void **state)
{
    (void)state;
    near(weft_score_of_t(2.262157, 9), 1.959964, 1e-6);
    near(weft_score_of_t(-4, 7), -2.795004, 1e-5);
    near(weft_score_of_t(12, 7), 4.514110, 1e-4);
    near(weft_score_of_t(0, 7), 0, 1e-12);
    near(weft_score_of_t(1.5, 1e6), 1.5, 1e-5);
}

static void score_is_cut_where_no_doubt_is_left(void **state)
{
    (void)state;
    near(weft_score_of_t(1e300, 1e6), WEFT_SCORE_ENDLESS, 0);
    near(weft_score_of_t(-1e300, 1e6), -WEFT_SCORE_ENDLESS, 0);
    assert_true(weft_score_of_t(1e9, 9) > 10);
}

static void welch_pools_both_errors(void **state)
{
    (void)state;
    /* t = −2/√2 with (1 + 1)²/(1/7 + 1/9) = 15.75 degrees of freedom */
    weft_mean ours = {10, 1, 7}, theirs = {12, 1, 9};
    near(weft_score_welch(ours, theirs, 0), -1.350791, 1e-5);
    near(weft_score_welch(theirs, ours, 0), 1.350791, 1e-5);
    /* only one of them has an error: its own freedom */
    near(weft_score_welch((weft_mean){4, 1, 7}, (weft_mean){.value = 0}, 0), 2.795004, 1e-5);
}

/* Squares of such errors are no numbers any more. */
static void welch_takes_errors_of_any_size(void **state)
{
    static const double sizes[] = {0x1p-1000, 0x1p-600, 0x1p-300, 0x1p300, 0x1p600, 0x1p1000};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        double u = sizes[i];
        weft_mean ours = {4 * u, u, 7}, theirs = {.value = 0};
        near(weft_score_welch(ours, theirs, 0), 2.795004, 1e-5);
        near(weft_score_welch(ours, (weft_mean){0, 1e-3 * u, 9}, 0), 2.795004, 1e-5);
        near(weft_difference_welch(ours, theirs, 0.95).freedom, 7, 1e-9);
        near(weft_score_welch((weft_mean){1, 0, 7}, (weft_mean){0, u, 9}, 0), u < 1 ? 38 : 0, 1e-9);
    }
}

static void margin_is_taken_off_first(void **state)
{
    (void)state;
    weft_mean ours = {16, 1, 7}, theirs = {.value = 10};
    near(weft_score_welch(ours, theirs, 2), 2.795004, 1e-5);
    near(weft_score_welch(ours, theirs, 6), 0, 1e-12);
    near(weft_score_welch(ours, theirs, 100), 0, 1e-12);
}

static void margin_is_the_tolerance_without_errors(void **state)
{
    (void)state;
    weft_mean ours = {.value = 10}, theirs = {.value = 10.5};
    near(weft_score_welch(ours, theirs, 0.5), 0, 0);
    near(weft_score_welch(ours, theirs, 0.49), -WEFT_SCORE_ENDLESS, 0);
    near(weft_score_welch(ours, ours, 0), 0, 0);
}

static weft_board board_of(size_t cells, double score, size_t others, double other)
{
    weft_board board = {0};
    for (size_t i = 0; i < cells; i++)
        weft_board_add(&board, i % 2 ? score : -score);
    for (size_t i = 0; i < others; i++)
        weft_board_add(&board, i % 2 ? other : -other);
    return board;
}

static void board_finds_each_fault(void **state)
{
    (void)state;
    weft_board board = board_of(100, 1, 0, 0);
    assert_int_equal(weft_board_judge(&board, 100), WEFT_BOARD_GOOD);
    board = board_of(99, 1, 1, 4.01);
    assert_int_equal(weft_board_judge(&board, 100), WEFT_BOARD_WORST);
    board = board_of(97, 1, 3, 2.6);
    assert_int_equal(weft_board_judge(&board, 100), WEFT_BOARD_GOOD);
    board = board_of(96, 1, 4, 2.6);
    assert_int_equal(weft_board_judge(&board, 100), WEFT_BOARD_ABOVE);
    board = (weft_board){0};
    for (int i = 0; i < 100; i++)
        weft_board_add(&board, -0.31);
    assert_int_equal(weft_board_judge(&board, 100), WEFT_BOARD_MEAN);
    assert_int_equal(weft_board_judge(&board, 90), WEFT_BOARD_GOOD); /* fewer independent runs */
}

static void small_board_may_have_one_rare_score(void **state)
{
    (void)state;
    weft_board board = board_of(10, 1, 1, 3);
    assert_int_equal(weft_board_judge(&board, 11), WEFT_BOARD_GOOD);
    board = board_of(10, 1, 2, 3);
    assert_int_equal(weft_board_judge(&board, 12), WEFT_BOARD_ABOVE);
    board = (weft_board){0};
    assert_int_equal(weft_board_judge(&board, 1), WEFT_BOARD_GOOD);
}

static void digits_are_those_of_the_expected_value(void **state)
{
    (void)state;
    assert_true(weft_equal_digits(0.12349, 0.1234, 3));
    assert_true(weft_equal_digits(0.5857864, 0.586, 3));
    assert_false(weft_equal_digits(0.5854, 0.586, 3));
    assert_true(weft_equal_digits(1362965, 1362965, 7));
    assert_false(weft_equal_digits(1362966, 1362965, 7));
    assert_true(weft_equal_digits(-99.96, -100, 4));
    assert_false(weft_equal_digits(-99.94, -100, 4));
    assert_true(weft_equal_digits(0, 0, 3));
    assert_false(weft_equal_digits(1e-9, 0, 3));
    assert_false(weft_equal_digits(1, -1, 1));
}

static void interval_gives_its_error_back(void **state)
{
    (void)state;
    /* 9 degrees of freedom, 95 %: t = 2.262157 */
    weft_mean mean = weft_mean_of_interval(10, 10 - 2.262157, 10 + 2.262157, 0.95, 10);
    near(mean.value, 10, 0);
    near(mean.error, 1, 1e-6);
    near(mean.freedom, 9, 0);
}

static void difference_has_the_interval_of_welch(void **state)
{
    (void)state;
    /* t = 2/√2 with 15.75 degrees of freedom; quantile 0.975: 2.1226434,
     * both tails beyond √2: 0.1767625 (integrated numerically) */
    weft_mean ours = {10, 1, 7}, theirs = {12, 1, 9};
    weft_difference found = weft_difference_welch(ours, theirs, 0.95);
    near(found.value, 2, 0);
    near(found.freedom, 15.75, 1e-12);
    near(found.half_width, 2.1226434 * sqrt(2), 1e-6);
    near(found.p, 0.1767625, 1e-6);
    near(weft_difference_welch(theirs, ours, 0.95).p, found.p, 0);
    near(weft_difference_welch(ours, ours, 0.95).p, 1, 1e-12);
}

static void exact_values_differ_or_not(void **state)
{
    (void)state;
    weft_mean a = {.value = 3}, b = {.value = 4};
    near(weft_difference_welch(a, a, 0.95).p, 1, 0);
    near(weft_difference_welch(a, b, 0.95).p, 0, 0);
    near(weft_difference_welch(a, b, 0.95).half_width, 0, 0);
    assert_true(isnan(weft_difference_welch(a, b, 0.95).freedom));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sample_gives_mean_and_error),
        cmocka_unit_test(score_has_the_tail_of_t),
        cmocka_unit_test(score_is_cut_where_no_doubt_is_left),
        cmocka_unit_test(welch_pools_both_errors),
        cmocka_unit_test(welch_takes_errors_of_any_size),
        cmocka_unit_test(margin_is_taken_off_first),
        cmocka_unit_test(margin_is_the_tolerance_without_errors),
        cmocka_unit_test(board_finds_each_fault),
        cmocka_unit_test(small_board_may_have_one_rare_score),
        cmocka_unit_test(interval_gives_its_error_back),
        cmocka_unit_test(difference_has_the_interval_of_welch),
        cmocka_unit_test(exact_values_differ_or_not),
        cmocka_unit_test(digits_are_those_of_the_expected_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
