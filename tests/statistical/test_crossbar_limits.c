/* SPDX-License-Identifier: Apache-2.0 */
/* What large switches are known to carry, where all queues always have cells ("saturated") or
 * cells arrive by lot at full load. Seeds are fixed; an estimate may be 4 of its standard errors
 * off. */
#include "crossbar/flows.h"

#include "base/memory.h"
#include "base/numeric.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "contract/wide.h"

#define SAMPLES 400

/* n throws into n boxes hit this share of them: 1 − (1 − 1 / n)ⁿ, which goes to 1 − 1 / e. */
static double share_hit(uint32_t n)
{
    double missed = 1;
    for (uint32_t k = 0; k < n; k++)
        missed *= 1 - 1.0 / n;
    return 1 - missed;
}

typedef struct sample {
    double sum, squares;
} sample;

static void assert_mean(const sample *all, double expected)
{
    double mean = all->sum / SAMPLES, variance = all->squares / SAMPLES - mean * mean;
    double off = mean - expected, error = weft_sqrt(variance / SAMPLES);
    assert_true(error > 0 && error < 0.01);
    assert_true(off < 4 * error && off > -4 * error);
}

/* One match of a crossbar in which everybody asks for everything, as a share of n. */
static void add_saturated(wide *it, sample *all)
{
    wide_match(it);
    double share = (double)weft_set_count(it->words, it->match.inputs) / it->n;
    all->sum += share;
    all->squares += share * share;
}

/* Outputs choose independently: inputs that were chosen are matched. */
static void one_iteration_of_pim_is_at_its_limit(void **state)
{
    (void)state;
    for (uint32_t n = 128; n <= 256; n *= 2) {
        sample all = {0, 0};
        wide it;
        wide_open(&it, "pim", "iterations=1", n);
        wide_ask_randomly(&it, 1000);
        for (uint32_t k = 0; k < SAMPLES; k++)
            add_saturated(&it, &all);
        assert_mean(&all, share_hit(n));
        wide_close(&it);
    }
}

/* Pointers of RRM that move together stay as far apart as they are: the match is as large as
 * there are different ones, which, if they were anywhere, is PIM's share. */
static void rrm_keeps_the_pointers_it_has(void **state)
{
    (void)state;
    sample all = {0, 0};
    wide it;
    wide_open(&it, "rrm", "iterations=1", 200);
    wide_ask_randomly(&it, 1000);
    for (uint32_t k = 0; k < SAMPLES; k++) {
        uint16_t *offers = it.state;
        for (uint32_t y = 0; y < it.n; y++)
            offers[y] = (uint16_t)weft_random_below(&it.random, it.n);
        add_saturated(&it, &all);
        uint32_t pairs = weft_set_count(it.words, it.match.inputs);
        for (uint32_t t = 0; t < 5; t++) {
            wide_match(&it);
            assert_int_equal(weft_set_count(it.words, it.match.inputs), pairs);
        }
    }
    assert_mean(&all, share_hit(it.n));
    wide_close(&it);
}

/* All pointers of iSLIP start together; in every slot one more output drifts apart, until all n
 * take turns. */
static void islip_takes_turns_when_saturated(void **state)
{
    (void)state;
    wide it;
    wide_open(&it, "islip", "iterations=1", 256);
    wide_ask_randomly(&it, 1000);
    for (uint32_t t = 1; t <= 2 * it.n; t++) {
        wide_match(&it);
        assert_int_equal(weft_set_count(it.words, it.match.inputs), t < it.n ? t : it.n);
    }
    wide_close(&it);
}

/* Uniform traffic by lot, n cells in `period` slots. */
static weft_xbar_lottery run_uniform(trial t, uint32_t period, uint64_t slots)
{
    uint32_t *cell = weft_alloc((size_t)t.n * t.n * sizeof *cell);
    bench b;
    weft_xbar_lottery lottery;
    for (uint32_t k = 0; k < t.n * t.n; k++)
        cell[k] = 1;
    t.d = period;
    t.cell = cell;
    t.input = (weft_xbar_arrivals_options){.input = WEFT_INPUT_BERNOULLI, .seed = 17};
    open_bench(&b, &t);
    weft_xbar_lottery_run(&b.it, &b.arrivals, slots, &lottery);
    close_bench(&b);
    free(cell);
    return lottery;
}

static double error_of(const weft_xbar_lottery *lottery)
{
    return (lottery->hi - lottery->lo) / (2 * weft_student_quantile(0.975, 31));
}

/* At full load queues grow as the root of time, so what is missing to everything falls as one
 * over it: five times as many slots have 1 / √5 = 0.447 of it, where a limit below 1 would leave
 * it as it is. */
static void islip_approaches_full_load(void **state)
{
    (void)state;
    trial one = {.kind = "islip", .n = 128};
    trial four = {.kind = "islip", .settings = "iterations=4", .n = 128};
    double missing = 1;
    for (uint64_t slots = 2000; slots <= 50000; slots *= 5) {
        weft_xbar_lottery found = run_uniform(one, one.n, slots);
        assert_true(found.hi < 1 && 1 - found.value < 1.25 * missing / weft_sqrt(5));
        missing = 1 - found.value;
    }
    weft_xbar_lottery found = run_uniform(four, four.n, 10000),
                      less = run_uniform(one, one.n, 10000);
    assert_true(found.lo > less.hi);
    found = run_uniform(one, 160, 20000); /* a load of 0.8 is carried */
    assert_true(found.value - 0.8 < 4 * error_of(&found) &&
                found.value - 0.8 > -4 * error_of(&found));
}

/* One queue per input: between the limit 2 − √2 and the 0.6184 of 8 lines (M. G. Karol, M. G.
 * Hluchyj, S. P. Morgan, Input versus output queueing on a space-division packet switch, 1987,
 * table I). */
static void fifo_queues_are_near_their_limit(void **state)
{
    (void)state;
    double limit = 2 - weft_sqrt(2);
    weft_xbar_lottery small =
        run_uniform((trial){.kind = "random", .fifo = true, .n = 8}, 8, 40000);
    weft_xbar_lottery found =
        run_uniform((trial){.kind = "random", .fifo = true, .n = 128}, 128, 10000);
    double off = small.value - 0.6184;
    assert_true(off < 4 * error_of(&small) && off > -4 * error_of(&small));
    assert_true(found.value > limit - 4 * error_of(&found) && found.hi < small.lo);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_iteration_of_pim_is_at_its_limit),
        cmocka_unit_test(rrm_keeps_the_pointers_it_has),
        cmocka_unit_test(islip_takes_turns_when_saturated),
        cmocka_unit_test(islip_approaches_full_load),
        cmocka_unit_test(fifo_queues_are_near_their_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
