/* SPDX-License-Identifier: Apache-2.0 */
/* Every value of every row of the original's runs, over-loaded ones too. */
#include "statistical/ts_table.h"

static bool wanted(const ts_row *row)
{
    (void)row;
    return true;
}

static void rows_are_draws_of_ours(void **state)
{
    (void)state;
    ts_compare(wanted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_are_draws_of_ours)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
