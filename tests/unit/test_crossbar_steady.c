/* SPDX-License-Identifier: Apache-2.0 */
/* The steady state: fractions that are as computed elsewhere, the same as very long runs give;
 * FIFO queues that a periodic input drives to 1 / n; phases that grow for ever, counted and run;
 * spreads that merge. */
#include "crossbar/flows.h"
#include "crossbar/phases.h"
#include "crossbar/spread.h"

#include "base/numeric.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "contract/bench.h"

static void assert_throughput(const trial *t, uint64_t top, uint64_t bottom)
{
    weft_xbar_steady steady = run_trial(t, 20000);
    assert_true(steady.exact);
    weft_xbar_ratio ratio = weft_xbar_ratio_of(steady.share, t->n);
    assert_int_equal(ratio.top, top);
    assert_int_equal(ratio.bottom, bottom);
}

static const uint32_t worst4[16] = {1, 1, 4, 2, 2, 5, 1, 0, 4, 0, 3, 1, 1, 2, 0, 5};
static const uint32_t worst3[9] = {10, 10, 0, 0, 5, 15, 10, 5, 5};
static const uint32_t third[9] = {0, 10, 10, 10, 0, 10, 10, 10, 0};

static void worst_cases_have_their_fractions(void **state)
{
    (void)state;
    trial t = {"islip", "iterations=4", .n = 4, .d = 8, .cell = worst4};
    assert_throughput(&t, 21, 32);
    t = (trial){"islip", "iterations=1", .n = 3, .d = 20, .cell = worst3};
    assert_throughput(&t, 7, 12); /* 35 / 60 */
    t = (trial){"islip", "iterations=4", .n = 3, .d = 20, .cell = third};
    assert_throughput(&t, 2, 3);
    /* the ideal carries all of it */
    t = (trial){"max-weight", "", .n = 4, .d = 8, .cell = worst4};
    assert_throughput(&t, 1, 1);
    t = (trial){"max-weight", "", .n = 3, .d = 20, .cell = worst3};
    assert_throughput(&t, 1, 1);
}

/* A long run of 300 matrices each: whole multiples of the period, after its begin, serve what it
 * says. */
static void fractions_are_what_long_runs_give(void **state)
{
    (void)state;
    static const char *const kinds[] = {"islip", "rrm",       "firm",    "drrm1",
                                        "drrm2", "wavefront", "max-size"};
    for (size_t k = 0; k < 7; k++)
        for (uint64_t index = 0; index < 300; index++) {
            uint32_t cell[16];
            weft_xbar_draw draw = {.rule = WEFT_DRAW_SEQUENTIAL, .n = 4, .d = 9, .seed = k};
            weft_xbar_draw_matrix(&draw, index, cell);
            trial t = {kinds[k], "", .n = 4, .d = 9, .cell = cell};
            weft_xbar_steady steady = run_trial(&t, 4000), again;
            if (!steady.exact)
                continue;
            bench b;
            weft_xbar_target room[4];
            open_bench(&b, &t);
            while (b.it.tick < steady.began)
                weft_xbar_switch_step(&b.it, weft_xbar_arrivals_slot(&b.arrivals, b.it.tick, room));
            uint64_t before = b.it.served;
            for (uint64_t s = 0; s < 20 * steady.share.slots; s++)
                weft_xbar_switch_step(&b.it, weft_xbar_arrivals_slot(&b.arrivals, b.it.tick, room));
            assert_int_equal(b.it.served - before, 20 * steady.share.served);
            weft_xbar_steady_run(&b.it, &b.arrivals, &(weft_xbar_steady_options){.cap = 4000},
                                 &again);
            assert_memory_equal(&steady, &again, sizeof steady);
            close_bench(&b);
        }
}

/* All inputs get bursts of b cells for output 0, then 1, …, at the same time: with FIFO queues
 * nearly always all fronts want the same output. Throughput is b / (n b − n + 1), so it falls to
 * 1 / n; a queue per output carries everything. */
static void a_periodic_input_drives_fifo_queues_to_1_over_n(void **state)
{
    (void)state;
    uint32_t cell[16];
    for (int k = 0; k < 16; k++)
        cell[k] = 1;
    for (uint32_t burst = 1; burst <= 64; burst *= 4) {
        trial t = {"islip", "", true, 4, 4, cell, {WEFT_INPUT_BURSTY, burst, NULL, 0}, false};
        weft_xbar_steady steady = run_trial(&t, 400000);
        assert_true(steady.exact);
        assert_int_equal(steady.share.served * (4 * burst - 3), 4 * steady.share.slots * burst);
        t.fifo = false;
        steady = run_trial(&t, 400000);
        assert_true(steady.exact && steady.share.served == 4 * steady.share.slots);
    }
}

static void flows_add_up_to_the_throughput(void **state)
{
    (void)state;
    static const uint32_t cell[9] = {5, 6, 9, 9, 1, 10, 6, 13, 1};
    trial t = {"islip", "", .n = 3, .d = 20, .cell = cell};
    bench b;
    weft_xbar_steady steady;
    weft_xbar_flows flows;
    open_bench(&b, &t);
    weft_xbar_steady_run(&b.it, &b.arrivals, &(weft_xbar_steady_options){.cap = 20000}, &steady);
    weft_xbar_flows_measure(&b.it, &b.arrivals, &steady, &flows);
    uint64_t served = 0;
    for (int k = 0; k < 9; k++) {
        served += flows.flow[k].served;
        assert_true(flows.flow[k].served <= flows.flow[k].offered);
        assert_true(flows.flow[k].shortest <= flows.flow[k].longest);
    }
    assert_int_equal(served, steady.share.served);
    assert_true(flows.guarantee > 0.384 && flows.guarantee < 0.385); /* 5 of 13 */
    assert_int_equal(flows.most_jitter, 2);
    free(flows.flow);
    close_bench(&b);
}

/* ---- phases ---- */

/* RRM on this matrix: rates 2/3 and 5/6 follow each other in phases that grow without end.
 * Counted without being run they are where running every slot finds them. */
static void phases_that_are_counted_are_those_that_are_run(void **state)
{
    (void)state;
    static const uint32_t cell[16] = {0, 0, 0, 7, 3, 4, 0, 0, 2, 1, 4, 0, 2, 2, 3, 0};
    trial t = {"rrm", "", .n = 4, .d = 7, .cell = cell};
    bench b;
    weft_xbar_phases phases;
    weft_xbar_target room[4];
    assert_false(run_trial(&t, 100000).exact);
    open_bench(&b, &t);
    weft_xbar_phases_find(&b.it, &b.arrivals, 30000, &phases);
    assert_true(phases.n_phases >= 12 && !phases.recurs && phases.growth > 1.5);
    assert_true(phases.most - phases.least > 0.01);
    weft_xbar_switch_reset(&b.it);
    for (uint32_t k = 0; k < phases.n_phases && phases.phases[k].at < 300000; k++) {
        const weft_xbar_phase *phase = &phases.phases[k];
        uint64_t before = 0;
        while (b.it.tick < phase->at) {
            if (b.it.tick == phase->at - phase->slots)
                before = b.it.served;
            weft_xbar_switch_step(&b.it, weft_xbar_arrivals_slot(&b.arrivals, b.it.tick, room));
        }
        assert_int_equal((b.it.served - before) * phase->share.slots,
                         phase->share.served * phase->slots);
        double average = (double)b.it.served / (4.0 * (double)b.it.tick);
        assert_true(average - phase->average < 1e-12 && phase->average - average < 1e-12);
    }
    close_bench(&b);
}

/* A state that recurs has no phases: it is said to, once all flows have started. */
static void a_state_that_recurs_has_no_phases(void **state)
{
    (void)state;
    static const uint32_t start[16] = {[5] = 17};
    for (int late = 0; late < 2; late++) {
        trial t = {"islip", "iterations=4", .n = 4, .d = 8, .cell = worst4};
        t.input.start = late ? start : NULL;
        bench b;
        weft_xbar_phases phases;
        open_bench(&b, &t);
        assert_int_equal(b.arrivals.lead, late ? 24 : 0);
        weft_xbar_phases_find(&b.it, &b.arrivals, 20000, &phases);
        assert_true(phases.recurs && phases.n_phases == 0 && phases.growth == 0);
        assert_true(b.it.tick > b.arrivals.lead && b.it.tick < 20000);
        close_bench(&b);
    }
}

/* ---- by lot ---- */

/* FIFO queues under uniform Bernoulli traffic: 3/4 for n = 2, exactly (M. G. Karol and others,
 * 1987). */
static void fifo_queues_by_lot_are_at_the_known_limit(void **state)
{
    (void)state;
    static const uint32_t cell[4] = {1, 1, 1, 1};
    trial t = {"random", "", true, 2, 2, cell, {WEFT_INPUT_BERNOULLI, 1, NULL, 3}, false};
    bench b;
    weft_xbar_lottery lottery;
    open_bench(&b, &t);
    weft_xbar_lottery_run(&b.it, &b.arrivals, 400000, &lottery);
    double error = (lottery.hi - lottery.lo) / (2 * weft_student_quantile(0.975, 31));
    assert_true(lottery.value - 0.75 < 4 * error && lottery.value - 0.75 > -4 * error);
    close_bench(&b);
}

/* ---- spreads ---- */

static void add(weft_xbar_spread *spread, uint64_t index, uint64_t served, uint64_t slots)
{
    weft_xbar_steady steady = {.exact = true, .share = {served, slots}, .run = 10};
    weft_xbar_spread_add(spread, index, &steady);
}

static void spreads_merge_in_any_order(void **state)
{
    (void)state;
    weft_xbar_spread a, b, whole, read;
    weft_xbar_spread_init(&a, 4, 3);
    weft_xbar_spread_init(&b, 4, 3);
    weft_xbar_spread_init(&whole, 4, 3);
    for (uint64_t k = 0; k < 3000; k++) {
        add(k % 2 ? &a : &b, k, 10 + k % 31, 12);
        add(&whole, k, 10 + k % 31, 12);
    }
    weft_xbar_spread_merge(&b, &a);
    weft_pack pack = {0};
    weft_xbar_spread_pack(&b, &pack);
    weft_unpack in = weft_unpack_of(pack.data, pack.count);
    assert_true(weft_xbar_spread_unpack(&read, &in) && weft_unpack_end(&in));
    weft_xbar_spread_sort(&whole);
    weft_xbar_spread_sort(&read);
    assert_int_equal(whole.used, read.used);
    assert_memory_equal(whole.rows, read.rows, whole.used * sizeof *whole.rows);
    assert_int_equal(read.n_worst, 3);
    assert_true(read.worst[0].index == 0 && read.worst[1].index == 31 && read.worst[2].index == 62);
    for (size_t cut = 0; cut < pack.count; cut += 7) { /* nothing that is cut off is believed */
        weft_xbar_spread none;
        in = weft_unpack_of(pack.data, cut);
        assert_false(weft_xbar_spread_unpack(&none, &in));
    }
    weft_pack_done(&pack);
    weft_xbar_spread_done(&a);
    weft_xbar_spread_done(&b);
    weft_xbar_spread_done(&whole);
    weft_xbar_spread_done(&read);
}

/* 1/4, 1/2, 1/2 and one between 1/2 and 1: what is known of mean and deviations. */
static void bounds_hold_whatever_is_between(void **state)
{
    (void)state;
    weft_xbar_spread spread;
    weft_xbar_spread_summary sum;
    weft_xbar_spread_init(&spread, 1, 4);
    add(&spread, 0, 1, 4);
    add(&spread, 1, 1, 2);
    add(&spread, 2, 2, 4);
    weft_xbar_steady open = {.share = {3, 4}, .least = {1, 2}, .most = {1, 1}};
    weft_xbar_spread_add(&spread, 3, &open);
    weft_xbar_spread_sort(&spread);
    weft_xbar_spread_sum_up(&spread, &sum);
    assert_true(sum.mean.value == 0.5 && sum.mean.lo == 0.4375 && sum.mean.hi == 0.5625);
    assert_true(sum.worst.value == 0.25 && sum.worst.lo == 0.25 && sum.worst.hi == 0.25);
    assert_true(sum.at_worst == 1 && spread.unsettled == 1);
    for (double x = 0.5; x <= 1; x += 0.0625) { /* any value the open one may have */
        double mean = (1.25 + x) / 4, squares = 0, sizes = 0, at[4] = {0.25, 0.5, 0.5, x};
        for (int k = 0; k < 4; k++) {
            double off = at[k] - mean;
            squares += off * off;
            sizes += off < 0 ? -off : off;
        }
        double root = weft_sqrt(squares / 4);
        assert_true(root >= sum.deviation.lo - 1e-12 && root <= sum.deviation.hi + 1e-12);
        assert_true(sizes / 4 >= sum.absolute.lo - 1e-12 && sizes / 4 <= sum.absolute.hi + 1e-12);
    }
    weft_xbar_spread_done(&spread);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worst_cases_have_their_fractions),
        cmocka_unit_test(fractions_are_what_long_runs_give),
        cmocka_unit_test(a_periodic_input_drives_fifo_queues_to_1_over_n),
        cmocka_unit_test(flows_add_up_to_the_throughput),
        cmocka_unit_test(phases_that_are_counted_are_those_that_are_run),
        cmocka_unit_test(a_state_that_recurs_has_no_phases),
        cmocka_unit_test(fifo_queues_by_lot_are_at_the_known_limit),
        cmocka_unit_test(spreads_merge_in_any_order),
        cmocka_unit_test(bounds_hold_whatever_is_between),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
