/* SPDX-License-Identifier: Apache-2.0 */
/* How far the messages of a pattern go on a torus: uniform ones by hand, and a pattern that does
 * not say where it sends. */
#include "analytic/hop_spread.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "contract/settings.h"
#include "net/traffic/pattern.h"

/* One router of four is 0 hops away in a dimension, two are 1 and one is 2: of the 15 others one in
 * each corner. */
static void uniform_messages_reach_all_others(void **state)
{
    (void)state;
    static const double near[] = {1, 2, 1};
    weft_hop_spread spread;
    weft_error err = {""};
    void *settings = settings_make(&weft_pattern_uniform.base, "");
    const weft_kind_ref pattern = {.kind = &weft_pattern_uniform.base, .settings = settings};
    assert_int_equal(weft_hop_spread_find(&spread, 4, &pattern, &err), WEFT_OK);
    assert_int_equal(spread.half, 2);
    for (int x = 0; x < 3; x++)
        for (int y = 0; y < 3; y++) {
            double others = near[x] * near[y] - (x + y == 0);
            assert_true(fabs(spread.share[x * 3 + y] - others / 15) < 1e-15);
        }
    assert_true(fabs(spread.mean - 32.0 / 15) < 1e-14);
    assert_true(fabs(weft_hop_spread_of(&spread, 2) - 6.0 / 15) < 1e-15);
    weft_hop_spread_done(&spread);
    free(settings);
}

static void a_pattern_that_only_draws_has_no_hops(void **state)
{
    (void)state;
    weft_hop_spread spread;
    weft_error err = {""};
    weft_pattern_kind drawn = weft_pattern_uniform;
    drawn.odds = NULL;
    void *settings = settings_make(&drawn.base, "");
    const weft_kind_ref pattern = {.kind = &drawn.base, .settings = settings};
    assert_int_equal(weft_hop_spread_find(&spread, 4, &pattern, &err), WEFT_BAD_INPUT);
    assert_string_equal(
        err.text, "pattern uniform does not say where its messages go, it only draws; give h");
    free(settings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniform_messages_reach_all_others),
        cmocka_unit_test(a_pattern_that_only_draws_has_no_hops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
