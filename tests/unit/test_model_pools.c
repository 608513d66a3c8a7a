/* SPDX-License-Identifier: Apache-2.0 */
/* Several servers, networks of queues and priorities against slower mathematics: chains solved
 * state by state, published tables, limits that are other models. */
#include "analytic/chain.h"
#include "analytic/erlang.h"
#include "unit/test_model.h"

static double apart(double a, double b)
{
    double size = fabs(a) > fabs(b) ? fabs(a) : fabs(b);
    return size > 0 ? fabs(a - b) / size : 0;
}

/* ---- Erlang ---- */

/* As tables of Erlang B print it: the offered traffic that so many servers carry with this loss;
 * half: of the last digit. */
static void losses_are_those_of_printed_tables(void **state)
{
    static const struct {
        double offered, half, loss;
        int64_t servers;
    } printed[] = {{0.0101, 0.00005, 0.01, 1}, {0.153, 0.0005, 0.01, 2}, {1.36, 0.005, 0.01, 5},
                   {4.46, 0.005, 0.01, 10},    {12.0, 0.05, 0.01, 20},   {84.1, 0.05, 0.01, 100},
                   {2.22, 0.005, 0.05, 5},     {6.22, 0.005, 0.05, 10},  {5.08, 0.005, 0.02, 10},
                   {2.88, 0.005, 0.1, 5}};
    (void)state;
    for (size_t i = 0; i < sizeof printed / sizeof *printed; i++) {
        double low = printed[i].offered - printed[i].half;
        double high = printed[i].offered + printed[i].half;
        assert_true(weft_erlang_b(low, printed[i].servers) < printed[i].loss);
        assert_true(weft_erlang_b(high, printed[i].servers) > printed[i].loss);
        assert_int_equal(weft_erlang_servers(low, printed[i].loss), printed[i].servers);
        assert_int_equal(weft_erlang_servers(high, printed[i].loss), printed[i].servers + 1);
    }
}

/* One server waits as M/M/1 and loses a/(1 + a); two have short formulas. */
static void few_servers_have_short_formulas(void **state)
{
    (void)state;
    for (double rho = 0.05; rho < 1; rho += 0.05) {
        assert_true(apart(weft_erlang_c(rho, 1), rho) < 1e-14);
        assert_true(apart(weft_erlang_b(rho, 1), rho / (1 + rho)) < 1e-14);
        assert_true(apart(weft_erlang_c(2 * rho, 2), 2 * rho * rho / (1 + rho)) < 1e-13);
        asked one, many;
        must_ask(&one, "mm1 lambda=%.17g mu=1 states=9", rho);
        must_ask(&many, "mmc lambda=%.17g mu=1 servers=1 states=9", rho);
        const char *const names[] = {"latency", "wait", "packets", "waiting", "utilisation"};
        for (int n = 0; n < 5; n++)
            assert_true(apart(answer(&one, names[n]), answer(&many, names[n])) < 1e-13);
        for (int64_t n = 0; n <= 9; n++)
            assert_true(apart(answer_at(&one, "probability", "packets", n),
                              answer_at(&many, "probability", "packets", n)) < 1e-13);
        ask_done(&one);
        ask_done(&many);
    }
}

/* Next to nothing of what comes is let in, but that keeps the servers busy. */
static void overload_leaves_what_servers_can_do(void **state)
{
    static const struct {
        const char *line, *output;
        double value;
    } expected[] = {
        {"erlang-b lambda=1e12 mu=1e-9 servers=100000", "busy", 1e5},
        {"erlang-b lambda=1e12 mu=1e-9 servers=100000", "utilisation", 1},
        {"erlang-b lambda=1e12 mu=1e-9 servers=100000", "throughput", 1e-4},
        {"ge-ge-1-n lambda=1e12 mu=1e-9 capacity=10", "throughput", 1e-9},
        {"ge-ge-1-n lambda=1e12 mu=1e-9 capacity=10", "latency", 1e10},
        {"ge-ge-1-n lambda=1e12 mu=1e-9 capacity=10 ca2=1e6 cs2=1e6", "latency", 1e10},
        {"threshold lambda=1e12 mu=[1e-9,2e-9] thresholds=[5] capacity=10", "latency", 5e9},
        {"threshold lambda=1e12 mu=[1e-9,2e-9] thresholds=[5] capacity=10 rate=frozen", "latency",
         5e9},
        {"admission lambda=[1e12] hold=[1e12] capacity=10 rule=inclusive", "utilisation", 1},
        {"admission-network topology={\"kind\":\"full\",\"routers\":2} lambda=[1e12] hold=[1e12] "
         "capacity=10 requests=0",
         "utilisation", 0.9},
    };
    (void)state;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        asked a;
        must_ask(&a, "%s", expected[i].line);
        if (apart(answer(&a, expected[i].output), expected[i].value) > 1e-9)
            fail_msg("%s: %s is %.17g", expected[i].line, expected[i].output,
                     answer(&a, expected[i].output));
        ask_done(&a);
    }
}

/* Hardly anything comes: what waits is ρ² of M/M/1. */
static void light_traffic_still_waits(void **state)
{
    asked a;
    (void)state;
    must_ask(&a, "ge-ge-1 lambda=1e-9 mu=1e12 states=2");
    assert_true(apart(answer(&a, "wait"), 1e-33) < 1e-12);
    assert_true(apart(answer(&a, "x"), 1e-21) < 1e-12);
    assert_true(apart(answer_at(&a, "probability", "packets", 2), 1e-42) < 1e-12);
    ask_done(&a);
}

/* A link of many places for connections of one is Erlang's, and computed as soon. */
static void large_links_lose_as_erlang(void **state)
{
    asked a;
    (void)state;
    must_ask(&a, "admission lambda=[2e6] capacity=2000000 rule=inclusive");
    assert_true(apart(answer(&a, "blocking"), weft_erlang_b(2e6, 2000000)) < 1e-9);
    ask_done(&a);
}

/* A chain of so many states that the rest does not matter; with losses: all states. */
static void pools_solve_their_chains(void **state)
{
    static const struct {
        double lambda, mu;
        int servers, states;
    } pools[] = {{3, 1, 4, 400}, {17, 2, 9, 700}, {0.4, 0.1, 30, 200}, {45, 1, 50, 900}};
    (void)state;
    for (size_t i = 0; i < sizeof pools / sizeof *pools; i++)
        for (int room = 0; room < 2; room++) {
            double p[1000], packets = 0, waits = 0;
            uint32_t states = (uint32_t)(room ? pools[i].states : pools[i].servers + 1);
            weft_error err;
            weft_chain chain;
            asked a;
            weft_chain_init(&chain, states);
            for (uint32_t n = 0; n + 1 < states; n++) {
                int busy = (int)n + 1 < pools[i].servers ? (int)n + 1 : pools[i].servers;
                weft_chain_add(&chain, n, n + 1, pools[i].lambda);
                weft_chain_add(&chain, n + 1, n, pools[i].mu * busy);
            }
            assert_int_equal(weft_chain_solve(&chain, WEFT_CHAIN_GTH, p, &err), WEFT_OK);
            for (uint32_t n = 0; n < states; n++) {
                packets += n * p[n];
                waits += (int)n >= pools[i].servers ? p[n] : 0;
            }
            must_ask(&a, "%s lambda=%g mu=%g servers=%d states=60", room ? "mmc" : "erlang-b",
                     pools[i].lambda, pools[i].mu, pools[i].servers);
            assert_true(apart(answer(&a, room ? "packets" : "busy"), packets) < 1e-10);
            assert_true(apart(answer(&a, room ? "wait probability" : "loss"), waits) < 1e-10);
            for (int64_t n = 0; n <= 60 && n < states; n++)
                assert_true(apart(answer_at(&a, "probability", "packets", n), p[n]) < 1e-10);
            ask_done(&a);
            weft_chain_done(&chain);
        }
}

/* 100,000 servers: no overflow, no cancellation. With a = c the loss is √(2/πc) to first order;
 * Jagerman's expansion 1/B = √(πc/2) + 2/3 + … leaves 1/(12 √(2c/π)). */
static void many_servers_are_no_trouble(void **state)
{
    (void)state;
    for (double c = 100; c <= 100000; c *= 10) {
        double root = sqrt(3.14159265358979323846 * c / 2);
        assert_true(fabs(1 / weft_erlang_b(c, (int64_t)c) - root - 2.0 / 3) < 0.2 / sqrt(c));
        asked a;
        must_ask(&a, "mmc lambda=%.17g servers=%.0f states=1", c * (1 - 1e-9), c);
        assert_true(answer(&a, "wait probability") > 1 - 1e-4);
        assert_true(apart(answer(&a, "waiting"), answer(&a, "wait probability") / 1e-9) < 1e-4);
        ask_done(&a);
        must_ask(&a, "erlang-b lambda=1e-6 servers=%.0f states=1", c);
        assert_true(answer(&a, "loss") >= 0 && answer(&a, "loss") < 1e-300);
        assert_true(apart(answer_at(&a, "probability", "packets", 1), 1e-6) < 1e-5);
        ask_done(&a);
    }
    double *p = malloc(100001 * sizeof *p), sum = 0, mean = 0;
    weft_erlang_states(90000, 100000, true, p);
    for (int n = 0; n <= 100000; n++) {
        sum += p[n];
        mean += n * p[n];
    }
    assert_true(fabs(sum - 1) < 1e-9 && apart(mean, 90000) < 1e-9);
    free(p);
}

static void service_level_decays_exponentially(void **state)
{
    asked a, b;
    (void)state;
    must_ask(&a, "erlang-c lambda=10 mu=1 servers=12 patience=0");
    must_ask(&b, "erlang-c lambda=10 mu=1 servers=12 patience=1.5");
    double waits = answer(&a, "wait probability");
    assert_true(apart(answer(&a, "service level"), 1 - waits) < 1e-14);
    assert_true(apart(answer(&b, "service level"), 1 - waits * exp(-2 * 1.5)) < 1e-14);
    assert_true(apart(answer(&a, "wait"), waits * answer(&a, "wait if any")) < 1e-14);
    ask_done(&a);
    ask_done(&b);
}

/* ---- Jackson networks ---- */

#define SIDE 48 /* states of a station, more are never reached to 1e-9 */

typedef struct two_stations {
    double lambda[2], mu[2], routing[2][2];
    int servers[2];
} two_stations;

static uint32_t state_of(int a, int b)
{
    return (uint32_t)(a * SIDE + b);
}

/* All moves out of (a, b); those that would leave the square are left out. */
static void add_moves(weft_chain *chain, const two_stations *net, const int at[2])
{
    for (int i = 0; i < 2; i++) {
        int up[2] = {at[0] + (i == 0), at[1] + (i == 1)};
        if (up[i] < SIDE)
            weft_chain_add(chain, state_of(at[0], at[1]), state_of(up[0], up[1]), net->lambda[i]);
        if (at[i] == 0)
            continue;
        double rate = net->mu[i] * (at[i] < net->servers[i] ? at[i] : net->servers[i]);
        double leaves = 1 - net->routing[i][0] - net->routing[i][1];
        int down[2] = {at[0] - (i == 0), at[1] - (i == 1)};
        int over[2] = {down[0] + (i == 1), down[1] + (i == 0)};
        weft_chain_add(chain, state_of(at[0], at[1]), state_of(down[0], down[1]), rate * leaves);
        if (over[!i] < SIDE)
            weft_chain_add(chain, state_of(at[0], at[1]), state_of(over[0], over[1]),
                           rate * net->routing[i][!i]);
    }
}

static void networks_solve_their_chains(void **state)
{
    static const two_stations nets[] = {
        {{1, 0.2}, {3, 2}, {{0, 0.5}, {0.3, 0}}, {1, 1}},
        {{0.5, 0}, {1, 0.6}, {{0.25, 0.75}, {0.2, 0.1}}, {2, 3}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof nets / sizeof *nets; i++) {
        const two_stations *net = &nets[i];
        double *p = malloc(SIDE * SIDE * sizeof *p), mean[2] = {0, 0};
        weft_error err;
        weft_chain chain;
        asked a;
        weft_chain_init(&chain, SIDE * SIDE);
        for (int x = 0; x < SIDE; x++)
            for (int y = 0; y < SIDE; y++)
                add_moves(&chain, net, (int[2]){x, y});
        assert_int_equal(weft_chain_solve(&chain, WEFT_CHAIN_KLU, p, &err), WEFT_OK);
        for (int x = 0; x < SIDE; x++)
            for (int y = 0; y < SIDE; y++) {
                mean[0] += x * p[state_of(x, y)];
                mean[1] += y * p[state_of(x, y)];
            }
        must_ask(&a, "jackson lambda=[%g,%g] mu=[%g,%g] routing=[%g,%g,%g,%g] servers=[%d,%d]",
                 net->lambda[0], net->lambda[1], net->mu[0], net->mu[1], net->routing[0][0],
                 net->routing[0][1], net->routing[1][0], net->routing[1][1], net->servers[0],
                 net->servers[1]);
        for (int k = 0; k < 2; k++)
            assert_true(apart(answer_at(&a, "station packets", "station", k + 1), mean[k]) < 1e-6);
        assert_true(apart(answer(&a, "packets"), mean[0] + mean[1]) < 1e-6);
        assert_true(apart(answer(&a, "latency") * answer(&a, "throughput"), mean[0] + mean[1]) <
                    1e-6);
        ask_done(&a);
        weft_chain_done(&chain);
        free(p);
    }
}

/* One station is M/M/c; feedback with probability f is 1/(1 − f) visits; a tandem adds up. */
static void networks_have_limits(void **state)
{
    asked net, one;
    (void)state;
    must_ask(&net, "jackson lambda=[3] mu=[1] routing=[0] servers=[4]");
    must_ask(&one, "mmc lambda=3 servers=4");
    assert_true(apart(answer(&net, "latency"), answer(&one, "latency")) < 1e-14);
    ask_done(&net);
    must_ask(&net, "jackson lambda=[0.75] mu=[1] routing=[0.75] servers=[4]");
    assert_true(apart(answer_at(&net, "visits", "station", 1), 4) < 1e-14);
    assert_true(apart(answer(&net, "latency"), 4 * answer(&one, "latency")) < 1e-14);
    ask_done(&net);
    ask_done(&one);
    must_ask(&net, "jackson lambda=[1,0,0] mu=[2,2,2] routing=[0,1,0,0,0,1,0,0,0] scale=1.5");
    must_ask(&one, "mm1 lambda=1.5 mu=2");
    assert_true(apart(answer(&net, "latency"), 3 * answer(&one, "latency")) < 1e-14);
    ask_done(&net);
    ask_done(&one);
}

/* ---- priorities ---- */

#define QUEUE 60 /* packets of a class, more are never reached to 1e-6 */

/* Two classes of exponential services. A state is what waits or is served of each class and, if
 * nobody is interrupted, who is served. */
static uint32_t served(int a, int b, int who)
{
    return (uint32_t)((a * QUEUE + b) * 2 + who);
}

static void add_service(weft_chain *chain, const double mu[2], int a, int b, int who)
{
    int left[2] = {a - (who == 0), b - (who == 1)};
    int next = left[0] > 0 ? 0 : left[1] > 0 ? 1 : 0;
    weft_chain_add(chain, served(a, b, who), served(left[0], left[1], next), mu[who]);
}

static void add_arrivals(weft_chain *chain, const double lambda[2], int a, int b, int who,
                         bool preempts)
{
    int first = a + b == 0 ? 0 : preempts ? 0 : who, second = a + b == 0 ? 1 : who;
    if (a + 1 < QUEUE)
        weft_chain_add(chain, served(a, b, who), served(a + 1, b, first), lambda[0]);
    if (b + 1 < QUEUE)
        weft_chain_add(chain, served(a, b, who), served(a, b + 1, second), lambda[1]);
}

/* States that cannot be (nobody of the class that is served) lead to the empty one. */
static void solve_priorities(const double lambda[2], const double mu[2], bool preempts,
                             double mean[2])
{
    uint32_t states = QUEUE * QUEUE * 2;
    double *p = malloc(states * sizeof *p);
    weft_error err;
    weft_chain chain;
    weft_chain_init(&chain, states);
    for (int a = 0; a < QUEUE; a++)
        for (int b = 0; b < QUEUE; b++)
            for (int who = 0; who < 2; who++) {
                bool empty = a + b == 0 && who == 0;
                bool real = empty || (who == 0 ? a > 0 : b > 0 && !(preempts && a > 0));
                if (!real)
                    weft_chain_add(&chain, served(a, b, who), 0, 1);
                if (real && !empty)
                    add_service(&chain, mu, a, b, who);
                if (real)
                    add_arrivals(&chain, lambda, a, b, who, preempts);
            }
    assert_int_equal(weft_chain_solve(&chain, WEFT_CHAIN_KLU, p, &err), WEFT_OK);
    mean[0] = mean[1] = 0;
    for (int a = 0; a < QUEUE; a++)
        for (int b = 0; b < QUEUE; b++)
            for (int who = 0; who < 2; who++) {
                mean[0] += a * p[served(a, b, who)];
                mean[1] += b * p[served(a, b, who)];
            }
    weft_chain_done(&chain);
    free(p);
}

static void priorities_solve_their_chains(void **state)
{
    static const double lambda[][2] = {{0.3, 0.3}, {0.5, 0.1}}, mu[][2] = {{1, 1}, {2, 0.4}};
    static const char *const names[] = {"non-preemptive", "preemptive-resume"};
    (void)state;
    for (size_t i = 0; i < 2; i++)
        for (int d = 0; d < 2; d++) {
            double mean[2];
            asked a;
            solve_priorities(lambda[i], mu[i], d == 1, mean);
            must_ask(&a, "priority lambda=[%g,%g] mu=[%g,%g] discipline=%s", lambda[i][0],
                     lambda[i][1], mu[i][0], mu[i][1], names[d]);
            for (int k = 0; k < 2; k++)
                assert_true(apart(answer_at(&a, "class packets", "class", k + 1), mean[k]) < 1e-5);
            ask_done(&a);
        }
}

/* One class is M/G/1; work is conserved (Kleinrock): Σ ρ_k W_k does not depend on the order. The
 * first class of a preemptive server does not feel the others. */
static void priorities_have_limits(void **state)
{
    asked a, one;
    (void)state;
    for (int d = 0; d < 2; d++) {
        const char *name = d ? "preemptive-resume" : "non-preemptive";
        must_ask(&one, "mg1 lambda=0.7 mu=1 cs2=0.3");
        must_ask(&a, "priority lambda=[0.7] mu=[1] cs2=[0.3] discipline=%s", name);
        assert_true(apart(answer(&a, "latency"), answer(&one, "latency")) < 1e-14);
        ask_done(&a);
        must_ask(&a, "priority lambda=[0.2,0.4,0.1] mu=[1] cs2=[1] discipline=%s", name);
        ask_done(&one);
        must_ask(&one, "mm1 lambda=0.7 mu=1");
        assert_true(apart(answer(&a, "latency"), answer(&one, "latency")) < 1e-13);
        assert_true(apart(answer(&a, "packets"), answer(&one, "packets")) < 1e-13);
        ask_done(&a);
        ask_done(&one);
    }
    must_ask(&a, "priority lambda=[0.2,0.3] mu=[1,2] cs2=[0,4]");
    must_ask(&one, "priority lambda=[0.2,0.3] mu=[1,2] cs2=[0,4] class=2");
    double w = (0.2 * 1 + 0.3 * 5 / 4) / 2, law = w * 0.35 / (1 - 0.35);
    assert_true(apart(0.2 * answer_at(&a, "class wait", "class", 1) +
                          0.15 * answer_at(&a, "class wait", "class", 2),
                      law) < 1e-14);
    assert_true(apart(answer(&one, "wait"), answer_at(&a, "class wait", "class", 2)) < 1e-14);
    ask_done(&a);
    ask_done(&one);
    must_ask(&a, "priority lambda=[0.4,0.3] mu=[1] cs2=[0] discipline=preemptive-resume");
    must_ask(&one, "md1 lambda=0.4 mu=1");
    assert_true(apart(answer_at(&a, "class latency", "class", 1), answer(&one, "latency")) < 1e-14);
    ask_done(&a);
    ask_done(&one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(losses_are_those_of_printed_tables),
        cmocka_unit_test(few_servers_have_short_formulas),
        cmocka_unit_test(overload_leaves_what_servers_can_do),
        cmocka_unit_test(light_traffic_still_waits),
        cmocka_unit_test(large_links_lose_as_erlang),
        cmocka_unit_test(pools_solve_their_chains),
        cmocka_unit_test(many_servers_are_no_trouble),
        cmocka_unit_test(service_level_decays_exponentially),
        cmocka_unit_test(networks_solve_their_chains),
        cmocka_unit_test(networks_have_limits),
        cmocka_unit_test(priorities_solve_their_chains),
        cmocka_unit_test(priorities_have_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
