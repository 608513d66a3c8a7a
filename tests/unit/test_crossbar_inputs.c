/* SPDX-License-Identifier: Apache-2.0 */
/* What arrives at a switch: smoothed sequences keep theorems 1 and 2 of Zheng and others on
 * 100,000 random instances, with start times and idle slots; clustered, bursty and drawn ones
 * have their rates. */
#include "crossbar/arrivals.h"

#include "base/numeric.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define INSTANCES 100000
#define FLOWS_MAX 6
#define SLOTS     160

static void assert_sequence(weft_xbar_input input, uint32_t burst, const char *expected)
{
    static const uint32_t cell[9] = {3, 2, 1, 1, 3, 2, 2, 1, 3};
    weft_xbar_workload workload = {3, 6, cell};
    weft_xbar_arrivals_options options = {.input = input, .burst = burst};
    weft_xbar_arrivals arrivals;
    weft_error err;
    weft_xbar_target room[3];
    assert_int_equal(weft_xbar_arrivals_init(&arrivals, &workload, &options, &err), WEFT_OK);
    assert_int_equal(arrivals.period, strlen(expected));
    for (uint32_t t = 0; t < 3 * arrivals.period; t++)
        assert_int_equal(weft_xbar_arrivals_slot(&arrivals, t, room)[0],
                         expected[t % arrivals.period] - '0');
    weft_xbar_arrivals_done(&arrivals);
}

/* (1/2, 1/3, 1/6), the examples of the paper. */
static void sequences_are_as_printed(void **state)
{
    (void)state;
    assert_sequence(WEFT_INPUT_SMOOTHED, 1, "010102");
    assert_sequence(WEFT_INPUT_CLUSTERED, 1, "000112");
    assert_sequence(WEFT_INPUT_BURSTY, 2, "001100110022");
}

/* ---- theorems 1 and 2 ---- */

typedef struct instance {
    uint32_t flows, period;
    uint32_t cells[FLOWS_MAX], start[FLOWS_MAX];
    weft_xbar_target at[SLOTS];
} instance;

static void draw_instance(weft_random *random, instance *it)
{
    it->flows = 1 + weft_random_below(random, FLOWS_MAX);
    it->period = it->flows + weft_random_below(random, 40);
    uint32_t left = it->period - it->flows;
    for (uint32_t j = 0; j < it->flows; j++) { /* may leave slots idle */
        uint32_t more = weft_random_below(random, left + 1);
        it->cells[j] = 1 + more;
        left -= more;
        it->start[j] = weft_random_below(random, 3) ? weft_random_below(random, 30) : 0;
    }
    weft_xbar_smux(it->flows, it->cells, it->period, it->start, SLOTS, it->at, 1);
}

static uint32_t up(uint64_t a, uint64_t b)
{
    return (uint32_t)((a + b - 1) / b);
}

/* The k-th cell leaves within [I + ⌈(k − 1) / w⌉, I + ⌈k / w⌉). */
static void check_theorem_1(const instance *it, uint32_t j)
{
    uint64_t k = 0, p = it->period, a = it->cells[j];
    for (uint32_t t = 0; t < SLOTS; t++) {
        if (it->at[t] != j)
            continue;
        k++;
        assert_true(t >= it->start[j] + up((k - 1) * p, a));
        assert_true(t < it->start[j] + up(k * p, a));
    }
    assert_true(it->start[j] + up((k + 1) * p, a) > SLOTS); /* none is missing */
}

/* ⌊l w⌋ ≤ Cover(I, l) ≤ ⌊(l − 1) w⌋ + 1, ⌊(l + 1) w⌋ − 1 ≤ cvr(l), CVR(l) ≤ ⌈(l − 1) w⌉ + 1; so
 * both covering deviations are at most 1. */
static void check_theorem_2(const instance *it, uint32_t j)
{
    uint32_t before[SLOTS + 1] = {0}, first = it->start[j];
    int64_t p = it->period, a = it->cells[j];
    for (uint32_t t = 0; t < SLOTS; t++)
        before[t + 1] = before[t] + (it->at[t] == j);
    for (int64_t l = 1; l <= 60; l++) {
        int64_t own = before[first + l] - before[first];
        assert_true(own >= l * a / p && own <= (l - 1) * a / p + 1);
        int64_t low = (l + 1) * a / p - 1, high = up((uint64_t)((l - 1) * a), (uint64_t)p) + 1;
        for (uint32_t t = first; t + l <= first + 100; t += 1 + t % 3) {
            int64_t cover = before[t + l] - before[t];
            assert_true(cover >= low && cover <= high);
            assert_true(l * a / p - cover <= 1 && cover - up((uint64_t)(l * a), (uint64_t)p) <= 1);
        }
    }
}

static void smoothed_inputs_keep_both_theorems(void **state)
{
    (void)state;
    weft_random random = weft_random_stream(1, 0, 0, WEFT_FOR_ESTIMATE);
    for (uint32_t k = 0; k < INSTANCES; k++) {
        instance it;
        draw_instance(&random, &it);
        uint32_t j = weft_random_below(&random, it.flows);
        check_theorem_1(&it, j);
        check_theorem_2(&it, j);
    }
}

static void coverings_are_as_computed_by_hand(void **state)
{
    (void)state;
    static const weft_xbar_target even[] = {0, 1, 0, 1}, clustered[] = {0, 0, 0, 1, 1, 1};
    weft_xbar_covering found = weft_xbar_covering_of(even, 4, 1, 0);
    assert_true(found.sparse == 0 && found.dense == 0);
    found = weft_xbar_covering_of(clustered, 6, 1, 0); /* 3 slots: 0 or 3 cells instead of 1 or 2 */
    assert_true(found.sparse == 1 && found.dense == 1);
}

/* With start times the inputs come to repeat themselves. */
static void started_inputs_repeat_themselves(void **state)
{
    (void)state;
    static const uint32_t cell[4] = {2, 3, 3, 2}, start[4] = {0, 7, 3, 11};
    weft_xbar_workload workload = {2, 6, cell};
    weft_xbar_arrivals_options options = {.burst = 1, .start = start};
    weft_xbar_arrivals arrivals;
    weft_error err;
    weft_xbar_target room[2];
    uint32_t cells = 0;
    assert_int_equal(weft_xbar_arrivals_init(&arrivals, &workload, &options, &err), WEFT_OK);
    assert_true(arrivals.lead >= 11 && arrivals.period == 6);
    for (uint32_t t = 0; t < 6; t++)
        cells += weft_xbar_arrivals_slot(&arrivals, arrivals.lead + t, room)[1] == 0;
    assert_int_equal(cells, 3);
    weft_xbar_arrivals_done(&arrivals);
}

/* ---- by lot ---- */

static void assert_rates(weft_xbar_input input, uint32_t burst)
{
    static const uint32_t cell[4] = {3, 5, 5, 3}; /* of 10: a load of 0.8 */
    weft_xbar_workload workload = {2, 10, cell};
    weft_xbar_arrivals_options options = {.input = input, .burst = burst, .seed = 9};
    weft_xbar_arrivals arrivals;
    weft_error err;
    weft_xbar_target room[2], last = WEFT_IDLE;
    double seen[2] = {0}, slots = 400000, runs = 0;
    assert_int_equal(weft_xbar_arrivals_init(&arrivals, &workload, &options, &err), WEFT_OK);
    for (uint64_t t = 0; t < (uint64_t)slots; t++) {
        weft_xbar_target output = weft_xbar_arrivals_slot(&arrivals, t, room)[0];
        if (output < 2)
            seen[output]++;
        runs += output != last;
        last = output;
    }
    for (int j = 0; j < 2; j++) { /* draws are independent, each for `burst` slots on average */
        double p = cell[j] / 10.0, error = weft_sqrt(p * (1 - p) * 2 * burst / slots);
        assert_true(seen[j] / slots - p < 4 * error && seen[j] / slots - p > -4 * error);
    }
    /* a draw is another one than the last with probability 1 − Σ p², and lasts `burst` slots */
    double differs = (1 - 0.09 - 0.25 - 0.04) / burst;
    assert_true(runs / slots < differs * 1.03 && runs / slots > differs * 0.97);
    weft_xbar_arrivals_done(&arrivals);
}

static void drawn_inputs_have_their_rates(void **state)
{
    (void)state;
    assert_rates(WEFT_INPUT_BERNOULLI, 1);
    assert_rates(WEFT_INPUT_ON_OFF, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sequences_are_as_printed),
        cmocka_unit_test(smoothed_inputs_keep_both_theorems),
        cmocka_unit_test(coverings_are_as_computed_by_hand),
        cmocka_unit_test(started_inputs_repeat_themselves),
        cmocka_unit_test(drawn_inputs_have_their_rates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
