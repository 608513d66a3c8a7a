/* SPDX-License-Identifier: Apache-2.0 */
/* Verdicts that could have gone the other way: every rule judges a printed sentence true on some
 * data and false on altered data, and a known difference that grows is seen. */
#include "unit/test_reproduce_bench.h"

#define PRINTED ", sentence: so it is printed, place: p. 7, sure: very}\n"

static weft_verdict verdict_on(bench *b, const made *how)
{
    weft_comparison *comparison = compare(b, how);
    weft_verdict verdict = comparison->verdict;
    const weft_claim_result *claim = &comparison->claims[0];
    assert_int_equal(claim->verdict, verdict);
    if (verdict == WEFT_REFUTED) {
        assert_string_equal(claim->sentence, "so it is printed");
        assert_string_equal(claim->place, "p. 7");
        assert_string_equal(claim->sure, "very");
        assert_true(*claim->reason);
    }
    weft_comparison_destroy(comparison);
    return verdict;
}

static void claim(bench *b, const char *settings)
{
    char text[1024];
    (void)snprintf(text, sizeof text, "      a: {%s" PRINTED, settings);
    must(b, open_study(b, text));
}

/* The sentence agrees on one set of data and is refuted on the other. */
static void both_ways(bench *b, const char *settings, const made *holds, const made *fails)
{
    claim(b, settings);
    assert_int_equal(verdict_on(b, holds), WEFT_AGREES);
    assert_int_equal(verdict_on(b, fails), WEFT_REFUTED);
}

#define THEIRS "metric: latency, table: t.csv, where: {h: 5}, value: lat"

static void tables_go_both_ways(void **state)
{
    bench *b = *state;
    made off = as_expected, slightly = as_expected, far = as_expected, unsure = as_expected;
    off.off[0][1] = 1.5;
    slightly.off[0][2] = 1.035;
    far.off[0][2] = 1.2;
    put(b, "t.csv", TABLE);
    both_ways(b, "rule: z, error: ci, divisor: 2, " THEIRS, &as_expected, &off);
    both_ways(b, "rule: digits, digits: 2, " THEIRS, &as_expected, &off);
    both_ways(b, "rule: digits, written: true, " THEIRS, &as_expected, &off);
    both_ways(b, "rule: within, share: 3%, " THEIRS, &as_expected, &far);
    /* 31.05 ± 0.09 of 30: the nearest value that is within 3 % is 1.7 standard errors away. */
    assert_int_equal(verdict_on(b, &slightly), WEFT_UNDECIDED);
    unsure.off[0][2] = 1.2;
    unsure.noise = 40;
    assert_int_equal(verdict_on(b, &unsure), WEFT_UNDECIDED);
}

static void our_own_values_go_both_ways(void **state)
{
    bench *b = *state;
    made crossed = as_expected, flat = as_expected, equal = as_expected;
    crossed.off[0][1] = 0.4; /* falls from 10 to 8, then rises */
    flat.off[0][1] = 0.5;
    flat.off[0][2] = 1. / 3;
    flat.off[1][1] = 0.5;
    flat.off[1][2] = 1. / 3;
    equal.off[1][0] = 10. / 12;
    put(b, "t.csv", TABLE);
    both_ways(b, "rule: trend, metric: latency, along: rho, direction: rising", &as_expected,
              &crossed);
    assert_int_equal(verdict_on(b, &flat), WEFT_UNDECIDED);
    both_ways(b, "rule: ordering, metric: latency, along: way, order: [slow, fast]", &as_expected,
              &(made){.off = {{1.5, 1.5, 1.5}, {1, 1, 1}}});
    /* The gap of 2 at the first load grows. */
    both_ways(b,
              "rule: contrast, metric: latency, sum: above, terms: ["
              "{at: {way: slow, rho: 0.3}}, {times: -1, at: {way: fast, rho: 0.3}},"
              "{times: -1, at: {way: slow, rho: 0.1}}, {at: {way: fast, rho: 0.1}}]",
              &as_expected, &(made){.off = {{1, 1, 1.2}, {1, 1, 1}}});
    both_ways(b,
              "rule: contrast, metric: latency, sum: below, terms: ["
              "{}, {times: -100, key: rho}, {times: -7, constant: 1}]",
              &as_expected, &(made){.off = {{2, 1, 1}, {1, 1, 1}}});
    both_ways(b,
              "rule: contrast, metric: latency, sum: zero, share: 5%, terms: ["
              "{at: {way: slow, rho: 0.1}}, {times: -1, at: {way: fast, rho: 0.1}}]",
              &equal, &as_expected);
}

static void saturation_and_distributions_go_both_ways(void **state)
{
    bench *b = *state;
    made calm = as_expected, skewed = as_expected;
    calm.calm = true;
    skewed.off[0][0] = 2;
    put(b, "t.csv", TABLE);
    both_ways(b,
              "rule: bracket, metric: latency, along: rho, stable: 0.3, unstable: none,"
              " only: {way: slow}",
              &calm, &as_expected);
    put(b, "t.csv", "code,rho,at,p\nf,0.1,0,0.5\nf,0.1,1,0.5\n");
    both_ways(b,
              "rule: distribution, metric: cuts, table: t.csv, at: at, value: p, margin: 0.05,"
              " only: {way: fast, rho: 0.1}",
              &as_expected, &skewed);
}

/* A difference that is known and stays in its range is explained, or unexplained where no cause is
 * known; one that leaves its range disagrees. The largest difference told counts it. */
static void known_difference_that_grew_is_seen(void **state)
{
    static const char *const rules[] = {
        "rule: z, error: ci, " THEIRS,
        "rule: digits, " THEIRS,
        "rule: within, share: 1%, " THEIRS,
    };
    bench *b = *state;
    made known = as_expected, grown = as_expected;
    known.off[0][2] = 1.1; /* 33 of 30 */
    grown.off[0][2] = 1.2;
    put(b, "t.csv", TABLE);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        char text[1024];
        for (int cause = 0; cause < 2; cause++) {
            (void)snprintf(text, sizeof text,
                           "      a: {%s, known: [{way: fast, rho: 0.3, between: [32.5, 33.5],"
                           " %s: a text}]}\n",
                           rules[i], cause ? "reason" : "unexplained");
            must(b, open_study(b, text));
            assert_int_equal(verdict_on(b, &known), cause ? WEFT_EXPLAINED : WEFT_UNEXPLAINED);
            assert_int_equal(verdict_on(b, &as_expected), WEFT_AGREES);
            assert_int_equal(verdict_on(b, &grown), WEFT_DISAGREES);
        }
    }
    weft_comparison *comparison = compare(b, &known);
    assert_string_equal(comparison->claims[0].summary,
                        "6 cells, 5 within, largest difference 10 % (3 cycles)");
    assert_string_equal(comparison->claims[0].reason, "1 explained difference");
    weft_comparison_destroy(comparison);
    comparison = compare(b, &grown);
    assert_string_equal(cell(comparison, 0, "fast rho=0.3")->reason,
                        "ours is 20 % above theirs; a difference is known here, but ours, 36, is "
                        "outside of its range 32.5 … 33.5");
    weft_comparison_destroy(comparison);
}

static void known_pair_that_grew_is_seen(void **state)
{
    bench *b = *state;
    put(b, "t.csv", TABLE);
    must(b, open_study(b, "      a: {rule: ordering, metric: latency, along: way,"
                          " order: [slow, fast], known: [{rho: 0.3, between: [-5, -1],"
                          " reason: a text}]}\n"));
    made known = {.off = {{1, 1, 1.3}, {1, 1, 1}}}, grown = {.off = {{1, 1, 1.5}, {1, 1, 1}}};
    assert_int_equal(verdict_on(b, &known), WEFT_EXPLAINED);
    assert_int_equal(verdict_on(b, &grown), WEFT_DISAGREES);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(tables_go_both_ways),
        TEST(our_own_values_go_both_ways),
        TEST(saturation_and_distributions_go_both_ways),
        TEST(known_difference_that_grew_is_seen),
        TEST(known_pair_that_grew_is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
