/* SPDX-License-Identifier: Apache-2.0 */
/* Every row of the table: channel times of 1 to 100, queues of 1 to 10,000 packets, rules a to
 * f, two and three dimensions, rings of 4 and 5. */
#include "statistical/ts_order.h"

static bool wanted(const weft_ts_options *options)
{
    (void)options;
    return true;
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
