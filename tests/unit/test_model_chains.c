/* SPDX-License-Identifier: Apache-2.0 */
/* The mathematics against slower mathematics: solvers against each other, the product form
 * against its chain, limits that are known in closed form. */
#include "analytic/chain.h"
#include "analytic/credit_chain.h"
#include "analytic/ge_queue.h"
#include "analytic/two_ways.h"
#include "unit/test_model.h"

#define STATES_MOST 64

static uint64_t draw_state = 88172645463325252u; /* xorshift64: fixed draws for the tests */

static double draw(double low, double high)
{
    draw_state ^= draw_state << 13;
    draw_state ^= draw_state >> 7;
    draw_state ^= draw_state << 17;
    return low + (high - low) * (double)(draw_state >> 11) / 9007199254740992.0;
}

static double apart(double a, double b)
{
    double size = fabs(a) > fabs(b) ? fabs(a) : fabs(b);
    return size > 0 ? fabs(a - b) / size : 0;
}

/* ---- solvers ---- */

/* A chain whose solution is known: birth and death, p_n ∝ Π λ/μ. */
static void birth_and_death_is_exact(void **state)
{
    (void)state;
    const double ratios[] = {0.1, 0.9, 1, 1.5, 1e6};
    for (size_t r = 0; r < sizeof ratios / sizeof *ratios; r++) {
        double p[STATES_MOST], expected[STATES_MOST], sum = 0, weight = 1;
        weft_error err;
        weft_chain chain;
        weft_chain_init(&chain, STATES_MOST);
        for (uint32_t n = 0; n + 1 < STATES_MOST; n++) {
            weft_chain_add(&chain, n, n + 1, ratios[r]);
            weft_chain_add(&chain, n + 1, n, 1);
        }
        for (int n = 0; n < STATES_MOST; n++) { /* from the likely end */
            expected[ratios[r] <= 1 ? n : STATES_MOST - 1 - n] = weight;
            sum += weight;
            weight *= ratios[r] <= 1 ? ratios[r] : 1 / ratios[r];
        }
        assert_int_equal(weft_chain_solve(&chain, WEFT_CHAIN_GTH, p, &err), WEFT_OK);
        for (int n = 0; n < STATES_MOST; n++) /* entry by entry, down to 1e-378 … 0 */
            if (expected[n] > 1e-290)
                assert_true(apart(p[n], expected[n] / sum) < 1e-13);
        weft_chain_done(&chain);
    }
}

static void random_chains_have_one_solution(void **state)
{
    (void)state;
    for (int trial = 0; trial < 50; trial++) {
        uint32_t states = (uint32_t)draw(2, STATES_MOST);
        double gth[STATES_MOST], klu[STATES_MOST], worst = 0;
        weft_error err;
        weft_chain chain;
        weft_chain_init(&chain, states);
        for (uint32_t i = 0; i < states; i++) {
            weft_chain_add(&chain, i, (i + 1) % states, draw(0.1, 10)); /* a circle: irreducible */
            for (int k = 0; k < 3; k++)
                weft_chain_add(&chain, i, (uint32_t)draw(0, states), draw(0, 10));
        }
        assert_int_equal(weft_chain_solve(&chain, WEFT_CHAIN_GTH, gth, &err), WEFT_OK);
        assert_int_equal(weft_chain_solve(&chain, WEFT_CHAIN_KLU, klu, &err), WEFT_OK);
        for (uint32_t j = 0; j < states; j++) {
            double in = 0, out = 0;
            for (size_t t = 0; t < chain.count; t++) {
                in += chain.at[t].to == j ? gth[chain.at[t].from] * chain.at[t].rate : 0;
                out += chain.at[t].from == j ? gth[j] * chain.at[t].rate : 0;
            }
            worst = fmax(worst, fmax(apart(in, out), fabs(gth[j] - klu[j])));
        }
        assert_true(worst < 1e-13);
        weft_chain_done(&chain);
    }
}

/* Also where the first state is so unlikely that the others' weights relative to it are no
 * doubles. */
static void solvers_agree_on_credit_chains(void **state)
{
    static const weft_credit_chain chains[] = {{5, 6, 8, 12, 2},
                                               {5, 6, 8, 2, 40},
                                               {50, 6, 8, 30, 30},
                                               {1e3, 1, 1, 150, 9},
                                               {1e-3, 1, 2, 20, 20}};
    (void)state;
    for (size_t i = 0; i < sizeof chains / sizeof *chains; i++) {
        weft_credit_measures a, b;
        weft_error err;
        assert_int_equal(weft_credit_chain_solve(&chains[i], WEFT_CHAIN_GTH, &a, &err), WEFT_OK);
        assert_int_equal(weft_credit_chain_solve(&chains[i], WEFT_CHAIN_KLU, &b, &err), WEFT_OK);
        assert_true(apart(a.packets1, b.packets1) < 1e-10 && apart(a.packets2, b.packets2) < 1e-10);
        assert_true(apart(a.arriving, b.arriving) < 1e-10);
        assert_true(apart(a.arriving, a.passing) < 1e-12 && apart(a.arriving, a.leaving) < 1e-12);
    }
}

/* Rates far apart, whichever is the largest: every state may be the likeliest one. */
static void solvers_agree_on_rates_far_apart(void **state)
{
    static const double rates[] = {1e-6, 1e-3, 0.1, 1, 5, 100, 1e3, 1e6, 1e9};
    static const uint32_t sizes[][2] = {{20, 20}, {60, 9}, {9, 60}};
    const size_t n_rates = sizeof rates / sizeof *rates;
    (void)state;
    for (size_t i = 0; i < n_rates * n_rates * 3; i++) {
        const uint32_t *size = sizes[i % 3];
        weft_credit_chain chain = {rates[i / 3 % n_rates], rates[i / 3 / n_rates], 1, size[0],
                                   size[1]};
        weft_credit_measures a, b;
        weft_error err;
        assert_int_equal(weft_credit_chain_solve(&chain, WEFT_CHAIN_GTH, &a, &err), WEFT_OK);
        assert_int_equal(weft_credit_chain_solve(&chain, WEFT_CHAIN_KLU, &b, &err), WEFT_OK);
        assert_true(apart(a.packets1, b.packets1) < 1e-6 && apart(a.packets2, b.packets2) < 1e-6);
        assert_true(apart(a.arriving, b.arriving) < 1e-6);
    }
}

/* What no factors can tell is refused. */
static void chain_that_cannot_be_solved_is_refused(void **state)
{
    (void)state;
    weft_chain chain;
    weft_error err;
    double p[4];
    weft_chain_init(&chain, 4);
    for (uint32_t i = 0; i < 4; i++)
        weft_chain_add(&chain, i, i ^ 1, 1); /* two circles */
    assert_int_equal(weft_chain_solve(&chain, WEFT_CHAIN_KLU, p, &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text,
                        "the chain of 4 states cannot be solved: its rates are too far apart");
    weft_chain_done(&chain);
}

/* ---- limits ---- */

static void credit_with_ample_credits_is_a_single_queue(void **state)
{
    (void)state;
    asked credit, single;
    must_ask(&credit, "credit lambda=5 mu1=6 mu2=8 n=12 m=120");
    must_ask(&single, "mm1k lambda=5 mu=6 capacity=12");
    assert_true(apart(answer(&credit, "packets in node 1"), answer(&single, "packets")) < 1e-9);
    assert_true(apart(answer(&credit, "throughput"), answer(&single, "throughput")) < 1e-9);
    assert_true(fabs(answer(&credit, "packets in node 1") - 3.65969993) < 5e-9);
    assert_true(fabs(answer(&credit, "throughput") - 4.89689999) < 5e-9);
    ask_done(&credit);
    ask_done(&single);
}

static void credit_with_ample_room_is_a_jackson_network(void **state)
{
    (void)state;
    asked a;
    must_ask(&a, "credit lambda=5 mu1=6 mu2=8 n=200 m=100");
    assert_true(apart(answer(&a, "packets in node 1"), 5) < 1e-9);
    assert_true(apart(answer(&a, "packets in node 2"), 5.0 / 3) < 1e-9);
    assert_true(apart(answer(&a, "latency"), 4.0 / 3) < 1e-9);
    ask_done(&a);
}

static void more_room_for_all_makes_packets_slower(void **state)
{
    (void)state;
    double before = 0;
    for (int n = 1; n <= 40; n++) { /* the thesis says the opposite */
        asked a;
        must_ask(&a, "credit lambda=5 mu1=6 mu2=8 n=%d m=%d", n, n);
        assert_true(answer(&a, "latency") > before);
        before = answer(&a, "latency");
        ask_done(&a);
    }
    assert_true(fabs(before - 1.329) < 5e-4);
}

static void bursts_of_one_are_m_m_1_k(void **state)
{
    static const char *const names[] = {"packets", "loss", "throughput", "utilisation", "latency"};
    static const double loads[] = {0.2, 0.9, 1, 1.7};
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        asked bursty, plain;
        must_ask(&bursty, "ge-ge-1-n lambda=%g mu=1 capacity=9", loads[i]);
        must_ask(&plain, "mm1k lambda=%g mu=1 capacity=9", loads[i]);
        for (size_t k = 0; k < 5; k++)
            assert_true(apart(answer(&bursty, names[k]), answer(&plain, names[k])) < 1e-13);
        ask_done(&bursty);
        ask_done(&plain);
    }
}

static void room_without_end_is_the_queue_without_bounds(void **state)
{
    static const char *const names[] = {"packets", "utilisation", "latency", "x", "g"};
    (void)state;
    asked finite, infinite;
    must_ask(&finite, "ge-ge-1-n lambda=4 mu=8 capacity=500 ca2=5 cs2=7 printed=true");
    must_ask(&infinite, "ge-ge-1 lambda=4 mu=8 ca2=5 cs2=7 states=3");
    for (size_t k = 0; k < 5; k++)
        assert_true(apart(answer(&finite, names[k]), answer(&infinite, names[k])) < 1e-12);
    assert_true(apart(answer(&infinite, "packets"), 4.5) < 1e-14);
    assert_true(apart(answer(&finite, "y"), 3) < 1e-14); /* and 4.5 as printed */
    assert_true(apart(answer(&finite, "printed y"), 4.5) < 1e-12);
    assert_true(answer(&finite, "printed valid") == 0);
    ask_done(&finite);
    ask_done(&infinite);
    must_ask(&infinite, "ge-ge-1 lambda=3 mu=4");
    must_ask(&finite, "mm1 lambda=3 mu=4");
    assert_true(apart(answer(&infinite, "latency"), answer(&finite, "latency")) < 1e-14);
    ask_done(&finite);
    ask_done(&infinite);
}

static void single_queues_agree_where_they_meet(void **state)
{
    (void)state;
    asked mm1, md1, general;
    must_ask(&mm1, "mm1 lambda=3 mu=4");
    must_ask(&md1, "md1 lambda=3 mu=4");
    assert_true(apart(answer(&mm1, "latency"), 1) < 1e-15);
    assert_true(apart(answer(&md1, "latency"), 0.625) < 1e-15);
    must_ask(&general, "mg1 lambda=3 mu=4 cs2=1");
    assert_true(apart(answer(&general, "wait"), answer(&mm1, "wait")) < 1e-15);
    ask_done(&general);
    must_ask(&general, "mg1 lambda=3 mu=4 cs2=0");
    assert_true(apart(answer(&general, "wait"), answer(&md1, "wait")) < 1e-15);
    assert_true(apart(answer(&general, "packets"), 3 * answer(&general, "latency")) < 1e-15);
    ask_done(&general);
    ask_done(&mm1);
    ask_done(&md1);
}

/* ---- the product form and its chain ---- */

/* State n: all that can happen to n packets, one transition at a time. */
static void fill_chain(const weft_ge_queue *q, weft_chain *chain)
{
    double sigma = weft_ge_sigma(q->ca2), r = weft_ge_sigma(q->cs2), a = sigma * q->lambda;
    for (uint32_t n = 0; n <= q->capacity; n++) {
        double rate = n == 0 ? a * weft_ge_starts(q) : a, left = rate;
        for (uint32_t to = n + 1; to < q->capacity; to++) {
            weft_chain_add(chain, n, to, sigma * left);
            left *= 1 - sigma;
        }
        if (n < q->capacity)
            weft_chain_add(chain, n, q->capacity, left);
        left = r * q->mu[weft_ge_region(q, n)];
        for (uint32_t to = n; to-- > 1;) {
            weft_chain_add(chain, n, to, r * left);
            left *= 1 - r;
        }
        if (n > 0)
            weft_chain_add(chain, n, 0, left);
    }
}

static weft_ge_queue random_queue(void)
{
    weft_ge_queue q = weft_ge_queue_plain(draw(0.1, 20), draw(0.5, 20), draw(1, 12), draw(1, 12),
                                          (uint32_t)draw(1, 40));
    uint32_t after = 1;
    while (q.regions < 4 && after < q.capacity) {
        q.threshold[q.regions - 1] = after;
        q.mu[q.regions++] = draw(0.5, 20);
        after += 1 + (uint32_t)draw(0, 15);
    }
    return q;
}

static void product_form_is_the_chain(void **state)
{
    (void)state;
    double worst = 0, traffic_class = 0;
    for (int trial = 0; trial < 300; trial++) {
        weft_ge_queue q = random_queue();
        weft_ge_measures found;
        weft_error err;
        weft_chain chain;
        double product[STATES_MOST], solved[STATES_MOST], sum = 0;
        weft_chain_init(&chain, q.capacity + 1);
        fill_chain(&q, &chain);
        assert_int_equal(weft_chain_solve(&chain, WEFT_CHAIN_GTH, solved, &err), WEFT_OK);
        weft_ge_product(&q, product);
        weft_ge_measure(&q, product, &found);
        for (uint32_t n = 0; n <= q.capacity; n++) {
            worst = fmax(worst, fabs(product[n] - solved[n]));
            sum += product[n];
        }
        assert_true(fabs(sum - 1) < 1e-13);
        traffic_class = fmax(traffic_class, apart(found.served, found.throughput));
        weft_chain_done(&chain);
    }
    print_message("300 queues: |product − chain| at most %.2g, flows differ by %.2g\n", worst,
                  traffic_class);
    assert_true(worst < 1e-14 && traffic_class < 1e-12);
}

/* A rate that never changes may as well be frozen. */
static void frozen_rates_that_are_equal_change_nothing(void **state)
{
    (void)state;
    for (int trial = 0; trial < 20; trial++) {
        weft_ge_queue q = random_queue();
        double follows[STATES_MOST], frozen[STATES_MOST];
        weft_error err;
        for (uint32_t c = 1; c < q.regions; c++)
            q.mu[c] = q.mu[0];
        weft_ge_product(&q, follows);
        assert_int_equal(weft_ge_frozen(&q, frozen, &err), WEFT_OK);
        for (uint32_t n = 0; n <= q.capacity; n++)
            assert_true(fabs(follows[n] - frozen[n]) < 1e-14);
    }
}

static void great_queues_neither_overflow_nor_vanish(void **state)
{
    (void)state;
    asked a;
    must_ask(&a, "threshold lambda=1000 mu=[1,2] thresholds=[40000] capacity=100000 ca2=3 cs2=9");
    assert_true(answer(&a, "loss") > 0.997 && answer(&a, "loss") < 1);
    assert_true(apart(answer(&a, "served"), 2) < 1e-9);
    ask_done(&a);
    must_ask(&a, "mm1k lambda=1000 mu=1 capacity=100000");
    assert_true(apart(answer(&a, "loss"), 0.999) < 1e-12);
    ask_done(&a);
}

/* ---- cut-through ---- */

static void passive_packets_have_the_closed_form(void **state)
{
    (void)state;
    for (uint32_t h = 2; h <= 60; h++)
        for (double rho = 0; rho < 1; rho += 0.25) {
            double closed = 0.5 - 1.0 / h;
            assert_true(fabs(weft_two_ways_quadrant(WEFT_CHOICE_RANDOM, rho, h) - closed) < 1e-12);
            assert_true(fabs(weft_two_ways_quadrant(WEFT_CHOICE_DIMENSION_ORDER, rho, h) - closed) <
                        1e-12);
        }
    assert_true(weft_two_ways_quadrant(WEFT_CHOICE_DIAGONAL, 0.5, 1) == 0);
}

/* The ring is the quadrant while it is whole; uniform traffic on a torus is all its rings. */
static void averages_are_sums_over_rings(void **state)
{
    static const char *const selections[] = {"oblivious", "random", "dimension-order", "diagonal"};
    const int ks[] = {8, 7};
    (void)state;
    for (int i = 0; i < 8; i++) {
        int k = ks[i / 4];
        double nodes = 0, hops = 0, latency = 0, cut = 0, passed = 0;
        asked a;
        for (int h = 1; h <= 2 * (k / 2); h++) {
            double count = 0;
            for (int x = 0; x <= h; x++)
                count += weft_two_ways_nodes((uint32_t)x, (uint32_t)(h - x), (uint32_t)k);
            must_ask(&a, "cut-through k=%d ring=torus rho=0.4 selection=%s h=%d header=1", k,
                     selections[i % 4], h);
            nodes += count;
            hops += count * h;
            latency += count * answer(&a, "latency");
            cut += count * (h - 1) * answer(&a, "cut-through");
            passed += count * (h - 1);
            ask_done(&a);
        }
        assert_true(nodes == k * k - 1);
        must_ask(&a, "cut-through k=%d ring=torus rho=0.4 selection=%s header=1", k,
                 selections[i % 4]);
        assert_true(apart(answer(&a, "hops"), hops / nodes) < 1e-12);
        assert_true(apart(answer(&a, "latency"), latency / nodes) < 1e-12);
        assert_true(apart(answer(&a, "cut-through"), cut / passed) < 1e-12);
        assert_true(apart(answer(&a, "rate") * answer(&a, "hops") * 64 / 4, 0.4) < 1e-12);
        ask_done(&a);
    }
}

static void cut_throughs_are_binomial(void **state)
{
    (void)state;
    for (int h = 1; h <= 2000; h = h * 3 + 1)
        for (double rho = 0; rho < 1; rho += 0.3) {
            asked a;
            double sum = 0, mean = 0;
            must_ask(&a, "cut-through h=%d rho=%g distribution=true", h, rho);
            for (int c = 0; c < h; c++) {
                double p = answer_at(&a, "cut through", "nodes", c);
                sum += p;
                mean += c * p;
            }
            assert_true(fabs(sum - 1) < 1e-12);
            assert_true(fabs(mean - (h - 1) * (1 - rho)) < 1e-9 * h);
            ask_done(&a);
        }
}

/* Statements of the paper's text: 46.6 h + 44.8 at ρ = 0.3, "just over 500" for ten hops, and
 * oblivious at 30 % as good as diagonal at 50 %, which is a rounded reading of a drawing. */
static void statements_of_the_text(void **state)
{
    (void)state;
    asked a, b;
    for (int h = 2; h <= 20; h++) {
        must_ask(&a, "cut-through rho=0.3 h=%d", h);
        assert_true(fabs(answer(&a, "latency") - (46.62857142857143 * h + 44.8)) < 1e-9);
        ask_done(&a);
    }
    must_ask(&a, "cut-through rho=0.3 h=20");
    must_ask(&b, "cut-through rho=0.5 h=20 selection=diagonal");
    assert_true(fabs(answer(&a, "cut-through") - answer(&b, "cut-through")) < 0.04);
    ask_done(&a);
    ask_done(&b);
    must_ask(&a, "cut-through rho=0 h=20 header=1");
    assert_true(fabs(answer(&a, "latency") - 83) < 1e-9); /* 64 only without a header */
    ask_done(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(birth_and_death_is_exact),
        cmocka_unit_test(random_chains_have_one_solution),
        cmocka_unit_test(solvers_agree_on_credit_chains),
        cmocka_unit_test(solvers_agree_on_rates_far_apart),
        cmocka_unit_test(chain_that_cannot_be_solved_is_refused),
        cmocka_unit_test(credit_with_ample_credits_is_a_single_queue),
        cmocka_unit_test(credit_with_ample_room_is_a_jackson_network),
        cmocka_unit_test(more_room_for_all_makes_packets_slower),
        cmocka_unit_test(bursts_of_one_are_m_m_1_k),
        cmocka_unit_test(room_without_end_is_the_queue_without_bounds),
        cmocka_unit_test(single_queues_agree_where_they_meet),
        cmocka_unit_test(product_form_is_the_chain),
        cmocka_unit_test(frozen_rates_that_are_equal_change_nothing),
        cmocka_unit_test(great_queues_neither_overflow_nor_vanish),
        cmocka_unit_test(passive_packets_have_the_closed_form),
        cmocka_unit_test(averages_are_sums_over_rings),
        cmocka_unit_test(cut_throughs_are_binomial),
        cmocka_unit_test(statements_of_the_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
