/* SPDX-License-Identifier: Apache-2.0 */
/* A part of the table: channel times of 1 with and without drops, of 3 and of 10 with drops, on a
 * 4 × 4 torus. tests/long has all of it. */
#include "statistical/ts_order.h"

static bool wanted(const weft_ts_options *o)
{
    bool without = o->cht == 1 && o->bl == 10000;
    bool with = (o->cht == 1 && o->bl == 1) || (o->cht == 3 && o->bl == 2) ||
                (o->cht == 10 && o->bl == 1 && strchr("ae", o->rule));
    return o->d == 2 && o->k == 4 && (without || with);
}

static void simultaneous_events_come_as_in_ts(void **state)
{
    (void)state;
    order_compare(wanted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(simultaneous_events_come_as_in_ts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
