/* SPDX-License-Identifier: Apache-2.0 */
/* Every row of the tables of two switches with congestion control. The argument is a part of a
 * row: only such rows. The deviation of 8 seeds is itself so uncertain that of a thousand cells
 * five would be beyond 4 by chance: 32 seeds. */
#define SEEDS 32
#include "statistical/congestion.h"

static const char *only = "";

static bool all(const char *laws, int buffer)
{
    (void)buffer;
    return strstr(laws, only) != NULL;
}

static void victims_are_as_in_the_table(void **state)
{
    (void)state;
    compare_victims(all);
}

static void flows_are_as_in_the_table(void **state)
{
    (void)state;
    compare_flows(all);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        only = argv[1];
    const struct CMUnitTest tests[] = {cmocka_unit_test(victims_are_as_in_the_table),
                                       cmocka_unit_test(flows_are_as_in_the_table)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
