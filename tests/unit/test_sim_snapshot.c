/* SPDX-License-Identifier: Apache-2.0 */
/* Which snapshot a run of any length is compared with at its end. */
#include "sim/watch/snapshot.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { LENGTH = 100 }; /* ticks of an interval */

/* However long the run is: a warm-up of up to half of it is left out, and a quarter is measured. */
static void a_quarter_to_half_of_a_run_is_measured(void **state)
{
    (void)state;
    weft_snapshots snapshots = {.fixed = -1};
    for (uint64_t done = 0; done < 100000; done++) {
        weft_time since = weft_snapshots_since(&snapshots);
        weft_time now = (weft_time)done * LENGTH;
        if (done >= 4) {
            assert_true(2 * since >= now);
            assert_true(4 * (now - since) >= now);
        }
        weft_snapshots_turn(&snapshots, done, now);
    }
}

static void a_fixed_warm_up_is_left_out(void **state)
{
    (void)state;
    weft_snapshots snapshots = {.fixed = 7};
    for (uint64_t done = 0; done < 1000; done++)
        weft_snapshots_turn(&snapshots, done, (weft_time)done * LENGTH);
    assert_int_equal(weft_snapshots_since(&snapshots), 7 * LENGTH);
}

static void without_a_warm_up_all_is_measured(void **state)
{
    (void)state;
    weft_snapshots snapshots = {.fixed = 0};
    for (uint64_t done = 0; done < 1000; done++)
        weft_snapshots_turn(&snapshots, done, (weft_time)done * LENGTH);
    assert_int_equal(weft_snapshots_since(&snapshots), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_quarter_to_half_of_a_run_is_measured),
        cmocka_unit_test(a_fixed_warm_up_is_left_out),
        cmocka_unit_test(without_a_warm_up_all_is_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
