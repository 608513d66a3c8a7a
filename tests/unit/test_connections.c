/* SPDX-License-Identifier: Apache-2.0 */
/* Admission over networks: one link against Kaufman & Roberts and Erlang B by the z rules, whatever
 * the holding times; the fixed point beside what is run; a million requests with lost messages on a
 * hypercube with pools and tables; refusals by reason. */
#include "analytic/erlang.h"
#include "stats/compare.h"
#include "unit/test_model.h"

#define SEEDS    8
#define ONE_LINK "admission-network topology.kind=full topology.routers=2 topology.hosts=1 "
#define CUBE     "admission-network topology.kind=hypercube topology.dimensions=4 "
#define TRIANGLE                                                                \
    "admission-network topology.kind=full topology.routers=3 topology.hosts=2 " \
    "routing=dimension-order lambda=[1] capacity=4 requests=0 "

typedef struct board { /* the z rules */
    int cells, far;
    double sum, most;
} board;

static void board_add(board *b, double score)
{
    b->cells++;
    b->far += fabs(score) > 2.58;
    b->sum += score;
    b->most = fabs(score) > b->most ? fabs(score) : b->most;
}

static void board_check(const board *b)
{
    print_message("%d cells, largest score %.2f, %d beyond 2.58, mean %+.2f\n", b->cells, b->most,
                  b->far, b->sum / b->cells);
    assert_true(b->most < 4 && b->far <= 1);
    assert_true(fabs(b->sum / b->cells) < 3 / sqrt(b->cells));
}

/* Blocking of every class of the simulated link, over seeds, beside the exact one. */
static void compare_link(board *b, const char *load, int classes)
{
    double mean[4] = {0}, square[4] = {0}, exact[4] = {0};
    for (int seed = 1; seed <= SEEDS; seed++) {
        asked a;
        must_ask(&a, ONE_LINK "requests=100000 seed=%d %s", seed, load);
        for (int k = 0; k < classes; k++) {
            double found = answer_at(&a, "class simulated", "class", k + 1);
            exact[k] = answer_at(&a, "class blocking", "class", k + 1);
            mean[k] += found / SEEDS;
            square[k] += found * found / SEEDS;
        }
        ask_done(&a);
    }
    for (int k = 0; k < classes; k++) {
        double error = sqrt((square[k] - mean[k] * mean[k]) / (SEEDS - 1));
        double score = weft_score_of_t((mean[k] - exact[k]) / error, SEEDS - 1);
        print_message("%s: class %d %.5f (%.5f) %+.2f\n", load, k + 1, mean[k], exact[k], score);
        board_add(b, score);
    }
}

static void one_link_is_kaufman_and_roberts(void **state)
{
    (void)state;
    board b = {0};
    compare_link(&b, "lambda=[20,5] bandwidth=[1,4] capacity=40", 2);
    compare_link(&b, "lambda=[20,5] bandwidth=[1,4] capacity=40 rule=inclusive holding=fixed", 2);
    compare_link(&b, "lambda=[30] capacity=33", 1);
    compare_link(&b, "lambda=[4,2,1] bandwidth=[3,5,9] hold=[2,1,0.5] capacity=50", 3);
    board_check(&b);
}

/* A strict link of 33 is 32 servers. */
static void the_fixed_point_of_one_link_is_exact(void **state)
{
    (void)state;
    asked a, c;
    must_ask(&a, ONE_LINK "lambda=[30] capacity=33 requests=0");
    assert_true(fabs(answer(&a, "blocking") - weft_erlang_b(30, 32)) < 1e-9);
    must_ask(&c, "admission lambda=[30] capacity=33");
    assert_true(fabs(answer(&a, "utilisation") - answer(&c, "utilisation")) < 1e-9);
    ask_done(&a);
    ask_done(&c);
}

/* Of two links from router to router one is never taken: nothing changes if it is there. */
static void a_link_that_no_path_takes_carries_nothing(void **state)
{
    (void)state;
    static const char *const names[] = {"blocking", "utilisation", "busiest link", "links"};
    asked one, two;
    must_ask(&one, TRIANGLE "topology.links=1");
    must_ask(&two, TRIANGLE "topology.links=2");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_true(answer(&two, names[i]) == answer(&one, names[i]));
    assert_true(answer(&two, "links") == 0.8); /* of five others four are behind a link */
    ask_done(&one);
    ask_done(&two);
}

/* It is an approximation: a twentieth of it here, far above what chance makes of the run. */
static void the_fixed_point_of_a_cube_is_near(void **state)
{
    (void)state;
    asked a;
    must_ask(&a, CUBE "lambda=[24,6] bandwidth=[1,4] capacity=40 requests=400000");
    double run = answer(&a, "simulated blocking"), said = answer(&a, "blocking");
    assert_true(fabs(said / run - 1) < 0.15);
    assert_true(fabs(answer(&a, "utilisation") / answer(&a, "simulated utilisation") - 1) < 0.03);
    ask_done(&a);
}

/* The model fails if any link's sums are wrong when it looks, or if anything is left. */
static void a_million_requests_leave_nothing(void **state)
{
    (void)state;
    asked a;
    must_ask(&a, CUBE "routing=valiant lambda=[24,6,3] bandwidth=[1,4,16] capacity=80 "
                      "host-capacity=200 pools=[60,60,40] lost=0.01 requests=500000");
    double refused = answer(&a, "refused by a pool") + answer(&a, "refused by a link") +
                     answer(&a, "lost messages");
    assert_true(answer(&a, "refused by a pool") > 0.001);
    assert_true(answer(&a, "refused by a link") > 0.001);
    assert_true(answer(&a, "lost messages") > 0.01);
    assert_true(fabs(refused - answer(&a, "simulated blocking")) < 1e-3);
    ask_done(&a);
    /* Weights are taken back only when a VL has no connection left: tables fill up. */
    must_ask(&a, CUBE "lambda=[24,6,3] bandwidth=[1,4,16] capacity=200 entries=4 weight-unit=2 "
                      "lost=0.01 requests=500000");
    assert_true(answer(&a, "refused by a table") > 0.1);
    assert_true(answer(&a, "lost messages") > 0.01);
    ask_done(&a);
}

static void settings_are_checked(void **state)
{
    static const struct {
        const char *line, *text;
    } wrong[] = {{CUBE "lambda=[1,2] capacity=9 bandwidth=[1,2,3]", "bandwidth must have one"},
                 {CUBE "lambda=[1,2] capacity=9 pools=[1,2,3]", "pools must have one"},
                 {CUBE "lambda=[1] capacity=9 routing=ugal", "decides by what waits"},
                 {"admission-network topology.kind=full topology.routers=1 topology.hosts=1 "
                  "lambda=[1] capacity=9",
                  "two endpoints"}};
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        asked a;
        weft_error err = {.text = ""};
        assert_int_equal(ask(&a, &err, wrong[i].line), WEFT_BAD_INPUT);
        if (!strstr(err.text, wrong[i].text))
            fail_msg("%s", err.text);
        ask_done(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_link_is_kaufman_and_roberts),
        cmocka_unit_test(the_fixed_point_of_one_link_is_exact),
        cmocka_unit_test(a_link_that_no_path_takes_carries_nothing),
        cmocka_unit_test(the_fixed_point_of_a_cube_is_near),
        cmocka_unit_test(a_million_requests_leave_nothing),
        cmocka_unit_test(settings_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
