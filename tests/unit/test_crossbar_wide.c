/* SPDX-License-Identifier: Apache-2.0 */
/* Switches of more than 64 ports: many small ones side by side have the throughput of one of
 * them, exactly; no cell is lost; flows add up; drawn matrices have their sums. */
#include "crossbar/flows.h"
#include "crossbar/spread.h"

#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "contract/bench.h"

/* The same small matrix again and again along the diagonal; the last lines send to themselves. */
static uint32_t *side_by_side(uint32_t n, const uint32_t *small, uint32_t side, uint32_t d)
{
    uint32_t *cell = weft_alloc((size_t)n * n * sizeof *cell);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < side; j++) {
            uint32_t first = i - i % side;
            if (first + side <= n)
                cell[i * n + first + j] = small[i % side * side + j];
            else
                cell[i * n + i] = d;
        }
    return cell;
}

static const uint32_t worst4[16] = {1, 1, 4, 2, 2, 5, 1, 0, 4, 0, 3, 1, 1, 2, 0, 5};
static const uint32_t worst3[9] = {10, 10, 0, 0, 5, 15, 10, 5, 5};

/* Round robin over a few lines of many is round robin over these lines, so every block is a
 * switch of its own: `served` of `most` cells cross in it. Blocks lie across the borders of
 * words. */
static void assert_block_share(trial t, const uint32_t *small, uint32_t side, uint64_t served,
                               uint64_t most)
{
    uint32_t blocks = t.n / side, rest = t.n % side;
    uint32_t *cell = side_by_side(t.n, small, side, t.d);
    t.cell = cell;
    weft_xbar_steady steady = run_trial(&t, 20000);
    assert_true(steady.exact);
    /* served / (n slots) = (blocks × side × served / most + rest) / n */
    assert_int_equal(steady.share.served * most,
                     steady.share.slots * (blocks * side * served + rest * most));
    free(cell);
}

static void switches_side_by_side_have_the_share_of_one(void **state)
{
    (void)state;
    trial t = {"islip", "iterations=4", .n = 128, .d = 8};
    assert_block_share(t, worst4, 4, 21, 32);
    t.n = 129;
    assert_block_share(t, worst4, 4, 21, 32);
    t = (trial){"islip", "iterations=1", .n = 200, .d = 20};
    assert_block_share(t, worst3, 3, 35, 60);
    static const char *const kinds[] = {"rrm", "firm", "drrm1", "drrm2", "max-size", "separable"};
    for (size_t k = 0; k < 6; k++) {
        trial small = {kinds[k], "", .n = 3, .d = 20, .cell = worst3};
        weft_xbar_steady one = run_trial(&small, 20000);
        if (!one.exact)
            continue;
        t = (trial){kinds[k], "", .n = 200, .d = 20};
        assert_block_share(t, worst3, 3, one.share.served, one.share.slots * 3);
    }
}

/* b / (n b − n + 1), as for few lines (test_crossbar_steady.c). */
static void a_periodic_input_drives_fifo_queues_to_1_over_n(void **state)
{
    (void)state;
    uint32_t cell[65 * 65];
    for (int k = 0; k < 65 * 65; k++)
        cell[k] = 1;
    for (uint32_t burst = 2; burst <= 4; burst *= 2) {
        trial t = {"islip", "", true, 65, 65, cell, {WEFT_INPUT_BURSTY, burst, NULL, 0}, false};
        weft_xbar_steady steady = run_trial(&t, 40000);
        assert_true(steady.exact);
        assert_int_equal(steady.share.served * (65 * burst - 64), 65 * steady.share.slots * burst);
    }
}

static void no_cell_is_lost(void **state)
{
    (void)state;
    uint32_t *cell = weft_alloc((size_t)300 * 300 * sizeof *cell);
    for (const weft_component *const *kind = weft_scheduler_kinds; *kind; kind++)
        for (int how = 0; how < 10; how++) {
            trial t = {.kind = (*kind)->name,
                       .fifo = how >= 5,
                       .n = strcmp((*kind)->name, "max-weight") ? 300 : 70,
                       .d = 40,
                       .cell = cell,
                       .input = {.input = (weft_xbar_input)(how % 5), .burst = 3, .seed = 4}};
            weft_xbar_draw draw = {.rule = WEFT_DRAW_PERMUTED, .n = t.n, .d = 36, .seed = 3};
            weft_xbar_target room[WEFT_SIDE_MAX];
            uint64_t arrived = 0, waiting = 0;
            bench b;
            weft_xbar_draw_matrix(&draw, (uint64_t)how, cell);
            open_bench(&b, &t);
            while (b.it.tick < 80) {
                const weft_xbar_target *at = weft_xbar_arrivals_slot(&b.arrivals, b.it.tick, room);
                for (uint32_t i = 0; i < t.n; i++)
                    arrived += at[i] != WEFT_IDLE;
                assert_true(weft_xbar_switch_step(&b.it, at) <= t.n);
            }
            for (uint32_t q = 0; q < weft_xbar_switch_queues(&b.it); q++)
                waiting += b.it.queue[q];
            assert_true(arrived > 0 && arrived == b.it.served + waiting);
            close_bench(&b);
        }
    free(cell);
}

static void flows_add_up_to_the_throughput(void **state)
{
    (void)state;
    uint32_t *cell = side_by_side(130, worst3, 3, 20);
    trial t = {"islip", "", .n = 130, .d = 20, .cell = cell};
    bench b;
    weft_xbar_steady steady;
    weft_xbar_flows flows;
    uint64_t served = 0, offered = 0;
    open_bench(&b, &t);
    weft_xbar_steady_run(&b.it, &b.arrivals, &(weft_xbar_steady_options){.cap = 20000}, &steady);
    assert_true(steady.exact);
    weft_xbar_flows_measure(&b.it, &b.arrivals, &steady, &flows);
    for (uint32_t k = 0; k < t.n * t.n; k++) {
        served += flows.flow[k].served;
        offered += flows.flow[k].offered;
        assert_true(flows.flow[k].served <= flows.flow[k].offered);
        assert_true(!flows.flow[k].served == !cell[k]);
    }
    assert_int_equal(served, steady.share.served);
    assert_int_equal(offered, steady.share.slots * t.n);
    free(flows.flow);
    free(cell);
    close_bench(&b);
}

static void drawn_matrices_have_their_sums(void **state)
{
    (void)state;
    uint32_t *cell = weft_alloc((size_t)1024 * 1024 * sizeof *cell);
    for (int rule = WEFT_DRAW_UNIFORM; rule <= WEFT_DRAW_PERMUTED; rule++)
        for (uint32_t n = 100; n <= 1024; n = n == 100 ? 257 : n == 257 ? 1024 : 2000) {
            weft_xbar_draw draw = {
                .rule = (weft_xbar_drawing_rule)rule, .n = n, .d = 50, .moves = 100000};
            weft_error err = {""};
            uint32_t d = 0;
            weft_xbar_draw_matrix(&draw, 1, cell);
            assert_int_equal(weft_xbar_matrix_check(n, cell, &d, &err), WEFT_OK);
            assert_int_equal(d, 50);
        }
    free(cell);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(switches_side_by_side_have_the_share_of_one),
        cmocka_unit_test(a_periodic_input_drives_fifo_queues_to_1_over_n),
        cmocka_unit_test(no_cell_is_lost),
        cmocka_unit_test(flows_add_up_to_the_throughput),
        cmocka_unit_test(drawn_matrices_have_their_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
