/* SPDX-License-Identifier: Apache-2.0 */
/* The whole simulator against what is known exactly. Every case has its own seeds, counted on
 * from 1 in each table: runs with the same seed would see the same traffic.
 *
 * Two routers joined by one link in each direction, packets that leave at once: each direction
 * is a queue, M/M/1 with exponential lengths and M/D/1 with fixed ones. */
#include "statistical/support.h"

#define SEEDS 16

typedef struct queue {
    const char *kind; /* of length */
    double mean;      /* flits */
    double rho;
    int packets;
} queue;

static bool exponential(const queue *q)
{
    return strcmp(q->kind, "exponential") == 0;
}

static void run_queue(trial *run, const queue *q, int seed)
{
    trial_run(run, seed,
              "interweft: 1\n"
              "topology: {kind: torus, dims: [2]}\n"
              "endpoint: {reception: unlimited}\n"
              "traffic: {all: {rho: %g, length: {kind: %s, %s: %g flits}}}\n"
              "measure: {half-width: 0.0001%%, limit: {packets: %d}}\n",
              q->rho, q->kind, exponential(q) ? "mean" : "size", q->mean, q->packets);
    assert_int_equal(run->ending, WEFT_END_LIMIT_PACKETS);
    assert_false(run->point.saturated);
}

/* Packets waiting or being sent, per direction; mean wait; and what flows through. */
static void one_link_is_a_queue(void **state)
{
    (void)state;
    const queue queues[] = {
        {"exponential", 64, 0.3, 200000}, {"exponential", 64, 0.5, 200000},
        {"exponential", 64, 0.8, 400000}, {"exponential", 64, 0.9, 800000},
        {"fixed", 64, 0.3, 200000},       {"fixed", 64, 0.5, 200000},
        {"fixed", 64, 0.8, 400000},       {"fixed", 64, 0.9, 800000},
    };
    enum { CASES = sizeof queues / sizeof *queues };
    board waits = {0}, sizes = {0}, traffic_classes = {0};
    for (size_t i = 0; i < CASES; i++) {
        const queue *q = &queues[i];
        moments of = exponential(q) ? moments_exponential(q->mean) : moments_fixed(q->mean);
        double rate = q->rho / q->mean, rho = rate * of.first;
        double wait = mean_wait(rate, of), number = rate * (wait + of.first);
        sample waited = {0}, held = {0}, used = {0}, busy = {0};
        for (int seed = 1; seed <= SEEDS; seed++) {
            trial run;
            run_queue(&run, q, SEEDS * (int)i + seed);
            sample_add(&waited, trial_value(&run, "latency") - of.first);
            sample_add(&held, trial_value(&run, "population") / 2);
            sample_add(&used, trial_value(&run, "utilisation"));
            sample_add(&busy, trial_metric(&run, "link utilisation", "mean", 0)->value);
            trial_done(&run);
        }
        double scores[] = {score_truth(&waited, wait), score_truth(&held, number),
                           score_truth(&used, rho), score_truth(&busy, rho)};
        print_message("%-11s rho %.1f: wait %7.2f (%7.2f) %+5.2f   queue %.4f (%.4f) %+5.2f   "
                      "utilisation %.5f %+5.2f   busy links %.5f %+5.2f\n",
                      q->kind, q->rho, waited.mean, wait, scores[0], held.mean, number, scores[1],
                      used.mean, scores[2], busy.mean, scores[3]);
        board_add(&waits, scores[0]);
        board_add(&sizes, scores[1]);
        board_add(&traffic_classes, scores[2]);
        board_add(&traffic_classes, scores[3]);
    }
    board_check(&waits, "mean wait", CASES);
    board_check(&sizes, "queue length", CASES);
    board_check(&traffic_classes, "utilisation", CASES);
}

/* In M/M/1 the time in the system is exponential with mean 1/(μ − λ). */
static void percentiles_of_m_m_1_are_exponential(void **state)
{
    (void)state;
    const queue q = {"exponential", 500, 0.7, 1000000};
    const int64_t percentiles[] = {50000, 90000, 99000, 99900};
    enum { CASES = sizeof percentiles / sizeof *percentiles };
    sample found[CASES] = {0};
    board all = {0};
    for (int seed = 1; seed <= SEEDS; seed++) {
        trial run;
        run_queue(&run, &q, seed);
        for (int p = 0; p < CASES; p++)
            sample_add(&found[p],
                       trial_metric(&run, "latency", "percentile", percentiles[p])->value);
        trial_done(&run);
    }
    for (int p = 0; p < CASES; p++) {
        double truth = -log(1 - (double)percentiles[p] / 100000) * q.mean / (1 - q.rho);
        double score = score_truth(&found[p], truth);
        print_message("percentile %.1f: %.1f ± %.1f (%.1f) %+.2f\n", (double)percentiles[p] / 1000,
                      found[p].mean, sample_error(&found[p]), truth, score);
        board_add(&all, score);
    }
    board_check(&all, "percentiles", 1);
}

/* Mean distance of uniform traffic over all other endpoints, and the same by the routing in use. */
static void mean_hops_and_traffic_classes_are_exact(void **state)
{
    (void)state;
    const struct {
        const char *topology, *kind, *selection;
        double hops;
    } cases[] = {
        {"kind: torus, dims: [16, 16]", "minimal-oblivious", "dimension-order", 8 * 256 / 255.0},
        {"kind: torus, dims: [16, 16]", "minimal-oblivious", "random", 8 * 256 / 255.0},
        {"kind: torus, dims: [16, 16]", "minimal-adaptive", "diagonal", 8 * 256 / 255.0},
        {"kind: torus, dims: [5, 5, 5]", "minimal-adaptive", "random", 3.6 * 125 / 124},
        {"kind: mesh, dims: [8, 8]", "minimal-oblivious", "dimension-order", 5.25 * 64 / 63},
        {"kind: hypercube, dimensions: 8", "minimal-adaptive", "random", 4 * 256 / 255.0},
    };
    enum { CASES = sizeof cases / sizeof *cases };
    const double rho = 0.4, drawn = moments_exponential(64).first / 64;
    board all = {0};
    for (size_t i = 0; i < CASES; i++) {
        sample hops = {0}, used = {0}, accepted = {0};
        double load = 0;
        for (int seed = 1; seed <= SEEDS; seed++) {
            trial run;
            trial_run(&run, SEEDS * (int)i + seed,
                      "interweft: 1\ntopology: {%s}\nrouting: {kind: %s, selection: %s}\n"
                      "traffic: {all: {rho: %g, length: {kind: exponential, mean: 64 flits}}}\n"
                      "measure: {half-width: 0.0001%%, links: off, limit: {packets: 100000}}\n",
                      cases[i].topology, cases[i].kind, cases[i].selection, rho);
            assert_true(fabs(run.network.mean_hops / cases[i].hops - 1) < 1e-12);
            load = run.network.load;
            sample_add(&hops, trial_value(&run, "hops"));
            sample_add(&used, trial_value(&run, "utilisation"));
            sample_add(&accepted, trial_value(&run, "accepted"));
            trial_done(&run);
        }
        double scores[] = {score_truth(&hops, cases[i].hops), score_truth(&used, rho * drawn),
                           score_truth(&accepted, load * drawn)};
        print_message("%-30s %-17s %-15s hops %.5f (%.5f) %+5.2f   utilisation %.5f %+5.2f   "
                      "accepted %.5f (%.5f) %+5.2f\n",
                      cases[i].topology, cases[i].kind, cases[i].selection, hops.mean,
                      cases[i].hops, scores[0], used.mean, scores[1], accepted.mean, load * drawn,
                      scores[2]);
        for (int s = 0; s < 3; s++)
            board_add(&all, scores[s]);
    }
    board_check(&all, "hops and flows", CASES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_link_is_a_queue),
        cmocka_unit_test(percentiles_of_m_m_1_are_exponential),
        cmocka_unit_test(mean_hops_and_traffic_classes_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
