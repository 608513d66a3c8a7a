/* SPDX-License-Identifier: Apache-2.0 */
/* A part of the table of the original's runs: every rule at a low load, three of them far past
 * saturation in two dimensions, two of them in three. tests/long has all of it. */
#include "statistical/ts_table.h"

static bool wanted(const ts_row *row)
{
    const weft_ts_options *o = &row->options;
    bool past = o->lambda == 0.015 && strchr("ace", o->rule);
    bool free_ports = o->d == 3 && o->lambda == 0.008 && strchr("cf", o->rule);
    return (o->d == 2 && (o->lambda == 0.002 || past)) || free_ports;
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
