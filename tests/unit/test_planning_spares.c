/* SPDX-License-Identifier: Apache-2.0 */
/* Spares of a plan are the least number that a Poisson count of failures exceeds no more often than
 * the confidence allows: beside the sum of its terms. */
#include "planning/outage.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static uint32_t by_sums(double mean, double confidence)
{
    long double term = expl(-(long double)mean), sum = term;
    uint32_t spares = 0;
    while (sum < (long double)confidence) {
        spares++;
        term *= (long double)mean / spares;
        sum += term;
    }
    return spares;
}

static void spares_are_quantiles(void **state)
{
    static const double confidences[] = {0.001, 0.05, 0.3, 0.5, 0.9, 0.99, 0.9999};
    (void)state;
    for (double mean = 0.01; mean < 2000; mean *= 1.7)
        for (size_t i = 0; i < sizeof confidences / sizeof *confidences; i++) {
            uint32_t found = weft_outage_spares(mean * 365, 1, 1, confidences[i]),
                     wanted = by_sums(mean, confidences[i]);
            if (found != wanted)
                fail_msg("mean %g, confidence %g: %u, not %u", mean, confidences[i], found, wanted);
        }
}

static void none_and_very_many(void **state)
{
    (void)state;
    assert_int_equal(weft_outage_spares(0, 1, 30, 0.99), 0);
    assert_int_equal(weft_outage_spares(1000, 0, 30, 0.99), 0);
    assert_int_equal(weft_outage_spares(1e9, 1, 365, 0.99), 1000000);
    assert_int_equal(weft_outage_spares(999999, 1, 365, 0.99), 1000000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spares_are_quantiles),
        cmocka_unit_test(none_and_very_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
