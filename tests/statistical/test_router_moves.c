/* SPDX-License-Identifier: Apache-2.0 */
/* Networks that cannot stop do not: with buffers for one packet per virtual channel, at offered
 * load 1.0, packets keep arriving, and when the sources stop all of them do. Every run has a
 * seed of its own, counted from 1. */
#include "statistical/support.h"

static const char *const layouts[] = {"3", "4",    "5",    "6",       "7",
                                      "8", "4, 4", "5, 3", "4, 4, 4", "2, 8"};
static const char *const routings[] = {"kind: dimension-order, dateline: on-entry",
                                       "kind: dimension-order, dateline: per-hop",
                                       "kind: minimal-adaptive, selection: random"};
enum { SENDING = 2000, DRAINED = 100000, BINS = 8 }; /* cycles; bins while sources send */

static void run_full(trial *run, int seed, const char *dims, const char *routing, int vcs,
                     int flits)
{
    trial_run(run, seed,
              "interweft: 1\n"
              "topology: {kind: torus, dims: [%s]}\n"
              "routing: {%s}\n"
              "router: {kind: input-queued, vcs: %d, buffer: %d flits}\n"
              "traffic: {all: {load: 1.0, length: %d flits, stop: %d cycles}}\n"
              "measure: {links: off, warmup: 0 cycles, half-width: 0.0001%%, series: %d cycles, "
              "limit: {time: %d cycles}}\n",
              dims, routing, vcs, flits, flits, SENDING, SENDING / BINS, DRAINED);
}

/* Deliveries in the last quarter of the time in which sources send. */
static int64_t late(const trial *run)
{
    const weft_bins *bins = weft_simulation_bins(run->simulation);
    int64_t sum = 0;
    for (size_t i = 0; i < bins->count; i++)
        if (bins->start[i] >= SENDING / 4 * 3 && bins->start[i] < SENDING)
            sum += bins->delivered[i];
    return sum;
}

static void check_moves(int seed, const char *dims, const char *routing, int vcs, int flits)
{
    trial run;
    run_full(&run, seed, dims, routing, vcs, flits);
    /* at least a twentieth of what endpoints offer */
    int64_t least = (int64_t)run.network.endpoints * SENDING / 4 / flits / 20;
    if (late(&run) < least || run.census.delivered != run.census.generated)
        fail_msg("[%s] {%s} with %d VCs, %d flits, seed %d: %lld delivered late, %lld of %lld ever",
                 dims, routing, vcs, flits, seed, (long long)late(&run),
                 (long long)run.census.delivered, (long long)run.census.generated);
    trial_done(&run);
}

static void one_packet_per_vc_is_enough(void **state)
{
    (void)state;
    const int lengths[] = {1, 8};
    int seed = 0;
    for (size_t s = 0; s < sizeof layouts / sizeof *layouts; s++)
        for (size_t r = 0; r < sizeof routings / sizeof *routings; r++)
            for (int vcs = r == 2 ? 3 : 2; vcs <= 4; vcs++)
                for (int l = 0; l < 2; l++)
                    check_moves(++seed, layouts[s], routings[r], vcs, lengths[l]);
    print_message("%d networks kept moving and ran empty\n", seed);
    assert_true(seed >= 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_packet_per_vc_is_enough)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
