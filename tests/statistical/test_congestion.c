/* SPDX-License-Identifier: Apache-2.0 */
/* Congestion spreads from one switch to another and is held back by rate control;
 * tests/long/test_congestion_all.c has all rows. */
#include "statistical/congestion.h"

/* The root link is shared by its three inputs, and so is the link to it: the victim, which could
 * have it for itself, gets a third of what passes. */
static void congestion_spreads_without_control(void **state)
{
    (void)state;
    congestion of = {
        .law = {"none", "none"}, .least = {256, 256}, .buffer = 8, .voq = true, .victim = true};
    const double parts[FLOWS] = {1 / 6.0, 1 / 6.0, 1 / 3.0, 1 / 3.0, 1 / 6.0};
    double rates[FLOWS], root = 0;
    run_congestion(&of, 1, rates);
    for (int f = 0; f < FLOWS; f++) {
        assert_true(fabs(rates[f] / RATE_MOST - parts[f]) < EXACT);
        root += f == VICTIM ? 0 : rates[f] / RATE_MOST;
    }
    assert_true(fabs(root - 1) < EXACT);
}

static bool some(const char *laws, int buffer)
{
    return buffer == 8 && (strcmp(laws, "PIPD256/PIPD128 victim PIPD256") == 0 ||
                           strcmp(laws, "FIMD256/FIMD256 victim FIMD256") == 0);
}

static void victims_recover_as_in_the_table(void **state)
{
    (void)state;
    compare_victims(some);
}

static bool fifo(const char *row, int buffer)
{
    (void)buffer;
    return strncmp(row, "FIMD256/FIMD128,2,1,1000,0,0,", 29) == 0;
}

static void flows_of_fifos_are_as_in_the_table(void **state)
{
    (void)state;
    compare_flows(fifo);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(congestion_spreads_without_control),
                                       cmocka_unit_test(victims_recover_as_in_the_table),
                                       cmocka_unit_test(flows_of_fifos_are_as_in_the_table)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
