/* SPDX-License-Identifier: Apache-2.0 */
/* A link that starts with 1,000 packets waiting in every source: what is left of them in the mean
 * latency once the warm-up has been found and cut? Seeds are 1 … 200. */
#include "statistical/support.h"

#define SEEDS 200
#define MEAN  64 /* flits */

typedef struct start {
    const char *kind, *key; /* of length */
    double rho;
    const char *half_width;
    int packets;
} start;

static void run_start(trial *run, const start *from, int seed)
{
    trial_run(run, seed,
              "interweft: 1\n"
              "topology: {kind: torus, dims: [2]}\n"
              "endpoint: {reception: unlimited, backlog: 1000}\n"
              "traffic: {all: {rho: %g, length: {kind: %s, %s: %d flits}}}\n"
              "measure: {half-width: %s, links: off, limit: {packets: %d}}\n",
              from->rho, from->kind, from->key, MEAN, from->half_width, from->packets);
}

static void check_start(const start *from)
{
    bool fixed = strcmp(from->kind, "fixed") == 0;
    moments length = fixed ? moments_fixed(MEAN) : moments_exponential(MEAN);
    double truth = mean_wait(from->rho / MEAN, length) + length.first;
    sample latency = {0}, error = {0}, packets = {0}, cut = {0};
    int covered = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
        trial run;
        run_start(&run, from, seed);
        const weft_metric *found = trial_metric(&run, "latency", "", 0);
        sample_add(&latency, found->value);
        sample_add(&error, weft_simulation_control(run.simulation)->watched.stderr_);
        sample_add(&packets, (double)run.census.delivered);
        sample_add(&cut, trial_value(&run, "warm-up") / trial_value(&run, "time"));
        covered += found->lo <= truth && truth <= found->hi;
        assert_false(run.point.saturated);
        trial_done(&run);
    }
    double bias = latency.mean - truth;
    print_message("%-11s rho %.2f to %-7s: bias %+.2f %% = %+.3f of a run's standard error, %+.2f "
                  "errors of the mean; %.1f %% cover, %.0f packets, %.0f %% cut\n",
                  from->kind, from->rho, from->half_width, 100 * bias / truth, bias / error.mean,
                  bias / sample_error(&latency), 100.0 * covered / SEEDS, packets.mean,
                  100 * cut.mean);
    assert_true(fabs(bias) < error.mean);
    assert_true(covered >= 0.9 * SEEDS);
}

static void a_thousand_waiting_packets_leave_no_bias(void **state)
{
    (void)state;
    const start starts[] = {
        {"exponential", "mean", 0.5, "0.0001%", 100000},
        {"exponential", "mean", 0.5, "2%", 5000000},
        {"exponential", "mean", 0.7, "3%", 5000000},
        {"fixed", "size", 0.5, "0.0001%", 100000},
        {"fixed", "size", 0.8, "3%", 5000000},
    };
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        check_start(&starts[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thousand_waiting_packets_leave_no_bias),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
