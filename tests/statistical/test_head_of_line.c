/* SPDX-License-Identifier: Apache-2.0 */
/* Head-of-line blocking of one switch whose N inputs always have packets of one flit for N
 * outputs, all equally likely.
 *
 * FIFO queues (Karol, Hluchyj and Morgan 1987): only the numbers of front packets for each
 * output matter, whoever wins, and up to the names of outputs these are a partition of N. In a
 * slot every output that is wanted serves one packet, and as many new fronts draw their outputs.
 * The chain is solved here for N up to 16; the simulated switch must agree by the z rules, there
 * and at 32 with the values extrapolated, which go to 2 − √2. With virtual output queues and
 * iSLIP all that is offered gets through. */
#include "statistical/support.h"

enum { MOST = 16, SEEDS = 8, CHANGES_MAX = 8, LAYOUTS_MAX = 231, ROUNDS = 400 };

typedef struct layout { /* a partition: greatest parts first, then zeros */
    uint8_t part[MOST];
} layout;

typedef struct change { /* one more front: which shape there is then, how likely */
    size_t to;
    double odds;
} change;

typedef struct layer { /* all partitions of a number */
    size_t count;
    layout at[LAYOUTS_MAX];
    change next[LAYOUTS_MAX][CHANGES_MAX];
    size_t changes[LAYOUTS_MAX];
} layer;

static void list_layouts(layer *into, layout so_far, int used, int left, int most)
{
    if (left == 0) {
        assert_true(into->count < LAYOUTS_MAX);
        into->at[into->count++] = so_far;
        return;
    }
    for (int part = left < most ? left : most; part > 0; part--) {
        layout longer = so_far;
        longer.part[used] = (uint8_t)part;
        list_layouts(into, longer, used + 1, left - part, part);
    }
}

static size_t find_layout(const layer *in, layout wanted)
{
    for (size_t i = 0; i < in->count; i++)
        if (memcmp(&in->at[i], &wanted, sizeof wanted) == 0)
            return i;
    fail_msg("no such partition");
    return 0;
}

/* A front more for one of n outputs. Of equal parts the first grows, so that the order stays. */
static void list_changes(layer *from, const layer *to, int n)
{
    for (size_t i = 0; i < from->count; i++)
        for (int first = 0, end; first < n; first = end) {
            const uint8_t *part = from->at[i].part;
            for (end = first + 1; end < n && part[end] == part[first];)
                end++;
            layout grown = from->at[i];
            grown.part[first]++;
            assert_true(from->changes[i] < CHANGES_MAX);
            from->next[i][from->changes[i]++] =
                (change){find_layout(to, grown), (double)(end - first) / n};
        }
}

/* Every output that is wanted serves one packet: what is left, and how many were served. */
static int serve(const layout *before, layout *after)
{
    int served = 0;
    *after = *before;
    while (served < MOST && before->part[served] > 0)
        after->part[served++]--;
    return served;
}

/* One slot of the chain: `odds` over the partitions of n before and after; returns the mean
 * number served. */
static double step(const layer *of, int n, double *odds)
{
    static double pool[MOST + 1][LAYOUTS_MAX]; /* by number of fronts that have an output */
    double mean = 0;
    memset(pool, 0, sizeof pool);
    for (size_t i = 0; i < of[n].count; i++) {
        layout after;
        int served = serve(&of[n].at[i], &after);
        pool[n - served][find_layout(&of[n - served], after)] += odds[i];
        mean += served * odds[i];
    }
    for (int have = 0; have < n; have++)
        for (size_t i = 0; i < of[have].count; i++)
            for (size_t c = 0; c < of[have].changes[i]; c++)
                pool[have + 1][of[have].next[i][c].to] += pool[have][i] * of[have].next[i][c].odds;
    memcpy(odds, pool[n], sizeof pool[n]);
    return mean;
}

/* Saturation throughput of an n × n switch with FIFO queues. */
static double exact(int n)
{
    layer *of = calloc((size_t)n + 1, sizeof *of);
    double odds[LAYOUTS_MAX] = {1}, served = 0;
    assert_non_null(of);
    for (int total = 0; total <= n; total++)
        list_layouts(&of[total], (layout){{0}}, 0, total, total);
    for (int total = 0; total < n; total++)
        list_changes(&of[total], &of[total + 1], n);
    for (int round = 0; round < ROUNDS; round++)
        served = step(of, n, odds);
    free(of);
    return served / n;
}

/* Through the values at 4, 8 and 16, a polynomial of 1/N. */
static double extrapolated(double x)
{
    const double at[] = {1. / 4, 1. / 8, 1. / 16};
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        double term = exact((int)(1 / at[i]));
        for (int j = 0; j < 3; j++)
            term *= j == i ? 1 : (x - at[j]) / (at[i] - at[j]);
        sum += term;
    }
    return sum;
}

static void the_chain_gives_what_is_published(void **state)
{
    (void)state;
    static const double published[] = {1, .75, .6825, .6553, .6399, .6302, .6234, .6184};
    for (int n = 1; n <= 8; n++) {
        print_message("N = %d: %.6f (%.4f)\n", n, exact(n), published[n - 1]);
        assert_true(fabs(exact(n) - published[n - 1]) <= .0001);
    }
    print_message("N → ∞: %.5f (%.5f)\n", extrapolated(0), 2 - sqrt(2));
    assert_true(fabs(extrapolated(0) - (2 - sqrt(2))) < .0005);
}

/* What a switch of n × n carries: endpoints 0 … n − 1 send to n … 2n − 1. */
static sample carried(int n, double load, const char *router, int cycles)
{
    sample found = {0};
    for (int seed = 1; seed <= SEEDS; seed++) {
        trial run;
        trial_run(&run, seed,
                  "interweft: 1\n"
                  "topology: {kind: full, routers: 1, hosts: %d}\n"
                  "router: {kind: input-queued, vcs: 1, %s}\n"
                  "traffic: {all: {pattern: uniform, from: 0-%d, to: %d-%d, arrival: bernoulli, "
                  "length: 1 flit, load: %g}}\n"
                  "measure: {links: off, warmup: %d cycles, half-width: 0.0001%%, limit: {time: %d "
                  "cycles, packets: 1000000000}}\n",
                  2 * n, router, n - 1, n, 2 * n - 1, load, cycles / 2, cycles);
        sample_add(&found, trial_value(&run, "accepted"));
        trial_done(&run);
    }
    return found;
}

static void fifo_queues_carry_what_the_chain_says(void **state)
{
    (void)state;
    static const int sizes[] = {2, 3, 4, 8, 16, 32};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    board all = {0};
    for (int i = 0; i < SIZES; i++) {
        sample found = carried(sizes[i], 1, "buffer: 64 flits, queues: fifo", 20000);
        double truth = sizes[i] <= MOST ? exact(sizes[i]) : extrapolated(1. / sizes[i]);
        double score = score_truth(&found, truth);
        print_message("%d × %d: %.5f ± %.5f (%.5f) %+.2f\n", sizes[i], sizes[i], found.mean,
                      sample_error(&found), truth, score);
        board_add(&all, score);
    }
    board_check(&all, "FIFO", SIZES);
}

static void virtual_output_queues_carry_what_is_offered(void **state)
{
    (void)state;
    static const double loads[] = {.6, .7, .8, .9}; /* nearer to 1 queues take long to fill */
    enum { LOADS = sizeof loads / sizeof *loads };
    board all = {0};
    for (int i = 0; i < LOADS; i++) {
        sample found = carried(16, loads[i],
                               "buffer: 4096 flits, queues: voq, scheduler: {kind: islip}", 40000);
        double score = score_truth(&found, loads[i]);
        print_message("offered %.2f: %.5f ± %.5f %+.2f\n", loads[i], found.mean,
                      sample_error(&found), score);
        board_add(&all, score);
    }
    board_check(&all, "VOQ and iSLIP", LOADS);
}

/* At load 1 a finite buffer fills with packets for few outputs; the larger it is, the less that
 * matters. */
static void larger_buffers_approach_all(void **state)
{
    (void)state;
    static const int buffers[] = {16, 64, 256, 1024};
    double before = 2 - sqrt(2);
    for (int i = 0; i < 4; i++) {
        char router[100];
        snprintf(router, sizeof router,
                 "buffer: %d flits, queues: voq, scheduler: {kind: islip}, credit: 1 cycle",
                 buffers[i]);
        sample found = carried(16, 1, router, 20000);
        print_message("%4d flits: %.4f ± %.4f\n", buffers[i], found.mean, sample_error(&found));
        assert_true(found.mean - 4 * sample_error(&found) > before);
        before = found.mean;
    }
    assert_true(before > .97);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_chain_gives_what_is_published),
        cmocka_unit_test(fifo_queues_carry_what_the_chain_says),
        cmocka_unit_test(virtual_output_queues_carry_what_is_offered),
        cmocka_unit_test(larger_buffers_approach_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
