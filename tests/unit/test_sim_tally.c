/* SPDX-License-Identifier: Apache-2.0 */
/* Counting packets: the columns of a row, its groups, and the population over time. */
#include "sim/tally.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/memory.h"
#include "config/scenario.h"
#include "interweft/random.h"

typedef struct row {
    weft_i128 *at;
    weft_histogram *bins;
    uint32_t columns, groups;
} row;

static row row_open(const weft_tally *tally)
{
    row of = {.groups = weft_tally_groups(tally)};
    of.columns = of.groups * weft_tally_width(tally);
    of.at = calloc(of.columns, sizeof *of.at);
    of.bins = calloc(of.groups, sizeof *of.bins);
    return of;
}

static void row_close(row *of)
{
    free(of->at);
    free(of->bins);
}

static void write_row(const weft_tally *tally, weft_time ticks, int64_t *population, row *of)
{
    const weft_histogram *bins = weft_tally_row(tally, ticks, population, of->at, of->bins);
    if (bins != of->bins)
        memcpy(of->bins, bins, sizeof *bins * of->groups);
}

static void assert_group(const weft_i128 *at, const int64_t *expected)
{
    for (int c = 0; c < WEFT_COLUMNS; c++)
        assert_int_equal((int64_t)at[c], expected[c]);
}

static void a_row_holds_what_was_counted(void **state)
{
    (void)state;
    weft_tally tally;
    weft_tally_init(&tally, 1, 5, false);
    weft_tally_clear(&tally, 100);
    assert_int_equal(weft_tally_groups(&tally), 1);
    assert_int_equal(weft_tally_width(&tally), WEFT_COLUMNS);
    weft_tally_generate(&tally, 0, 104);
    weft_tally_generate(&tally, 0, 110);
    weft_tally_deliver(&tally, 0, 112, 8, 6, 3, 1);   /* latency 8, 6 flits, 3 hops, 1 cut */
    weft_tally_deliver(&tally, 0, 119, 40, 10, 1, 0); /* came in an earlier interval */
    row of = row_open(&tally);
    int64_t population = 5;
    write_row(&tally, 20, &population, &of);
    /* 5 packets for 20 ticks, one from tick 4 and one from 10 on, one less from 12 and from 19
     * on */
    const int64_t expected[WEFT_COLUMNS] = {
        2, 2, 16, 48, 64 + 1600, 4, 28, 1, 2, 100 + 16 + 10 - 8 - 1, 2, 0, 2};
    assert_group(of.at, expected);
    assert_int_equal(population, 5);
    assert_int_equal(weft_histogram_total(&of.bins[0]), 2);
    assert_int_equal(of.bins[0].count[weft_histogram_bin(8)], 1);
    assert_int_equal(of.bins[0].count[weft_histogram_bin(40)], 1);
    row_close(&of);
    weft_tally_done(&tally);
}

/* A message that is lost leaves like one that is delivered, but is none; servers' time goes with
 * the flow. */
static void losses_leave_too(void **state)
{
    (void)state;
    weft_tally tally, copy;
    weft_tally_init(&tally, 1, 5, false);
    weft_tally_init(&copy, 1, 5, false);
    weft_tally_generate(&tally, 0, 2);
    weft_tally_generate(&tally, 0, 3);
    weft_tally_lose(&tally, 0, 6);
    tally.traffic_classes[0].busy = 11;
    int64_t *words = weft_alloc(sizeof *words * weft_tally_words(&tally));
    weft_tally_write(&tally, words);
    weft_tally_read(&copy, words);
    weft_tally_merge(&copy, &tally);
    row of = row_open(&copy);
    int64_t population = 1;
    write_row(&copy, 10, &population, &of);
    const int64_t expected[WEFT_COLUMNS] = {4, 0, 0, 0, 0, 0, 0, 0, 0, 10 + 2 * (8 + 7 - 4),
                                            0, 2, 2, 22};
    assert_group(of.at, expected);
    assert_int_equal(population, 3);
    free(words);
    row_close(&of);
    weft_tally_done(&tally);
    weft_tally_done(&copy);
}

static void packets_are_split_by_hops(void **state)
{
    (void)state;
    weft_tally tally;
    weft_tally_init(&tally, 1, 3, true);
    assert_int_equal(weft_tally_width(&tally), WEFT_COLUMNS + 4 * WEFT_HOP_COLUMNS);
    weft_tally_deliver(&tally, 0, 9, 2, 1, 0, 0);
    weft_tally_deliver(&tally, 0, 9, 5, 1, 2, 1);
    weft_tally_deliver(&tally, 0, 9, 7, 1, 2, 0);
    weft_tally_deliver(&tally, 0, 9, 9, 1, 3, 2);
    row of = row_open(&tally);
    int64_t population = 4;
    write_row(&tally, 10, &population, &of);
    const int64_t expected[4][WEFT_HOP_COLUMNS] = {
        {1, 1, 2, 4, 0, 0}, {0}, {2, 2, 12, 74, 1, 2}, {1, 1, 9, 81, 2, 2}};
    for (uint32_t h = 0; h < 4; h++)
        for (uint32_t c = 0; c < WEFT_HOP_COLUMNS; c++)
            assert_int_equal((int64_t)of.at[weft_tally_hop_column(0, h) + c], expected[h][c]);
    assert_int_equal((int64_t)of.at[WEFT_COL_CHANCES], 4);
    row_close(&of);
    weft_tally_done(&tally);
}

/* A message of three packets over 2, 3 and 2 hops, completed by the second of them. */
static void messages_and_packets_are_counted_apart(void **state)
{
    (void)state;
    weft_tally tally, copy;
    weft_tally_init(&tally, 1, 3, true);
    weft_tally_init(&copy, 1, 3, true);
    tally.traffic_classes[0].made = 4;
    weft_tally_generate(&tally, 0, 1);
    weft_tally_receive(&tally, 0, 4, 2, 1);
    weft_tally_receive(&tally, 0, 1, 2, 0);
    weft_tally_receive(&tally, 0, 4, 3, 2);
    weft_tally_complete(&tally, 0, 8, 7, 3);
    int64_t *words = weft_alloc(sizeof *words * weft_tally_words(&tally));
    weft_tally_write(&tally, words); /* … by way of another process */
    weft_tally_read(&copy, words);
    assert_int_equal(copy.traffic_classes[0].made, 4);
    row of = row_open(&copy);
    int64_t population = 0;
    write_row(&copy, 10, &population, &of);
    const int64_t all[WEFT_COLUMNS] = {1, 1,     9, 7, 49, 7, 4 * 2 + 2 + 4 * 3, 3,
                                       4, 9 - 2, 3, 0, 1,  0, (7 << 16) / 3};
    assert_group(of.at, all);
    const int64_t two[WEFT_HOP_COLUMNS] = {2, 0, 0, 0, 1, 2}, three[] = {1, 1, 7, 49, 2, 2};
    for (uint32_t c = 0; c < WEFT_HOP_COLUMNS; c++) {
        assert_int_equal((int64_t)of.at[weft_tally_hop_column(0, 2) + c], two[c]);
        assert_int_equal((int64_t)of.at[weft_tally_hop_column(0, 3) + c], three[c]);
    }
    free(words);
    row_close(&of);
    weft_tally_done(&tally);
    weft_tally_done(&copy);
}

static void several_traffic_classes_have_a_group_each_and_one_for_all(void **state)
{
    (void)state;
    weft_tally tally;
    weft_tally_init(&tally, 2, 5, false);
    assert_int_equal(weft_tally_groups(&tally), 3);
    weft_tally_generate(&tally, 0, 1);
    weft_tally_generate(&tally, 1, 2);
    weft_tally_generate(&tally, 1, 3);
    weft_tally_deliver(&tally, 1, 7, 5, 4, 2, 1);
    row of = row_open(&tally);
    int64_t population[2] = {0, 10};
    write_row(&tally, 10, population, &of);
    const int64_t first[WEFT_COLUMNS] = {1, 0, 0, 0, 0, 0, 0, 0, 0, 9, 0};
    const int64_t second[WEFT_COLUMNS] = {2, 1, 4, 5, 25, 2, 8, 1, 1, 100 + 8 + 7 - 3, 1, 0, 1};
    int64_t both[WEFT_COLUMNS];
    for (int c = 0; c < WEFT_COLUMNS; c++)
        both[c] = first[c] + second[c];
    assert_group(of.at, both);
    assert_group(of.at + WEFT_COLUMNS, first);
    assert_group(of.at + 2 * WEFT_COLUMNS, second);
    assert_int_equal(population[0], 1);
    assert_int_equal(population[1], 11);
    assert_int_equal(weft_histogram_total(&of.bins[0]), 1);
    assert_int_equal(weft_histogram_total(&of.bins[1]), 0);
    row_close(&of);
    weft_tally_done(&tally);
}

/* Random lives of packets, cut into intervals: the column against the sum over every tick. */
static void population_is_the_integral_of_a_step_function(void **state)
{
    (void)state;
    enum { PACKETS = 300, TICKS = 1000, SPAN = 50 };
    static int64_t born[PACKETS], died[PACKETS];
    weft_random random = weft_random_stream(5, 0, 0, WEFT_FOR_ESTIMATE);
    for (int i = 0; i < PACKETS; i++) {
        born[i] = weft_random_below(&random, TICKS);
        died[i] = born[i] + 1 + weft_random_below(&random, 200);
    }
    weft_tally tally;
    weft_tally_init(&tally, 1, 1, false);
    row of = row_open(&tally);
    int64_t population = 0;
    for (int64_t start = 0; start < TICKS; start += SPAN) {
        int64_t expected = 0;
        weft_tally_clear(&tally, start);
        for (int i = 0; i < PACKETS; i++) {
            if (born[i] >= start && born[i] < start + SPAN)
                weft_tally_generate(&tally, 0, born[i]);
            if (died[i] >= start && died[i] < start + SPAN)
                weft_tally_deliver(&tally, 0, died[i], (uint32_t)(died[i] - born[i]), 1, 1, 0);
            for (int64_t t = start; t < start + SPAN; t++)
                expected += born[i] <= t && t < died[i];
        }
        write_row(&tally, SPAN, &population, &of);
        assert_int_equal((int64_t)of.at[WEFT_COL_POPULATION], expected);
    }
    row_close(&of);
    weft_tally_done(&tally);
}

static void count_some(weft_tally *tally, uint32_t which)
{
    weft_random random = weft_random_stream(6, which, 0, WEFT_FOR_ESTIMATE);
    for (int i = 0; i < 500; i++) {
        uint32_t traffic_class = weft_random_below(&random, 2),
                 hops = weft_random_below(&random, 7);
        weft_tally_generate(tally, traffic_class, 1000 + weft_random_below(&random, 64));
        weft_tally_deliver(tally, traffic_class, 1000 + weft_random_below(&random, 64),
                           weft_random_word(&random) >> 4, 1 + weft_random_below(&random, 99), hops,
                           hops / 2);
    }
}

static row row_of(const weft_tally *tally)
{
    row of = row_open(tally);
    int64_t population[2] = {3, 4};
    write_row(tally, 64, population, &of);
    return of;
}

/* The row of one tally that counts everything. */
static row undivided(void)
{
    weft_tally whole;
    weft_tally_init(&whole, 2, 6, true);
    weft_tally_clear(&whole, 1000);
    for (uint32_t i = 0; i < 3; i++)
        count_some(&whole, i);
    row of = row_of(&whole);
    weft_tally_done(&whole);
    return of;
}

/* The row of three threads' tallies, merged in the order given. */
static row merged(const uint32_t *order)
{
    weft_tally part[3], whole;
    weft_tally_init(&whole, 2, 6, true);
    weft_tally_clear(&whole, 1000);
    for (uint32_t i = 0; i < 3; i++) {
        weft_tally_init(&part[i], 2, 6, true);
        weft_tally_clear(&part[i], 1000);
        count_some(&part[i], i);
    }
    for (int i = 0; i < 3; i++) {
        weft_tally_merge(&whole, &part[order[i]]);
        assert_int_equal(part[order[i]].traffic_classes[0].delivered, 0); /* left empty */
        assert_int_equal(part[order[i]].since, 1000);
    }
    row of = row_of(&whole);
    for (uint32_t i = 0; i < 3; i++)
        weft_tally_done(&part[i]);
    weft_tally_done(&whole);
    return of;
}

static void merging_does_not_depend_on_the_order(void **state)
{
    (void)state;
    const uint32_t orders[][3] = {{0, 1, 2}, {2, 1, 0}, {1, 0, 2}};
    row first = undivided();
    assert_int_equal((int64_t)first.at[WEFT_COL_DELIVERED], 1500);
    for (int i = 0; i < 3; i++) {
        row other = merged(orders[i]);
        assert_memory_equal(first.at, other.at, sizeof *first.at * first.columns);
        assert_memory_equal(first.bins, other.bins, sizeof *first.bins * first.groups);
        row_close(&other);
    }
    row_close(&first);
}

/* The longest latencies there are need 128 bits. */
static void squares_do_not_overflow(void **state)
{
    (void)state;
    weft_tally tally;
    weft_tally_init(&tally, 1, 1, true);
    for (int i = 0; i < 5; i++)
        weft_tally_deliver(&tally, 0, 0, UINT32_MAX, 1, 1, 0);
    row of = row_open(&tally);
    int64_t population = 5;
    write_row(&tally, 1, &population, &of);
    weft_i128 square = (weft_i128)UINT32_MAX * UINT32_MAX;
    assert_true(of.at[WEFT_COL_SQUARE] == 5 * square);
    assert_true(of.at[weft_tally_hop_column(0, 1) + WEFT_HOP_SQUARE] == 5 * square);
    row_close(&of);
    weft_tally_done(&tally);
}

/* Deadlines count messages, guarantees count intervals; both stay when the interval is over. */
static void promises_are_counted(void **state)
{
    (void)state;
    weft_tally tally, other;
    weft_tally_init(&tally, 1, 5, false);
    weft_tally_init(&other, 1, 5, false);
    weft_tally_promise(&tally, 0, 20, 0.5);
    weft_tally_promise(&other, 0, 20, 0.5);
    row of = row_open(&tally);
    int64_t population = 9;
    for (int interval = 0; interval < 2; interval++) {
        weft_tally_deliver(&tally, 0, 4, 20, 4, 1, 0);
        weft_tally_deliver(&tally, 0, 5, 21, 4, 1, 0);
        weft_tally_deliver(&other, 0, 6, 3, interval ? 1 : 2, 1, 0);
        weft_tally_merge(&tally, &other);
        write_row(&tally, 20, &population, &of);
        assert_int_equal((int64_t)of.at[WEFT_COL_IN_TIME], 2);
        assert_int_equal((int64_t)of.at[WEFT_COL_KEPT], interval == 0); /* 10 flits in 20 ticks */
        weft_tally_clear(&tally, 0);
    }
    row_close(&of);
    weft_tally_done(&tally);
    weft_tally_done(&other);
}

/* Packets of three hops: cut after a cut, blocked after a cut, cut after a block. */
static void histories_come_from_another_process_too(void **state)
{
    (void)state;
    weft_tally tally, copy;
    weft_tally_init(&tally, 1, 4, WEFT_BY_HISTORY);
    weft_tally_init(&copy, 1, 4, WEFT_BY_HISTORY);
    weft_tally_pair(&tally, 0, 3, true, true);
    weft_tally_pair(&tally, 0, 3, true, false);
    weft_tally_pair(&tally, 0, 3, false, true);
    weft_tally_deliver(&tally, 0, 9, 5, 1, 3, 2);
    weft_tally_deliver(&tally, 0, 9, 5, 1, 3, 2);
    weft_tally_deliver(&tally, 0, 9, 5, 1, 1, 0);
    int64_t *words = weft_alloc(sizeof *words * weft_tally_words(&tally));
    weft_tally_write(&tally, words);
    weft_tally_read(&copy, words);
    row of = row_open(&copy);
    int64_t population = 3;
    write_row(&copy, 10, &population, &of);
    const weft_i128 *history = of.at + weft_tally_history_column(&copy, 0);
    const int64_t pairs[WEFT_PAIR_COLUMNS] = {1, 2, 1, 1};
    for (uint32_t c = 0; c < WEFT_PAIR_COLUMNS; c++) {
        assert_int_equal((int64_t)history[weft_tally_pair_word(3) + c], pairs[c]);
        assert_int_equal((int64_t)history[weft_tally_pair_word(0) + c], pairs[c]); /* of all */
        assert_int_equal((int64_t)history[weft_tally_pair_word(2) + c], 0);
    }
    assert_int_equal((int64_t)history[weft_tally_cuts_word(&copy, 3, 2)], 2);
    assert_int_equal((int64_t)history[weft_tally_cuts_word(&copy, 3, 1)], 0);
    assert_int_equal((int64_t)history[weft_tally_cuts_word(&copy, 1, 0)], 1);
    free(words);
    row_close(&of);
    weft_tally_done(&tally);
    weft_tally_done(&copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(promises_are_counted),
        cmocka_unit_test(a_row_holds_what_was_counted),
        cmocka_unit_test(losses_leave_too),
        cmocka_unit_test(packets_are_split_by_hops),
        cmocka_unit_test(messages_and_packets_are_counted_apart),
        cmocka_unit_test(histories_come_from_another_process_too),
        cmocka_unit_test(several_traffic_classes_have_a_group_each_and_one_for_all),
        cmocka_unit_test(population_is_the_integral_of_a_step_function),
        cmocka_unit_test(merging_does_not_depend_on_the_order),
        cmocka_unit_test(squares_do_not_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
