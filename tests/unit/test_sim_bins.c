/* SPDX-License-Identifier: Apache-2.0 */
/* Series over time that have more bins than are kept: every two bins become one, of twice the
 * width, and what they counted is all there. */
#include "base/pack.h"
#include "sim/simulation.h"
#include "sim/watch/linkbins.h"
#include "sim/watch/ratewatch.h"
#include "sim/watch/timebins.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contract/scenario.h"

typedef struct run {
    stage stage;
    weft_simulation *simulation;
} run;

static void run_text(run *it, const char *text)
{
    const weft_network *network = stage_open(&it->stage, text);
    weft_simulation_options options = {.blocks = 1};
    weft_ending ending;
    assert_int_equal(weft_simulation_create(network, &options, &it->simulation, &it->stage.err), 0);
    assert_int_equal(weft_simulation_run(it->simulation, &ending, &it->stage.err), 0);
    assert_int_equal(ending, WEFT_END_LIMIT_TIME);
}

static void run_done(run *it)
{
    weft_simulation_destroy(it->simulation);
    stage_close(&it->stage);
}

/* Endpoint 0 sends 8 flits in every 20 cycles over the first link there is; what others send is
 * never known precisely enough, so that runs go on to their limit. */
#define STEADY                                                                                 \
    "topology: {kind: full, routers: 4}\n"                                                     \
    "router: {kind: input-queued, vcs: 1, buffer: 16 flits}\n"                                 \
    "traffic:\n"                                                                               \
    "  a: {pattern: uniform, from: 0, to: 1, arrival: periodic, length: 8 flits, load: 0.4}\n" \
    "  b: {pattern: uniform, from: 2, to: 3, arrival: poisson, length: 8 flits, load: 0.1}\n"

enum { BINS = 1 << 20 };

static void bins_of_time_become_fewer(void **state)
{
    (void)state;
    weft_bins bins = {.width = 10};
    weft_i128 row[WEFT_COLUMNS] = {0};
    for (int64_t i = 0; i <= BINS; i++) {
        row[WEFT_COL_GENERATED] = 3;
        row[WEFT_COL_DELIVERED] = 2;
        row[WEFT_COL_LATENCY] = i;
        weft_timebins_add(&bins, 10 * i, row, i);
        assert_int_equal(bins.count, i < BINS ? i + 1 : BINS / 2 + 1);
    }
    assert_int_equal(bins.width, 20);
    for (int64_t i = 0; i < BINS / 2; i++) {
        assert_int_equal(bins.start[i], 20 * i);
        assert_int_equal(bins.generated[i], 6);
        assert_int_equal(bins.delivered[i], 4);
        assert_int_equal(bins.latency[i], 4 * i + 1);
        assert_int_equal(bins.population[i], 2 * i + 1);
    }
    assert_int_equal(bins.start[BINS / 2], 10 * BINS);
    assert_int_equal(bins.generated[BINS / 2], 3);
    weft_timebins_add(&bins, 10 * (BINS + 1), row, 7); /* to the same bin */
    assert_int_equal(bins.count, BINS / 2 + 1);
    assert_int_equal(bins.generated[BINS / 2], 6);
    weft_timebins_done(&bins);
}

static void bins_of_links_become_fewer(void **state)
{
    (void)state;
    run it;
    run_text(&it, STEADY "measure: {series: 100 cycles, link-series: true, half-width: 0.001%, "
                         "limit: {time: 60000 cycles}}\n");
    const weft_link_bins *bins = weft_simulation_link_bins(it.simulation);
    assert_int_equal(bins->slots, 12);
    assert_int_equal(bins->width, 400);
    assert_int_equal(bins->count, 150);
    for (size_t i = 1; i < bins->count; i++)
        assert_int_equal(bins->busy[12 * i], 160);
    run_done(&it);
}

/* Sampling times that do not divide a bin: the first one behind its end is its end. */
static void bins_of_links_end_at_sampling_times(void **state)
{
    (void)state;
    run it;
    run_text(&it, STEADY "measure: {series: 997 cycles, link-series: true, half-width: 0.001%, "
                         "limit: {time: 20000 cycles}}\n");
    const weft_link_bins *bins = weft_simulation_link_bins(it.simulation);
    assert_int_equal(bins->width, 997);
    assert_int_equal(bins->count, 20);
    for (size_t i = 0; i + 1 < bins->count; i++)
        assert_in_range(bins->busy[12 * i], 350, 450);
    run_done(&it);
}

static void bins_of_rates_become_fewer(void **state)
{
    (void)state;
    run it;
    run_text(&it, STEADY "measure: {series: 20 cycles, rates: 0, half-width: 0.001%, "
                         "limit: {time: 100000 cycles}}\n");
    const weft_rate_bins *bins = weft_simulation_rates(it.simulation);
    assert_int_equal(bins->flows, 1);
    assert_int_equal(bins->width, 40);
    assert_int_equal(bins->count, 2500);
    for (size_t i = 0; i < bins->count; i++) {
        assert_int_equal(bins->start[i], 40 * i);
        assert_int_equal(bins->covered[i], 40);
        assert_int_equal(bins->flits[i], 16);
    }
    run_done(&it);
}

/* ---- in checkpoints ---- */

static weft_unpack words(weft_pack *pack, size_t count, const int64_t *at)
{
    for (size_t i = 0; i < count; i++)
        weft_pack_i64(pack, at[i]);
    return weft_unpack_of(pack->data, pack->count);
}

#define WORDS(pack, ...) \
    words((pack), sizeof(int64_t[]){__VA_ARGS__} / sizeof(int64_t), (int64_t[]){__VA_ARGS__})

static void bins_of_time_are_read_if_they_can_be(void **state)
{
    (void)state;
    const struct {
        int64_t mine, width, count;
        bool good;
    } cases[] = {{10, 20, 1, true}, {0, 0, 0, true},    {10, 0, 0, false},
                 {0, 10, 0, false}, {10, 20, 2, false}, {10, 20, BINS + 1, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        weft_bins bins = {.width = cases[i].mine};
        weft_pack pack = {0};
        weft_unpack from = WORDS(&pack, cases[i].width, cases[i].count, 40, 1, 2, 3, 4);
        weft_timebins_load(&bins, &from);
        assert_int_equal(!from.failed, cases[i].good);
        if (cases[i].good && cases[i].count)
            assert_int_equal(bins.start[0], 40);
        weft_timebins_done(&bins);
        weft_pack_done(&pack);
    }
}

#define LAST 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 /* of every link */
#define BUSY 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23

static void bins_of_links_are_read_if_they_can_be(void **state)
{
    (void)state;
    const struct {
        int64_t width, seen, count;
        bool good;
    } cases[] = {
        {100, 300, 1, true}, {0, 300, 1, false}, {100, -1, 1, false}, {100, 300, 257, false}};
    stage set;
    const weft_network *network =
        stage_open(&set, STEADY "measure: {series: 100 cycles, link-series: true}\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        weft_link_bins bins;
        weft_pack pack = {0};
        weft_unpack from = WORDS(&pack, cases[i].width, cases[i].seen, cases[i].count, LAST, BUSY);
        weft_linkbins_open(&bins, network);
        weft_linkbins_load(&bins, &from);
        assert_int_equal(weft_unpack_end(&from), cases[i].good);
        if (cases[i].good)
            assert_int_equal(bins.busy[11], 23);
        weft_linkbins_done(&bins);
        weft_pack_done(&pack);
    }
    stage_close(&set);
}

static void bins_of_rates_are_read_if_they_can_be(void **state)
{
    (void)state;
    const struct {
        int64_t width, count;
        bool good;
    } cases[] = {{20, 1, true}, {0, 1, false}, {20, 4097, false}};
    stage set;
    const weft_network *network =
        stage_open(&set, STEADY "measure: {series: 20 cycles, rates: 0}\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        weft_rate_bins bins;
        weft_pack pack = {0};
        weft_unpack from = WORDS(&pack, cases[i].width, cases[i].count, 9, 40, 20, 8, 500000);
        weft_ratewatch_init(&bins, network);
        weft_ratewatch_load(&bins, &from);
        assert_int_equal(weft_unpack_end(&from), cases[i].good);
        if (cases[i].good)
            assert_int_equal(bins.rate[0], 500000);
        weft_ratewatch_done(&bins);
        weft_pack_done(&pack);
    }
    stage_close(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bins_of_time_become_fewer),
        cmocka_unit_test(bins_of_links_become_fewer),
        cmocka_unit_test(bins_of_links_end_at_sampling_times),
        cmocka_unit_test(bins_of_rates_become_fewer),
        cmocka_unit_test(bins_of_time_are_read_if_they_can_be),
        cmocka_unit_test(bins_of_links_are_read_if_they_can_be),
        cmocka_unit_test(bins_of_rates_are_read_if_they_can_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
