/* SPDX-License-Identifier: Apache-2.0 */
/* Workload matrices: how many there are (table I of Zheng and others), enumerated in one order
 * and from any place in it, drawn uniformly (chi-square over all 120 with n = 3, d = 4), and the
 * named ones. */
#include "crossbar/matrix.h"

#include "base/numeric.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const uint64_t table[3][8] = {
    {6, 21, 55, 120, 231, 406, 666, 1035},
    {24, 282, 2008, 10147, 40176, 132724, 381424, 981541},
    {120, 6210, 153040, 2224955, 22069251, 164176640, 976395820, 0},
};

static weft_xbar_counter *count_of(uint32_t n, uint32_t d)
{
    weft_xbar_counter *counter;
    weft_error err;
    assert_int_equal(weft_xbar_counter_create(n, d, &counter, &err), WEFT_OK);
    return counter;
}

static void counting_gives_table_1(void **state)
{
    (void)state;
    for (uint32_t n = 3; n <= 5; n++)
        for (uint32_t d = 1; d <= 8; d++) {
            weft_xbar_counter *counter = count_of(n, d);
            if (table[n - 3][d - 1])
                assert_int_equal(weft_xbar_counter_total(counter), table[n - 3][d - 1]);
            weft_xbar_counter_destroy(counter);
        }
    weft_xbar_counter *counter = count_of(3, 20);
    assert_int_equal(weft_xbar_counter_total(counter), 26796);
    weft_xbar_counter_destroy(counter);
}

static void refused(uint32_t n, uint32_t d, const char *words)
{
    weft_xbar_counter *counter;
    weft_error err;
    assert_int_equal(weft_xbar_counter_create(n, d, &counter, &err), WEFT_BAD_INPUT);
    assert_null(counter);
    if (!strstr(err.text, words))
        fail_msg("n = %u, d = %u: %s", n, d, err.text);
}

/* At once where an estimate says that they are far too many; near the limit they are counted. */
static void what_is_too_much_is_refused(void **state)
{
    (void)state;
    refused(4, 300, "up to n = 8 and d = 255, found n = 4 and d = 300");
    refused(9, 2, "found n = 9 and d = 2");
    refused(8, 24, "some 1.8e+42 matrices with n = 8 and d = 24; they are counted up to 9.2e+18");
    refused(6, 15, "some 2.6e+19 matrices with n = 6 and d = 15, too many to be counted");
}

/* In ascending order, so all different; with the sums they should have. */
static uint64_t walk_all(uint32_t n, uint32_t d)
{
    weft_xbar_odometer walk;
    uint32_t before[WEFT_ODOMETER_MAX * WEFT_ODOMETER_MAX];
    uint64_t count = 0;
    weft_error err;
    bool more = true;
    for (weft_xbar_odometer_init(&walk, n, d); more; more = weft_xbar_odometer_next(&walk)) {
        uint32_t sum, k = 0;
        if (count % 64 == 0) {
            assert_int_equal(weft_xbar_matrix_check(n, walk.cell, &sum, &err), WEFT_OK);
            assert_int_equal(sum, d);
        }
        while (count > 0 && before[k] == walk.cell[k])
            k++;
        assert_true(count == 0 || (k < n * n && before[k] < walk.cell[k]));
        memcpy(before, walk.cell, n * n * sizeof *before);
        count++;
    }
    return count;
}

static void enumerating_gives_table_1(void **state)
{
    (void)state;
    for (uint32_t d = 1; d <= 8; d++) {
        assert_int_equal(walk_all(3, d), table[0][d - 1]);
        assert_int_equal(walk_all(4, d), table[1][d - 1]);
        if (d <= 4)
            assert_int_equal(walk_all(5, d), table[2][d - 1]);
    }
    assert_int_equal(walk_all(3, 20), 26796);
    assert_int_equal(walk_all(1, 7), 1);
    assert_int_equal(walk_all(2, 7), 8);
}

static void any_index_can_be_gone_to(void **state)
{
    (void)state;
    weft_xbar_counter *counter = count_of(4, 5);
    weft_xbar_odometer walk, there;
    uint64_t index = 0;
    weft_xbar_odometer_init(&walk, 4, 5);
    do {
        if (index % 37 == 0 || index + 5 > weft_xbar_counter_total(counter)) {
            weft_xbar_odometer_init(&there, 4, 5);
            weft_xbar_odometer_seek(&there, counter, index);
            assert_memory_equal(there.cell, walk.cell, 16 * sizeof *walk.cell);
        }
        index++;
    } while (weft_xbar_odometer_next(&walk));
    assert_int_equal(index, weft_xbar_counter_total(counter));
    weft_xbar_counter_destroy(counter);
    counter = count_of(5, 7);
    weft_xbar_odometer_init(&there, 5, 7);
    weft_xbar_odometer_seek(&there, counter, weft_xbar_counter_total(counter) - 1);
    assert_false(weft_xbar_odometer_next(&there));
    weft_xbar_counter_destroy(counter);
}

/* ---- by lot ---- */

static uint64_t index_of(const uint32_t *cell)
{
    weft_xbar_odometer walk;
    uint64_t index = 0;
    weft_xbar_odometer_init(&walk, 3, 4);
    while (memcmp(walk.cell, cell, 9 * sizeof *cell) != 0) {
        assert_true(weft_xbar_odometer_next(&walk));
        index++;
    }
    return index;
}

static double chi_square(weft_xbar_drawing_rule rule, uint32_t draws)
{
    weft_xbar_draw draw = {.rule = rule, .n = 3, .d = 4, .seed = 2024};
    uint32_t seen[120] = {0}, cell[9];
    double sum = 0, expected = draws / 120.0;
    for (uint32_t k = 0; k < draws; k++) {
        weft_xbar_draw_matrix(&draw, k, cell);
        seen[index_of(cell)]++;
    }
    for (uint32_t k = 0; k < 120; k++)
        sum += (seen[k] - expected) * (seen[k] - expected) / expected;
    return sum;
}

/* 119 degrees of freedom; Wilson and Hilferty: the cube root of χ² / 119 is nearly normal. */
static double score(double chi)
{
    double v = 2.0 / (9.0 * 119.0);
    return (weft_pow(chi / 119.0, 1.0 / 3.0) - (1 - v)) / weft_sqrt(v);
}

static void uniform_ones_are_uniform_and_sequential_ones_are_not(void **state)
{
    (void)state;
    double uniform = score(chi_square(WEFT_DRAW_UNIFORM, 24000));
    double sequential = score(chi_square(WEFT_DRAW_SEQUENTIAL, 24000));
    printf("scores: uniform %.2f, sequential %.1f\n", uniform, sequential);
    assert_true(uniform > -4 && uniform < 4);
    assert_true(sequential > 10);
}

static void drawn_ones_have_their_sums_and_come_again(void **state)
{
    (void)state;
    for (int rule = WEFT_DRAW_UNIFORM; rule <= WEFT_DRAW_PERMUTED; rule++)
        for (uint32_t n = 1; n <= 64; n = n * 3 + 1) {
            weft_xbar_draw draw = {
                .rule = (weft_xbar_drawing_rule)rule, .n = n, .d = 100, .seed = 5};
            uint32_t *cell = calloc((size_t)n * n, sizeof *cell), d;
            uint32_t *again = calloc((size_t)n * n, sizeof *again);
            weft_error err;
            weft_xbar_draw_matrix(&draw, 77, cell);
            assert_int_equal(weft_xbar_matrix_check(n, cell, &d, &err), WEFT_OK);
            assert_int_equal(d, 100);
            weft_xbar_draw_matrix(&draw, 77, again);
            assert_memory_equal(cell, again, (size_t)n * n * sizeof *cell);
            free(cell);
            free(again);
        }
}

/* The mean of a cell of a 16 × 16 matrix is d / 16 wherever it stands, whatever the chain
 * started from. */
static void the_chain_has_forgotten_where_it_came_from(void **state)
{
    (void)state;
    weft_xbar_draw draw = {.rule = WEFT_DRAW_UNIFORM, .n = 16, .d = 100, .seed = 3};
    uint32_t cell[256], draws = 60;
    double diagonal = 0, squares = 0;
    for (uint32_t k = 0; k < draws; k++) {
        double trace = 0;
        weft_xbar_draw_matrix(&draw, k, cell);
        for (uint32_t i = 0; i < 16; i++)
            trace += cell[17 * i];
        diagonal += trace;
        squares += trace * trace;
    }
    double mean = diagonal / draws;
    double error = weft_sqrt((squares / draws - mean * mean) / (draws - 1));
    assert_true(mean - 100 < 4 * error && mean - 100 > -4 * error);
}

/* ---- named ones ---- */

static void patterns_are_as_defined(void **state)
{
    (void)state;
    uint32_t cell[16], d;
    weft_error err;
    static const uint32_t log_diagonal[16] = {8, 4, 2, 1, 1, 8, 4, 2, 2, 1, 8, 4, 4, 2, 1, 8};
    static const uint32_t diagonal[16] = {2, 1, 0, 0, 0, 2, 1, 0, 0, 0, 2, 1, 1, 0, 0, 2};
    assert_int_equal(weft_xbar_matrix_pattern("log-diagonal", 4, 0, cell, &d, &err), WEFT_OK);
    assert_memory_equal(cell, log_diagonal, sizeof cell);
    assert_int_equal(d, 15);
    assert_int_equal(weft_xbar_matrix_pattern("diagonal", 4, 0, cell, &d, &err), WEFT_OK);
    assert_memory_equal(cell, diagonal, sizeof cell);
    assert_int_equal(weft_xbar_matrix_pattern("lin-diagonal", 4, 0, cell, &d, &err), WEFT_OK);
    assert_true(d == 10 && cell[0] == 4 && cell[1] == 3 && cell[3] == 1 && cell[4] == 1);
    assert_int_equal(weft_xbar_matrix_pattern("uniform", 4, 0, cell, &d, &err), WEFT_OK);
    assert_true(d == 4 && cell[0] == 1 && cell[7] == 1);
    /* w = 0.4: 0.4 + 0.6 / 4 = 0.55 and 0.15, as 11 and 3 of 20 */
    assert_int_equal(weft_xbar_matrix_pattern("unbalanced", 4, 400, cell, &d, &err), WEFT_OK);
    assert_true(d == 20 && cell[0] == 11 && cell[1] == 3);
    assert_int_equal(weft_xbar_matrix_pattern("unbalanced", 4, 1000, cell, &d, &err), WEFT_OK);
    assert_true(d == 1 && cell[0] == 1 && cell[1] == 0);
    assert_int_equal(weft_xbar_matrix_pattern("sideways", 4, 0, cell, &d, &err), WEFT_BAD_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counting_gives_table_1),
        cmocka_unit_test(what_is_too_much_is_refused),
        cmocka_unit_test(enumerating_gives_table_1),
        cmocka_unit_test(any_index_can_be_gone_to),
        cmocka_unit_test(uniform_ones_are_uniform_and_sequential_ones_are_not),
        cmocka_unit_test(drawn_ones_have_their_sums_and_come_again),
        cmocka_unit_test(the_chain_has_forgotten_where_it_came_from),
        cmocka_unit_test(patterns_are_as_defined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
