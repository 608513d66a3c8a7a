/* SPDX-License-Identifier: Apache-2.0 */
/* Series, control and Hurst sums as bytes of a checkpoint: what was saved goes on as if it had
 * never stopped, and bytes that do not fit are refused. */
#include "stats/control.h"
#include "stats/hurst.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/pack.h"

/* Offsets of a saved series; the last of the upper half of its first sum. */
enum {
    AT_COLUMNS = 0,
    AT_HISTOGRAMS = 4,
    AT_CELLS = 8,
    AT_WIDTH = 12,
    AT_FILLED = 20,
    AT_SUM_HIGH = 36
};

static void feed(weft_series *series, int64_t first, int64_t last)
{
    weft_histogram histogram;
    for (int64_t i = first; i <= last; i++) {
        const weft_i128 row[2] = {(weft_i128)i << 70, -i};
        memset(&histogram, 0, sizeof histogram);
        histogram.count[i % 90] = (uint64_t)i;
        weft_series_add(series, row, &histogram);
    }
}

static weft_pack saved_series(const weft_series *series)
{
    weft_pack pack = {0};
    weft_series_save(series, &pack);
    return pack;
}

static void same_bytes(weft_pack *a, weft_pack *b)
{
    assert_int_equal(a->count, b->count);
    assert_memory_equal(a->data, b->data, a->count);
    weft_pack_done(a);
    weft_pack_done(b);
}

/* 301 intervals: 150 cells of two, and one that is half full. */
static void series_goes_on_where_it_was(void **state)
{
    (void)state;
    weft_series *whole = weft_series_create(2, 1), *again = weft_series_create(2, 1);
    feed(whole, 1, 301);
    weft_pack pack = saved_series(whole);
    weft_unpack from = weft_unpack_of(pack.data, pack.count);
    weft_series_load(again, &from);
    assert_true(weft_unpack_end(&from));
    assert_int_equal(weft_series_cells(again), 150);
    assert_int_equal(weft_series_width(again), 2);
    assert_int_equal(weft_series_intervals(again), 301);
    assert_true(weft_series_at(again, 149, 0) == (weft_i128)(299 + 300) << 70);
    assert_true(weft_series_at(again, 149, 1) == -599);
    assert_true(weft_series_total(again, 1) == -301 * 302 / 2);
    weft_pack_done(&pack);
    feed(whole, 302, 700);
    feed(again, 302, 700);
    weft_pack a = saved_series(whole), b = saved_series(again);
    same_bytes(&a, &b);
    weft_histogram one, two;
    weft_series_histogram(whole, 0, 0, &one);
    weft_series_histogram(again, 0, 0, &two);
    assert_memory_equal(&one, &two, sizeof one);
    weft_series_destroy(whole);
    weft_series_destroy(again);
}

/* Loads changed bytes into a series of two columns and a histogram. */
static bool series_is_taken(const unsigned char *data, size_t bytes)
{
    weft_series *series = weft_series_create(2, 1);
    weft_unpack from = weft_unpack_of(data, bytes);
    weft_series_load(series, &from);
    bool taken = weft_unpack_end(&from);
    if (!taken)
        assert_true(weft_series_cells(series) < WEFT_CELLS_MAX);
    weft_series_destroy(series);
    return taken;
}

static void series_refuses_what_does_not_fit(void **state)
{
    (void)state;
    const struct {
        size_t at;
        uint64_t value;
        bool wide, taken;
    } rows[] = {
        {AT_COLUMNS, 3, false, false},
        {AT_COLUMNS, 1, false, false},
        {AT_HISTOGRAMS, 0, false, false},
        {AT_HISTOGRAMS, 2, false, false},
        {AT_CELLS, WEFT_CELLS_MAX, false, false},
        {AT_CELLS, UINT32_MAX, false, false},
        {AT_WIDTH, 0, true, false},
        {AT_WIDTH, 1, true, false}, /* filled is 1 */
        {AT_WIDTH, (uint64_t)1 << 50, true, false},
        {AT_WIDTH, ((uint64_t)1 << 50) - 1, true, true},
        {AT_FILLED, 2, true, false},
        {AT_FILLED, 1, true, true},
        {AT_SUM_HIGH, ((uint64_t)1 << 54) - 1, true, true}, /* below 2^118 */
        {AT_SUM_HIGH, (uint64_t)1 << 54, true, false},
        {AT_SUM_HIGH, (uint64_t)1 << 63, true, false},
    };
    weft_series *series = weft_series_create(2, 1);
    feed(series, 1, 301);
    weft_pack pack = saved_series(series);
    weft_series_destroy(series);
    unsigned char *copy = malloc(pack.count);
    assert_non_null(copy);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        memcpy(copy, pack.data, pack.count);
        if (rows[i].wide)
            weft_put_u64(copy + rows[i].at, rows[i].value);
        else
            weft_put_u32(copy + rows[i].at, (uint32_t)rows[i].value);
        if (series_is_taken(copy, pack.count) != rows[i].taken)
            fail_msg("row %zu is %s", i, rows[i].taken ? "refused" : "taken");
    }
    size_t reach =
        28 + (151 + 1) * 2 * 16; /* behind the head, the sums of 151 cells and the totals */
    memcpy(copy, pack.data, pack.count);
    weft_put_u32(copy + reach, WEFT_HISTOGRAM_BINS + 1);
    assert_false(series_is_taken(copy, pack.count));
    for (size_t bytes = 0; bytes < pack.count; bytes += bytes < 40 ? 1 : 997)
        assert_false(series_is_taken(pack.data, bytes));
    free(copy);
    weft_pack_done(&pack);
}

static weft_control drawn_control(void)
{
    return (weft_control){
        .next_check = (uint64_t)1 << 40,
        .growth_seen = 2,
        .reached_seen = 3,
        .floor = WEFT_FLOOR_BATCHES,
        .from = WEFT_CELLS_MAX,
        .settled = true,
        .growing = false,
        .deep = true,
        .watched = {.value = 1.5,
                    .lo = 1.25,
                    .hi = 1.75,
                    .stderr_ = .125,
                    .batches = 77,
                    .independent = true},
    };
}

static void control_goes_on_where_it_was(void **state)
{
    (void)state;
    weft_control control = drawn_control(), again = {0};
    weft_pack a = {0}, b = {0};
    weft_control_save(&control, &a);
    weft_unpack from = weft_unpack_of(a.data, a.count);
    weft_control_load(&again, &from);
    assert_true(weft_unpack_end(&from));
    assert_int_equal(again.next_check, (uint64_t)1 << 40);
    assert_int_equal(again.growth_seen, 2);
    assert_int_equal(again.reached_seen, 3);
    assert_int_equal(again.floor, WEFT_FLOOR_BATCHES);
    assert_int_equal(again.from, WEFT_CELLS_MAX);
    assert_true(again.settled && !again.growing && again.deep);
    assert_true(again.watched.value == 1.5 && again.watched.lo == 1.25 && again.watched.hi == 1.75);
    assert_true(again.watched.stderr_ == .125 && again.watched.batches == 77 &&
                again.watched.independent);
    weft_control_save(&again, &b);
    same_bytes(&a, &b);
}

static bool control_is_taken(weft_control control)
{
    weft_pack pack = {0};
    weft_control again = {0};
    weft_control_save(&control, &pack);
    weft_unpack from = weft_unpack_of(pack.data, pack.count);
    weft_control_load(&again, &from);
    bool taken = weft_unpack_end(&from);
    weft_pack_done(&pack);
    return taken;
}

static void control_refuses_what_does_not_fit(void **state)
{
    (void)state;
    weft_control control = drawn_control();
    assert_true(control_is_taken(control));
    control.from = WEFT_CELLS_MAX + 1;
    assert_false(control_is_taken(control));
    control = drawn_control();
    control.floor = WEFT_FLOORS;
    assert_false(control_is_taken(control));
}

static void hurst_goes_on_where_it_was(void **state)
{
    (void)state;
    weft_hurst whole = {0}, again = {0};
    for (int64_t i = 0; i < 1001; i++)
        weft_hurst_add(&whole, i * i % 37);
    weft_pack a = {0}, b = {0};
    weft_hurst_save(&whole, &a);
    weft_unpack from = weft_unpack_of(a.data, a.count);
    weft_hurst_load(&again, &from);
    assert_true(weft_unpack_end(&from));
    weft_pack_done(&a);
    for (int64_t i = 0; i < 999; i++) {
        weft_hurst_add(&whole, i % 11);
        weft_hurst_add(&again, i % 11);
    }
    assert_int_equal(again.fed, 2000);
    a = (weft_pack){0};
    weft_hurst_save(&whole, &a);
    weft_hurst_save(&again, &b);
    same_bytes(&a, &b);
}

static void hurst_refuses_what_does_not_fit(void **state)
{
    (void)state;
    const weft_hurst rows[] = {
        {.pending = {[3] = -1}},
        {.pending = {[WEFT_HURST_OCTAVES - 1] = INT64_MAX / 2 + 1}},
        {.square = {[0] = -1}},
        {.fourth = {[7] = -1}},
        {.pending = {[3] = INT64_MAX / 2}},
    };
    for (size_t i = 0; i < 5; i++) {
        weft_hurst again;
        weft_pack pack = {0};
        weft_hurst_save(&rows[i], &pack);
        weft_unpack from = weft_unpack_of(pack.data, pack.count);
        weft_hurst_load(&again, &from);
        assert_int_equal(weft_unpack_end(&from), i == 4);
        weft_pack_done(&pack);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(series_goes_on_where_it_was),
        cmocka_unit_test(series_refuses_what_does_not_fit),
        cmocka_unit_test(control_goes_on_where_it_was),
        cmocka_unit_test(control_refuses_what_does_not_fit),
        cmocka_unit_test(hurst_goes_on_where_it_was),
        cmocka_unit_test(hurst_refuses_what_does_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
