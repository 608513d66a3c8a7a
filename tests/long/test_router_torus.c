/* SPDX-License-Identifier: Apache-2.0 */
/* What an 8⁴ torus of input-queued routers carries at offered load 1.0 in the steady state, with
 * 2, 3 and 4 virtual channels: after 24,000 cycles, over 12,000, mean of the seeds 1 … 4. Short
 * runs mislead: the network fills and slows down for a long time. */
#include "statistical/support.h"

enum { SEEDS = 4 };

static const struct {
    int vcs;
    double accepted;
} known[] = {{2, .518}, {3, .623}, {4, .657}};
#define TOLERANCE .015

static double accepted(int vcs, int seed)
{
    trial run;
    trial_run(
        &run, seed,
        "interweft: 1\n"
        "topology: {kind: torus, dims: [8, 8, 8, 8]}\n"
        "routing: {kind: dimension-order, dateline: on-entry}\n"
        "links: {latency: 1 cycle}\n"
        "router: {kind: input-queued, vcs: %d, buffer: 64 flits, crossbar: 1 cycle, route: 1 "
        "cycle, allocate: 1 cycle, refront: 0 cycles, credit: 2 cycles, scheduler: separable, "
        "vc-choice: most-credits}\n"
        "traffic: {all: {pattern: uniform, length: 16 flits, load: 1.0}}\n"
        "measure: {links: off, warmup: 24000 cycles, half-width: 0.0001%%, limit: {time: 36000 "
        "cycles, packets: 1000000000}}\n",
        vcs);
    assert_int_equal(weft_simulation_now(run.simulation), 36000);
    double value = trial_value(&run, "accepted");
    trial_done(&run);
    return value;
}

static void saturation_of_a_4d_torus_is_the_known_one(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        sample found = {0};
        for (int seed = 1; seed <= SEEDS; seed++) {
            double value = accepted(known[i].vcs, seed);
            sample_add(&found, value);
            print_message("%d VCs, seed %d: %.4f\n", known[i].vcs, seed, value);
        }
        print_message("%d VCs: %.4f ± %.4f (%.3f)\n", known[i].vcs, found.mean,
                      sample_error(&found), known[i].accepted);
        assert_true(fabs(found.mean - known[i].accepted) <= TOLERANCE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(saturation_of_a_4d_torus_is_the_known_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
