/* SPDX-License-Identifier: Apache-2.0 */
/* DCQCN on a link of 40 Gb/s with the settings of its paper (Zhu et al. 2015): a second flow
 * joins one that has had the link to itself, both at the link's rate. Fast recovery takes five
 * periods of the timer, 275 us: after it, and two intervals of 50 us in which both are notified,
 * they share the link evenly and do not overload it. Additive increase gives 40 Mb/s in 55 us:
 * what fast recovery leaves of half the link, 6 % of it or 2.4 Gb/s, takes 3.3 ms. From then on
 * each has half, and the link is used. All by scores over seeds. */
#include "statistical/support.h"

#define SEEDS  8
#define BIN_US 25

/* Bins until fast recovery is over, additive increase as well, and the run. */
enum {
    FAST = (2000 + 5 * 55 + 2 * 50) / BIN_US,
    LATE = FAST + 3300 / BIN_US,
    END = 12000 / BIN_US
};

typedef struct flow_pair {
    double early[2]; /* allowed rates when fast recovery is over */
    double late[2];  /* what each sent in the end, of the link */
} flow_pair;

static flow_pair share(int seed)
{
    trial run;
    flow_pair found = {0};
    trial_run(&run, seed,
              "interweft: 1\nclock: 1 GHz\ntopology: {kind: full, routers: 2, hosts: 2}\n"
              "links: {rate: 40 Gb/s, flit: 64 B, latency: 500 ns}\n"
              "routing: {kind: dimension-order}\n"
              "router: {kind: input-queued, vcs: 1, buffer: 400 packets, queues: voq, "
              "input-speedup: 2, marking: {kind: red, min: 5, max: 200, most: 1%%}}\n"
              "endpoint: {ack-delay: 2 us}\ntraffic:\n"
              "  a: {from: 0, to: 2, length: 1024 B, arrival: periodic, load: 1, response: dcqcn}\n"
              "  b: {from: 1, to: 2, length: 1024 B, arrival: periodic, load: 1, response: dcqcn, "
              "start: 2 ms}\n"
              "measure: {warmup: 3 ms, half-width: 0.0001%%, limit: {time: 12 ms}, series: %d us, "
              "rates: 0-1}\n",
              BIN_US);
    const weft_rate_bins *bins = weft_simulation_rates(run.simulation);
    assert_int_equal(bins->flows, 2);
    assert_true(bins->count >= END);
    double flits = (double)bins->width / (double)run.network.timing.period[WEFT_LINK_HOST];
    for (size_t f = 0; f < 2; f++) {
        found.early[f] = (double)bins->rate[FAST * 2 + f] / WEFT_RATE_UNIT;
        for (size_t bin = LATE; bin < END; bin++)
            found.late[f] += (double)bins->flits[bin * 2 + f] / flits / (END - LATE);
    }
    trial_done(&run);
    return found;
}

static double score_of(const sample *of, double wanted)
{
    return (of->mean - wanted) / sample_error(of);
}

static void two_flows_come_to_half_each(void **state)
{
    (void)state;
    sample early_apart = {0}, early_sum = {0}, apart = {0}, half = {0};
    for (int seed = 1; seed <= SEEDS; seed++) {
        flow_pair found = share(seed);
        print_message("early %.3f %.3f, late %.3f %.3f\n", found.early[0], found.early[1],
                      found.late[0], found.late[1]);
        sample_add(&early_apart, found.early[0] - found.early[1]);
        sample_add(&early_sum, found.early[0] + found.early[1]);
        sample_add(&apart, found.late[0] - found.late[1]);
        sample_add(&half, (found.late[0] + found.late[1]) / 2);
    }
    print_message("early apart %.3f (%+.1f), together %.3f; late apart %.3f (%+.1f), half %.3f\n",
                  early_apart.mean, score_of(&early_apart, 0), early_sum.mean, apart.mean,
                  score_of(&apart, 0), half.mean);
    assert_true(fabs(score_of(&early_apart, 0)) <= 4 && score_of(&early_sum, 1) <= 4);
    assert_true(fabs(score_of(&apart, 0)) <= 4);
    assert_true(half.mean > 0.45 && half.mean <= 0.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(two_flows_come_to_half_each)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
