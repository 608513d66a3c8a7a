/* SPDX-License-Identifier: Apache-2.0 */
/* A link with packets of fixed length at 95 % of what it can carry is busy, at 102 % it is
 * saturated: the verdict on 100 seeds each, 1 … 100. */
#include "statistical/support.h"

#define SEEDS   100
#define PACKETS 300000

typedef struct count {
    int saturated, early, converged;
    double packets;
} count;

static count run_seeds(double rho, const char *half_width)
{
    count of = {0};
    for (int seed = 1; seed <= SEEDS; seed++) {
        trial run;
        trial_run(&run, seed,
                  "interweft: 1\n"
                  "topology: {kind: torus, dims: [2]}\n"
                  "endpoint: {reception: unlimited}\n"
                  "traffic: {all: {rho: %g, overload: true, length: 64 flits}}\n"
                  "measure: {half-width: %s, links: off, limit: {packets: %d}}\n",
                  rho, half_width, PACKETS);
        of.saturated += run.point.saturated;
        of.early += run.ending == WEFT_END_SATURATED;
        of.converged += run.ending == WEFT_END_CONVERGED;
        of.packets += (double)run.census.delivered / SEEDS;
        trial_done(&run);
    }
    print_message("rho %.2f to %s: %d of %d saturated, %d stopped for it, %d converged, %.0f "
                  "packets\n",
                  rho, half_width, of.saturated, SEEDS, of.early, of.converged, of.packets);
    return of;
}

static void a_busy_link_is_not_saturated(void **state)
{
    (void)state;
    assert_int_equal(run_seeds(0.95, "1%").saturated, 0);
}

static void an_overloaded_link_is_saturated(void **state)
{
    (void)state;
    count narrow = run_seeds(1.02, "1%"), wide = run_seeds(1.02, "20%");
    assert_int_equal(narrow.saturated, SEEDS);
    assert_int_equal(wide.saturated, SEEDS); /* a wide interval must not tempt it to stop */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_busy_link_is_not_saturated),
        cmocka_unit_test(an_overloaded_link_is_saturated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
