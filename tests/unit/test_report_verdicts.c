/* SPDX-License-Identifier: Apache-2.0 */
/* Ours beside theirs in a table: digits that are known, and scores with their signs, but none on a
 * zero. */
#include "unit/test_reproduce_bench.h"

#include "report/verdicts.h"

static void scores_stand_beside_the_values(void **state)
{
    bench *b = *state;
    made off = as_expected;
    char text[4096] = "";
    off.off[0][0] = 1.04;  /* 10.4 of 10 */
    off.off[1][1] = 0.996; /* 23.9 of 24 */
    put(b, "t.csv", TABLE);
    must(b, open_study(b, LATENCY));
    weft_comparison *comparison = compare(b, &off);
    FILE *out = tmpfile();
    assert_non_null(out);
    weft_report_verdicts(comparison, "fig1", out, 200);
    rewind(out);
    assert_true(fread(text, 1, sizeof text - 1, out) > 0);
    (void)fclose(out);
    weft_comparison_destroy(comparison);
    assert_string_equal(text, "fig1: A figure\n"
                              "full: 6 points, 8 runs of each; ± is a 95 % interval\n\n"
                              "              ──────── latency ─────────\n"
                              "                ours    ±  theirs  score\n"
                              "              cycles\n"
                              "fast rho=0.1    10.4  0.2    10.0   +2.6\n"
                              "fast rho=0.2    20.0  0.2    20.0   +0.0\n"
                              "fast rho=0.3    30.0  0.2    30.0   +0.0\n"
                              "slow rho=0.1    12.0  0.2    12.0   +0.0\n"
                              "slow rho=0.2    23.9  0.2    24.0   -0.7\n"
                              "slow rho=0.3    36.0  0.2    36.0   +0.0\n\n"
                              "  agrees       latency, z rules: 6 cells, largest |score| 2.65, 1 "
                              "beyond 2.58, mean score +0.32 (within ±1.22)\n\n"
                              "fig1: agrees\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(scores_stand_beside_the_values, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
