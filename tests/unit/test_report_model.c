/* SPDX-License-Identifier: Apache-2.0 */
/* A model beside its simulation: deviations where both have a value, and none where the simulated
 * queue never came to rest. */
#include "report/model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void simulations_that_saturated_have_no_value(void **state)
{
    (void)state;
    static const weft_output outputs[] = {{.name = "latency", .unit = "s", .brief = "mean"},
                                          {.name = NULL}};
    static const weft_metric metrics[] = {
        {"latency", "", "", 0, 5, (double)NAN, (double)NAN, 0, "s", "exact"}};
    static const weft_point points[] = {{.key = "lambda=0.8",
                                         .settings = "",
                                         .verdict = "exact",
                                         .n_metrics = 1,
                                         .metrics = metrics},
                                        {.key = "lambda=0.9",
                                         .settings = "",
                                         .verdict = "exact",
                                         .n_metrics = 1,
                                         .metrics = metrics}};
    static const weft_point *const at[] = {&points[0], &points[1]};
    static const weft_agreement agreements[] = {{0, &outputs[0], 0, 5, 5.1, 5, 5.2, false},
                                                {1, &outputs[0], 0, 5, 5.1, 5, 5.2, true}};
    const weft_report_model view = {.name = "mm1",
                                    .title = "a queue",
                                    .outputs = outputs,
                                    .n_points = 2,
                                    .points = at,
                                    .n_agreements = 2,
                                    .agreements = agreements};
    FILE *out = tmpfile();
    char text[1024] = "";
    assert_non_null(out);
    weft_report_model_table(&view, out, 100);
    rewind(out);
    assert_true(fread(text, 1, sizeof text - 1, out) > 0);
    (void)fclose(out);
    assert_string_equal(text, "mm1: a queue\n"
                              "        ──────────── latency ────────────\n"
                              "lambda  model  simulated     ±  deviation\n"
                              "            s                           %\n"
                              "   0.8      5       5.10  0.10      +2.00\n"
                              "   0.9      5  saturated\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simulations_that_saturated_have_no_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
