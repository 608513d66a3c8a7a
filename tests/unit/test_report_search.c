/* SPDX-License-Identifier: Apache-2.0 */
/* What searches have found, as text: a saturation load, and the worst matrices of a crossbar, of
 * files that lack a value too. */
#include "report/saturation.h"
#include "report/search.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A network that carries less once it is congested. */
static void saturations_are_told(void **state)
{
    (void)state;
    const weft_saturation found = {.load = 0.21,
                                   .unstable = 0.26,
                                   .rho = 0.84,
                                   .bound = 0.5,
                                   .accepted = 0.22,
                                   .accepted_lo = 0.2,
                                   .accepted_hi = 0.24,
                                   .from_empty = 0.25};
    weft_text text;
    weft_text_init(&text);
    weft_report_saturation("router.vcs=2", &found, &text);
    assert_string_equal(text.at,
                        "router.vcs=2\n"
                        "  saturation   load 0.21 … 0.26 (fraction of injection bandwidth), rho "
                        "0.84\n"
                        "  congestion   an empty network carries up to 0.25, a congested one 0.22\n"
                        "  bound        0.5\n"
                        "  accepted     0.22 [0.2, 0.24] at offered 1.0, not yet steady\n");
    weft_text_done(&text);
}

static void values_that_are_missing_are_dashes(void **state)
{
    (void)state;
    static const weft_metric metrics[] = {
        {"matrices", "", "", 0, 24, (double)NAN, (double)NAN, 24, "matrices", "count"},
        {"throughput", "", "", 0, 0.75, 0.7, 0.8, 24, "fraction", "windows"},
        {"worst", "", "", 0, 0.5, (double)NAN, (double)NAN, 24, "fraction", "exact"}};
    const weft_point point = {.key = "scheduler=islip",
                              .settings = "",
                              .verdict = "exact",
                              .n_metrics = 3,
                              .metrics = metrics};
    weft_result *result;
    weft_error err;
    char text[1024] = "";
    bool is;
    FILE *out = tmpfile();
    assert_non_null(out);
    assert_int_equal(weft_result_create(WEFT_IN_MEMORY, "", "s", true, &result, &err), WEFT_OK);
    assert_int_equal(weft_result_commit(result, &point, &err), WEFT_OK);
    assert_int_equal(weft_report_is_search(result, &is, &err), WEFT_OK);
    assert_true(is);
    assert_int_equal(weft_report_search(result, out, &err), WEFT_OK);
    rewind(out);
    assert_true(fread(text, 1, sizeof text - 1, out) > 0);
    (void)fclose(out);
    assert_non_null(strstr(text, "\nscheduler=islip  0.50000                    0.75000 [0.7000, "
                                 "0.8000]   -                          -                      "
                                 "              24           -\n"));
    weft_result_close(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(saturations_are_told),
        cmocka_unit_test(values_that_are_missing_are_dashes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
