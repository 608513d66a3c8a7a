/* SPDX-License-Identifier: Apache-2.0 */
/* Each arbiter keeps its own rule, against hand-computed orders and naive lists. */
#include "interweft/scheduler.h"
#include "sched/kinds.h"
#include "sched/round_robin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contract/settings.h"

typedef struct bench {
    const weft_arbiter_kind *kind;
    void *settings;
    uint32_t n;
    uint64_t state[2048];
    uint64_t asking[WEFT_CANDIDATES_MAX / 64];
    uint32_t age[WEFT_CANDIDATES_MAX];
    weft_occasion occasion;
    uint32_t port;
} bench;

static bench *open_bench(const weft_arbiter_kind *kind, const char *settings, uint32_t n)
{
    bench *it = calloc(1, sizeof *it);
    assert_non_null(it);
    it->kind = kind;
    it->settings = settings_make(&kind->base, settings);
    it->n = n;
    assert_true(kind->bytes(it->settings, n) <= sizeof it->state);
    kind->reset(it->settings, n, it->state);
    return it;
}

static void close_bench(bench *it)
{
    free(it->settings);
    free(it);
}

static uint32_t pick(bench *it)
{
    weft_arbiter_input arbiter_input = {.asking = it->asking,
                                        .age = it->kind->ages ? it->age : NULL,
                                        .occasion = &it->occasion,
                                        .port = it->port};
    return it->kind->pick(it->settings, it->n, it->state, &arbiter_input);
}

static uint32_t grant(bench *it)
{
    uint32_t winner = pick(it);
    it->kind->granted(it->settings, it->n, it->state, winner);
    return winner;
}

static void ask(bench *it, uint32_t candidate)
{
    it->asking[candidate / 64] |= (uint64_t)1 << candidate % 64;
}

static void assert_grants(bench *it, const char *expected)
{
    for (; *expected; expected++)
        assert_int_equal(grant(it), (uint32_t)(*expected - '0'));
}

static void round_robin_goes_on_past_the_winner(void **state)
{
    (void)state;
    bench *it = open_bench(&weft_arbiter_round_robin, "", 5);
    it->asking[0] = 0x1f;
    assert_grants(it, "0123401");
    it->asking[0] = 0x12; /* 1 and 4 */
    assert_grants(it, "4141");
    close_bench(it);
}

static void round_robin_pointers_are_a_byte_or_two(void **state)
{
    (void)state;
    const weft_arbiter_kind *kind = &weft_arbiter_round_robin;
    assert_int_equal(kind->bytes(NULL, 9), 1);
    assert_int_equal(kind->bytes(NULL, 256), 1);
    assert_int_equal(kind->bytes(NULL, 257), 2);
    bench *it = open_bench(kind, "", 1000);
    ask(it, 3), ask(it, 500), ask(it, 510), ask(it, 999);
    const uint32_t order[] = {3, 500, 510, 999, 3};
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(grant(it), order[i]);
    assert_int_equal(weft_round_robin_wide(it->asking, 16, 4), 500);
    it->asking[0] = 0, it->asking[15] = 0; /* only 500 and 510, one word: around to its low part */
    assert_int_equal(weft_round_robin_wide(it->asking, 16, 505), 510);
    assert_int_equal(weft_round_robin_wide(it->asking, 16, 511), 500);
    close_bench(it);
}

/* The naive form: a list, the winner goes to its end. */
static void check_matrix(uint32_t n)
{
    bench *it = open_bench(&weft_arbiter_matrix, "", n);
    weft_random random = weft_random_stream(23, n, 0, WEFT_FOR_ESTIMATE);
    uint32_t list[128] = {0};
    for (uint32_t i = 0; i < n; i++)
        list[i] = i;
    for (uint32_t tick = 0; tick < 2000; tick++) {
        memset(it->asking, 0, sizeof it->asking);
        for (uint32_t k = weft_random_below(&random, n) + 1; k; k--)
            ask(it, weft_random_below(&random, n));
        uint32_t place = 0;
        while (!(it->asking[list[place] / 64] >> list[place] % 64 & 1))
            place++;
        uint32_t winner = list[place];
        assert_int_equal(grant(it), winner);
        memmove(list + place, list + place + 1, (n - place - 1) * sizeof *list);
        list[n - 1] = winner;
    }
    assert_true(it->kind->sound(it->settings, n, it->state));
    close_bench(it);
}

static void matrix_serves_the_one_granted_longest_ago(void **state)
{
    (void)state;
    const uint32_t sizes[] = {1, 2, 7, 8, 9, 16, 17, 33, 64, 65, 128};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        check_matrix(sizes[i]);
    assert_int_equal(weft_arbiter_matrix.bytes(NULL, 4), 4);
    assert_int_equal(weft_arbiter_matrix.bytes(NULL, 9), 18);
}

static void a_matrix_that_is_no_order_is_refused(void **state)
{
    (void)state;
    bench *it = open_bench(&weft_arbiter_matrix, "", 3);
    uint8_t *rows = (void *)it->state; /* 0: nobody, 1: {0}, 2: {0, 1} */
    assert_true(it->kind->sound(NULL, 3, rows));
    for (uint32_t bit = 0; bit < 24; bit++) { /* any one bit wrong */
        rows[bit / 8] ^= (uint8_t)(1u << bit % 8);
        assert_false(it->kind->sound(NULL, 3, rows));
        rows[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    rows[0] = 4, rows[1] = 1, rows[2] = 2; /* each before the next, around */
    assert_false(it->kind->sound(NULL, 3, rows));
    rows[0] = 0, rows[1] = 4, rows[2] = 3; /* sizes of an order, but 1 and 2 before each other */
    assert_false(it->kind->sound(NULL, 3, rows));
    rows[0] = 6, rows[1] = 0, rows[2] = 2; /* 1, 2, 0 */
    assert_true(it->kind->sound(NULL, 3, rows));
    close_bench(it);
}

static void priority_keeps_its_order(void **state)
{
    (void)state;
    bench *it = open_bench(&weft_arbiter_priority, "", 5);
    it->asking[0] = 0x1e;
    assert_grants(it, "111");
    close_bench(it);
    it = open_bench(&weft_arbiter_priority, "order=3,1", 5);
    it->asking[0] = 0x1f;
    assert_grants(it, "33");
    it->asking[0] = 0x17;
    assert_grants(it, "11");
    it->asking[0] = 0x14; /* neither is listed */
    assert_grants(it, "22");
    close_bench(it);
}

static void priority_refuses_an_order_it_cannot_keep(void **state)
{
    (void)state;
    weft_error err;
    bench *it = open_bench(&weft_arbiter_priority, "order=3,1,4", 5);
    assert_int_equal(it->kind->check(it->settings, 5, &err), WEFT_OK);
    assert_int_equal(it->kind->check(it->settings, 4, &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text, "arbiter priority: order must name candidates 0 … 3, found 4");
    close_bench(it);
    it = open_bench(&weft_arbiter_priority, "order=2,1,2", 5);
    assert_int_equal(it->kind->check(it->settings, 5, &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text,
                        "arbiter priority: order must name a candidate once, found 2 twice");
    close_bench(it);
}

static void age_never_serves_a_younger_one(void **state)
{
    (void)state;
    bench *it = open_bench(&weft_arbiter_age, "", 100);
    weft_random random = weft_random_stream(24, 0, 0, WEFT_FOR_ESTIMATE);
    for (uint32_t tick = 0; tick < 20000; tick++) {
        memset(it->asking, 0, sizeof it->asking);
        for (uint32_t k = weft_random_below(&random, 8) + 1; k; k--) {
            uint32_t candidate = weft_random_below(&random, it->n);
            it->age[candidate] = weft_random_below(&random, tick % 2 ? 4 : 100000);
            ask(it, candidate);
        }
        uint32_t winner = grant(it);
        assert_true(it->asking[winner / 64] >> winner % 64 & 1);
        for (uint32_t i = 0; i < it->n; i++)
            if (it->asking[i / 64] >> i % 64 & 1) /* not older, and on ties not lower */
                assert_true(it->age[i] < it->age[winner] ||
                            (it->age[i] == it->age[winner] && i >= winner));
    }
    close_bench(it);
}

/* χ² of the winners of `count` draws among k candidates that ask. */
static double chi_square(bench *it, const uint32_t *asking, uint32_t k, uint32_t count,
                         void (*next)(bench *))
{
    uint32_t wins[WEFT_CANDIDATES_MAX] = {0};
    for (uint32_t i = 0; i < k; i++)
        ask(it, asking[i]);
    for (uint32_t i = 0; i < count; i++) {
        next(it);
        wins[grant(it)]++;
    }
    double sum = 0, expected = (double)count / k;
    for (uint32_t i = 0; i < k; i++)
        sum += (wins[asking[i]] - expected) * (wins[asking[i]] - expected) / expected;
    return sum;
}

static void next_tick(bench *it)
{
    it->occasion.tick++;
}

static void next_crossbar(bench *it)
{
    it->occasion.crossbar++;
}

static void next_port(bench *it)
{
    it->port++;
}

static void next_seed(bench *it)
{
    it->occasion.seed++;
}

/* 10 candidates, 9 degrees of freedom: 99.9 % of all draws lie below 27.88, 0.1 % below 1.15. */
static void random_is_uniform_along_every_coordinate(void **state)
{
    (void)state;
    void (*const next[])(bench *) = {next_tick, next_crossbar, next_port, next_seed};
    const uint32_t asking[10] = {0, 1, 2, 30, 63, 64, 65, 127, 128, 199};
    for (size_t i = 0; i < 4; i++) {
        bench *it = open_bench(&weft_arbiter_random, "", 200);
        it->occasion.seed = 31;
        double found = chi_square(it, asking, 10, 100000, next[i]);
        assert_true(found > 1.15 && found < 27.88);
        close_bench(it);
    }
}

static void random_is_the_same_on_the_same_occasion(void **state)
{
    (void)state;
    bench *it = open_bench(&weft_arbiter_random, "", 64);
    it->asking[0] = UINT64_MAX;
    uint32_t first[100], changed = 0;
    for (uint32_t i = 0; i < 100; i++) {
        it->occasion = (weft_occasion){.seed = 7, .tick = i, .crossbar = 3};
        first[i] = grant(it);
    }
    for (uint32_t i = 100; i-- > 0;) {
        it->occasion = (weft_occasion){.seed = 7, .tick = i, .crossbar = 3};
        assert_int_equal(grant(it), first[i]);
        it->port = 1;
        changed += grant(it) != first[i];
        it->port = 0;
    }
    assert_true(changed > 90);
    close_bench(it);
}

static void assert_shares(const char *weights, const uint32_t *expected, uint32_t n)
{
    bench *it = open_bench(&weft_arbiter_weighted, weights, n);
    uint32_t wins[64] = {0}, all = 0;
    for (uint32_t i = 0; i < n; i++) {
        all += expected[i];
        ask(it, i);
    }
    uint32_t rounds = 1 + 200000 / all;
    for (uint32_t i = 0; i < rounds * all; i++)
        wins[grant(it)]++;
    for (uint32_t i = 0; i < n; i++) {
        double share = (double)wins[i] / (rounds * all), due = (double)expected[i] / all;
        assert_true(share > 0.99 * due && share < 1.01 * due);
    }
    close_bench(it);
}

static void weighted_shares_are_the_weights(void **state)
{
    (void)state;
    assert_shares("weights=1", (uint32_t[]){1, 1, 1, 1, 1}, 5);
    assert_shares("weights=3,1", (uint32_t[]){3, 1}, 2);
    assert_shares("weights=10,1,5", (uint32_t[]){10, 1, 5}, 3);
    assert_shares("weights=1,2", (uint32_t[]){1, 2, 1, 2, 1}, 5); /* the list is repeated */
    assert_shares("weights=997,3,41,7", (uint32_t[]){997, 3, 41, 7}, 4);
    assert_shares("weights=65535,655", (uint32_t[]){65535, 655}, 2);
}

/* Small weights are spread, not served in bursts. Tags 0: 0, 1/3, 2/3, 1, …; 1: 0, 1, …; 2: 0, 1,
 * …. */
static void weighted_spreads_the_grants(void **state)
{
    (void)state;
    bench *it = open_bench(&weft_arbiter_weighted, "weights=3,1,1", 3);
    it->asking[0] = 7;
    assert_grants(it, "01200012000120");
    close_bench(it);
}

static void weighted_does_not_pay_for_idle_time(void **state)
{
    (void)state;
    bench *it = open_bench(&weft_arbiter_weighted, "weights=1", 2);
    it->asking[0] = 1;
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(grant(it), 0);
    it->asking[0] = 3; /* 1 was idle all the time: at most one turn ahead, then they alternate */
    uint32_t wins = 0;
    for (uint32_t i = 0; i < 10; i++)
        wins += grant(it) == 1;
    assert_in_range(wins, 5, 6);
    close_bench(it);
}

/* Neither does coming and going win anything: 0 asks in every other tick only. */
static void weighted_comers_and_goers_gain_nothing(void **state)
{
    (void)state;
    bench *it = open_bench(&weft_arbiter_weighted, "weights=1,1,1", 3);
    uint32_t wins[3] = {0};
    for (uint32_t i = 0; i < 3000; i++) {
        it->asking[0] = i % 2 ? 7 : 6;
        wins[grant(it)]++;
    }
    assert_true(wins[0] <= 1010 && wins[1] >= 990 && wins[2] >= 990);
    close_bench(it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_robin_goes_on_past_the_winner),
        cmocka_unit_test(round_robin_pointers_are_a_byte_or_two),
        cmocka_unit_test(matrix_serves_the_one_granted_longest_ago),
        cmocka_unit_test(a_matrix_that_is_no_order_is_refused),
        cmocka_unit_test(priority_keeps_its_order),
        cmocka_unit_test(priority_refuses_an_order_it_cannot_keep),
        cmocka_unit_test(age_never_serves_a_younger_one),
        cmocka_unit_test(random_is_uniform_along_every_coordinate),
        cmocka_unit_test(random_is_the_same_on_the_same_occasion),
        cmocka_unit_test(weighted_shares_are_the_weights),
        cmocka_unit_test(weighted_spreads_the_grants),
        cmocka_unit_test(weighted_does_not_pay_for_idle_time),
        cmocka_unit_test(weighted_comers_and_goers_gain_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
