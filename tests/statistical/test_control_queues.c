/* SPDX-License-Identifier: Apache-2.0 */
/* The stop rule on queues whose truth is known: M/M/1 and M/D/1 by Lindley's recursion, and
 * networks of queues in time slots. Seeds are 1 … n. */
#include "stats/control.h"
#include "statistical/recursion.h"

#include <assert.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static weft_goal goal_of(double half_width, int64_t limit_packets)
{
    return (weft_goal){.watched = {WAIT, LEFT},
                       .confidence = 0.95,
                       .half_width = half_width,
                       .arrived = ARRIVED,
                       .left = LEFT,
                       .limit_packets = limit_packets,
                       .warmup_intervals = -1};
}

/* What many seeds gave. */
struct tally {
    int verdicts[4], growing, covered;
    double mean, deviation, error; /* of the estimates, relative to the truth; mean claimed error */
    double packets;                /* mean length of a run */
};

static weft_stop_reason run_queue(struct queue *queue, weft_control *control, double *packets)
{
    weft_series *series = weft_series_create(COLUMNS, 0);
    weft_stop_reason verdict;
    do {
        weft_i128 row[COLUMNS] = {0};
        queue_row(queue, row, NULL);
        weft_series_add(series, row, NULL);
        verdict = weft_control_step(control, series);
    } while (verdict == WEFT_GO_ON);
    *packets += (double)weft_series_total(series, LEFT);
    weft_series_destroy(series);
    return verdict;
}

static struct tally run_seeds(const struct setup *setup, const weft_goal *goal, int seeds)
{
    struct tally tally = {{0}, 0, 0, 0, 0, 0, 0};
    double truth = SERVICE * (setup->fixed_service ? 0.5 : 1) * setup->rho / (1 - setup->rho);
    double sum = 0, squares = 0, error = 0;
    struct queue *queue = malloc(sizeof *queue);
    for (int seed = 1; seed <= seeds; seed++) {
        weft_control control;
        queue_init(queue, setup, (uint64_t)seed, 0);
        weft_control_init(&control, goal);
        tally.verdicts[run_queue(queue, &control, &tally.packets)]++;
        tally.growing += control.growing;
        tally.covered += control.watched.lo <= truth && truth <= control.watched.hi;
        double off = control.watched.value / truth - 1;
        sum += off;
        squares += off * off;
        error += control.watched.stderr_ / truth;
    }
    free(queue);
    tally.mean = sum / seeds;
    tally.deviation = sqrt((squares - seeds * tally.mean * tally.mean) / (seeds - 1));
    tally.error = error / seeds;
    tally.packets /= seeds;
    return tally;
}

static void print_tally(const struct setup *setup, const struct tally *tally, int seeds)
{
    print_message("M/%s/1 rho %.2f, %4d waiting: %5.1f %% cover, bias %+.2f %%, deviation %.2f %%, "
                  "bias in errors of the mean %+.2f, %.0f packets\n",
                  setup->fixed_service ? "D" : "M", setup->rho, setup->waiting,
                  100.0 * tally->covered / seeds, 100 * tally->mean, 100 * tally->deviation,
                  tally->mean / tally->deviation * sqrt(seeds), tally->packets);
}

/* At least 90 % of the 95 % intervals hold the truth when the run ends by its half-width. */
static void intervals_cover_when_precision_ends_the_run(void **state)
{
    (void)state;
    const struct setup setups[] = {{0.5, false, 0, 100, 0},
                                   {0.8, false, 0, 100, 0},
                                   {0.8, true, 0, 20, 0},
                                   {0.8, false, 0, 1000, 0}};
    for (size_t i = 0; i < sizeof setups / sizeof *setups; i++) {
        weft_goal goal = goal_of(0.05, 10000000);
        struct tally tally = run_seeds(&setups[i], &goal, 200);
        print_tally(&setups[i], &tally, 200);
        assert_int_equal(tally.verdicts[WEFT_CONVERGED], 200);
        assert_true(tally.covered >= 180);
    }
}

/* The same when a limit ends it. */
static void intervals_cover_when_a_limit_ends_the_run(void **state)
{
    (void)state;
    const struct setup setups[] = {
        {0.5, false, 0, 20, 0}, {0.8, false, 0, 20, 0}, {0.8, true, 0, 100, 0}};
    for (size_t i = 0; i < sizeof setups / sizeof *setups; i++) {
        weft_goal goal = goal_of(1e-9, 100000);
        struct tally tally = run_seeds(&setups[i], &goal, 200);
        print_tally(&setups[i], &tally, 200);
        assert_int_equal(tally.verdicts[WEFT_AT_LIMIT], 200);
        assert_true(tally.covered >= 180);
    }
}

/* 1,000 packets wait at the start: what is left of them in the mean is below the standard error of
 * one run. */
static void warmup_leaves_no_bias(void **state)
{
    (void)state;
    const struct setup setups[] = {{0.5, false, 1000, 20, 0},
                                   {0.5, true, 1000, 100, 0},
                                   {0.65, false, 1000, 100, 0},
                                   {0.8, true, 1000, 100, 0},
                                   {0.8, true, 1000, 1000, 0}};
    for (size_t i = 0; i < sizeof setups / sizeof *setups; i++) {
        for (int limited = 0; limited < 2; limited++) {
            weft_goal goal = limited ? goal_of(1e-9, 100000) : goal_of(0.05, 10000000);
            struct tally tally = run_seeds(&setups[i], &goal, 200);
            print_tally(&setups[i], &tally, 200);
            assert_true(fabs(tally.mean) < tally.error);
            assert_true(tally.covered >= 180);
        }
    }
}

static void a_busy_queue_is_not_saturated(void **state)
{
    (void)state;
    const struct setup setup = {0.95, true, 0, 100, 0};
    weft_goal goal = goal_of(0.01, 300000);
    struct tally tally = run_seeds(&setup, &goal, 100);
    print_tally(&setup, &tally, 100);
    assert_int_equal(tally.verdicts[WEFT_SATURATED], 0);
    assert_int_equal(tally.growing, 0);
}

static void an_overloaded_queue_is_saturated(void **state)
{
    (void)state;
    const struct setup setups[] = {
        {1.02, true, 0, 20, 0}, {1.02, true, 0, 100, 0}, {1.02, true, 0, 1000, 0}};
    for (size_t i = 0; i < sizeof setups / sizeof *setups; i++)
        for (int wide = 0; wide < 2; wide++) { /* a wide interval must not tempt it */
            weft_goal goal = goal_of(wide ? 0.2 : 0.01, 300000);
            struct tally tally = run_seeds(&setups[i], &goal, 100);
            print_message(
                "rho 1.02: %d of 100 stopped early, %d growing at the end, %.0f packets\n",
                tally.verdicts[WEFT_SATURATED], tally.growing, tally.packets);
            assert_int_equal(tally.growing, 100);
            assert_int_equal(tally.verdicts[WEFT_CONVERGED], 0);
        }
}

/* Slotted queues: Poisson arrivals, one packet a slot leaves each, for another queue with
 * probability 7/8. From empty, such a network fills up for thousands of slots. */
struct network {
    uint32_t queues;
    uint32_t *length, *coming;
    double arrivals; /* per slot */
    weft_random random;
    int64_t population;
};

static void network_slot(struct network *net, weft_i128 row[COLUMNS])
{
    uint32_t moving = 0;
    for (double at = -weft_log(weft_random_open(&net->random)); at < net->arrivals;
         at -= weft_log(weft_random_open(&net->random))) {
        net->coming[weft_random_below(&net->random, net->queues)]++;
        row[ARRIVED]++;
        net->population++;
    }
    for (uint32_t i = 0; i < net->queues; i++) {
        bool served = net->length[i] > 0;
        bool leaves = served && weft_random_below(&net->random, 8) == 0;
        net->length[i] += net->coming[i] - served;
        net->coming[i] = 0;
        moving += served && !leaves;
        row[LEFT] += leaves;
        net->population -= leaves;
    }
    for (; moving > 0; moving--)
        net->coming[weft_random_below(&net->random, net->queues)]++;
    row[WAIT] += net->population;
}

/* Runs a network from empty; *worst becomes the longest row of checks that saw growth. */
static weft_stop_reason run_network(uint32_t queues, double rho, uint64_t seed, int64_t slots,
                                    int interval, weft_control *control, uint32_t *worst)
{
    struct network net = {.queues = queues,
                          .length = calloc(queues, sizeof *net.length),
                          .coming = calloc(queues, sizeof *net.coming),
                          .arrivals = rho * queues / 8,
                          .random = weft_random_stream(seed, 1, 0, WEFT_FOR_ESTIMATE)};
    weft_goal goal = goal_of(0.01, 0);
    goal.limit_intervals = slots / interval;
    weft_control_init(control, &goal);
    weft_series *series = weft_series_create(COLUMNS, 0);
    weft_stop_reason verdict;
    do {
        weft_i128 row[COLUMNS] = {0};
        for (int i = 0; i < interval; i++)
            network_slot(&net, row);
        weft_series_add(series, row, NULL);
        verdict = weft_control_step(control, series);
        *worst = control->growth_seen > *worst ? control->growth_seen : *worst;
    } while (verdict == WEFT_GO_ON);
    weft_series_destroy(series);
    free(net.length);
    free(net.coming);
    return verdict;
}

static void a_network_that_fills_up_is_not_saturated(void **state)
{
    (void)state;
    const uint32_t queues[] = {256, 256, 256, 4096, 4096, 65536, 65536};
    const double rho[] = {0.8, 0.95, 0.98, 0.95, 0.98, 0.9, 0.98};
    const int64_t slots[] = {4000, 8000, 8000, 3000, 3000, 256, 256};
    const uint64_t seeds[] = {20, 10, 10, 1, 1, 1, 1};
    for (size_t i = 0; i < sizeof queues / sizeof *queues; i++) {
        uint32_t worst = 0;
        for (uint64_t seed = 1; seed <= seeds[i]; seed++)
            for (int interval = 1; interval <= (queues[i] < 65536 ? 10 : 1); interval += 9) {
                weft_control control;
                weft_stop_reason verdict =
                    run_network(queues[i], rho[i], seed, slots[i], interval, &control, &worst);
                assert_int_not_equal(verdict, WEFT_SATURATED);
                assert_false(control.growing);
            }
        print_message("%u queues at %.2f: at most %u checks in a row saw growth\n", queues[i],
                      rho[i], worst);
    }
}

static void an_overloaded_network_is_saturated(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        weft_control control;
        uint32_t worst = 0;
        assert_int_equal(run_network(256, 1.3, seed, 20000, 4, &control, &worst), WEFT_SATURATED);
        assert_true(control.growing && !control.settled);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_cover_when_precision_ends_the_run),
        cmocka_unit_test(intervals_cover_when_a_limit_ends_the_run),
        cmocka_unit_test(warmup_leaves_no_bias),
        cmocka_unit_test(a_busy_queue_is_not_saturated),
        cmocka_unit_test(an_overloaded_queue_is_saturated),
        cmocka_unit_test(a_network_that_fills_up_is_not_saturated),
        cmocka_unit_test(an_overloaded_network_is_saturated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
