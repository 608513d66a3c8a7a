/* SPDX-License-Identifier: Apache-2.0 */
/* Claims with a tolerance, with a correction, and on saturation. */
#include "unit/test_reproduce_bench.h"

static void differences_may_be_within_something(void **state)
{
    bench *b = *state;
    made wrong = as_expected;
    wrong.off[0][2] = 1.04; /* 31.2 of 30 */
    put(b, "t.csv", TABLE);
#define WITHIN "metric: latency, table: t.csv, where: {h: 5}, value: lat"
    must(b, open_study(b, "      a: {rule: within, share: 3%, absolute: 0.5, " WITHIN "}\n"
                          "      b: {rule: within, share: 3%, absolute: 1.25, " WITHIN "}\n"
                          "      c: {rule: within, share: 5%, " WITHIN
                          ", only: {way: fast, rho: {from: 0.2}}}\n"
                          "      d: {rule: within, share: 1%, " WITHIN
                          ", known: [{way: fast, rho: 0.3, reason: a reason, between: [31, 32]}]}\n"
                          "      e: {rule: shown, reason: to be seen, " WITHIN "}\n"));
    weft_comparison *comparison = compare(b, &wrong);
    const weft_claim_result *claims = comparison->claims;
    assert_string_equal(claims[0].rule, "within 3 % or 0.5 cycles");
    assert_int_equal(claims[0].verdict, WEFT_DISAGREES);
    assert_int_equal(cell(comparison, 0, "fast rho=0.3")->verdict, WEFT_DISAGREES);
    assert_string_equal(claims[0].reason, "1 cell differs");
    assert_int_equal(claims[1].verdict, WEFT_AGREES);
    assert_int_equal(claims[2].verdict, WEFT_AGREES);
    assert_int_equal(claims[2].n_cells, 2);
    assert_false(claims[2].table); /* its cells do not stand for all points */
    assert_int_equal(claims[3].verdict, WEFT_EXPLAINED);
    assert_int_equal(claims[4].verdict, WEFT_NOT_CLAIMED);
    assert_int_equal(claims[4].n_cells, 6);
    assert_int_equal(claims[4].cells[0].verdict, WEFT_NOT_CLAIMED);
    assert_string_equal(claims[4].reason, "to be seen");
    weft_comparison_destroy(comparison);
}

/* A table without the key `way`, and with hops of its own, one of which is not a link. */
static void theirs_is_adjusted(void **state)
{
    bench *b = *state;
    put(b, "t.csv", "rho,lat,hops\n0.1,11,5.5\n0.2,21,5.5\n0.3,29,4.5\n");
    must(b,
         open_study(
             b, "      a: {rule: within, absolute: 1e-6, metric: latency, table: t.csv, value: lat,"
                " beside: [way], only: {way: [fast]},"
                " adjust: {metric: hops, column: hops, less: 1, slope: 2}}\n"));
    weft_comparison *comparison = compare(b, &as_expected);
    assert_int_equal(comparison->verdict, WEFT_AGREES);
    assert_true(fabs(cell(comparison, 0, "fast rho=0.3")->theirs - 30) < 1e-9);
    weft_comparison_destroy(comparison);
}

static void saturation_lies_in_a_bracket(void **state)
{
    bench *b = *state;
    put(b, "t.csv", TABLE);
#define BRACKET "rule: bracket, metric: latency, along: rho"
    must(b, open_study(b, "      a: {" BRACKET ", stable: 0.25, unstable: 0.3, margin: 0.05,"
                          " only: {way: slow}}\n"
                          "      b: {" BRACKET ", stable: 0.25, unstable: 0.3, only: {way: slow}}\n"
                          "      c: {" BRACKET ", stable: 0.3}\n"
                          "      d: {" BRACKET ", stable: 0.3, unstable: 0.3, only: {way: fast},"
                          " known: [{way: fast, reason: it is faster, between: [0.3, 0.3]}]}\n"
                          "      e: {" BRACKET ", stable: 0.5, only: {way: fast}}\n"
                          "      f: {" BRACKET ", stable: 0.2, unstable: 0.25,"
                          " only: {way: slow, rho: 0.3}}\n"));
    weft_comparison *comparison = compare(b, &as_expected);
    const weft_claim_result *claims = comparison->claims;
    assert_int_equal(claims[0].verdict, WEFT_AGREES);
    assert_string_equal(claims[0].summary, "slow: ours lies between 0.2 and 0.3");
    assert_int_equal(claims[1].verdict, WEFT_DISAGREES);
    assert_string_equal(claims[1].cells[0].reason,
                        "ours lies between 0.2 and 0.3, theirs between 0.25 and 0.3");
    assert_int_equal(claims[2].n_cells, 2);
    assert_int_equal(claims[2].cells[0].verdict, WEFT_AGREES);    /* fast: above 0.3 */
    assert_int_equal(claims[2].cells[1].verdict, WEFT_DISAGREES); /* slow: below it */
    assert_int_equal(claims[3].verdict, WEFT_EXPLAINED);
    assert_string_equal(claims[3].cells[0].reason,
                        "ours lies above 0.3, theirs between 0.3 and 0.3; it is faster");
    assert_int_equal(claims[4].verdict, WEFT_NOT_CLAIMED); /* nothing was run there */
    assert_int_equal(claims[5].verdict, WEFT_DISAGREES);   /* not even the least load is stable */
    assert_string_equal(claims[5].cells[0].reason,
                        "ours lies below 0.3, theirs between 0.2 and 0.25");
    weft_comparison_destroy(comparison);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(differences_may_be_within_something),
        TEST(theirs_is_adjusted),
        TEST(saturation_lies_in_a_bracket),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
