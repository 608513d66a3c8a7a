/* SPDX-License-Identifier: Apache-2.0 */
/* Two store-and-forward routers with room for n and m packets, joined by a link of rate 6, the
 * second with a port of rate 8 to the endpoint: the thesis' chain with credits. With lengths
 * drawn anew at every hop it is the Markov chain of tests/data/queueing/b_*.csv, exactly but for
 * a credit's way back of one tick in some 30,000 of a service. With lengths that packets keep,
 * as real ones do, it is not: what that costs is shown. */
#include "statistical/support.h"

#define SEEDS   8
#define PACKETS 40000
#define UNIT_NS 201600.0 /* the chain's unit of time: 6 mean services on the first link */
#define LAMBDA  5.0

enum { L1, L2, L, T, R, LOSS, STALL, VALUES };
static const char *const names[VALUES] = {"L1", "L2", "L", "T", "R", "loss", "stall"};

static double value(const trial *run, int v)
{
    switch (v) {
    case L1:
    case L2:
        return trial_metric(run, "router occupancy", "router", v - L1)->value;
    case L:
        return trial_value(run, "population");
    case T:
        return trial_value(run, "accepted") * 8; /* of the port to the endpoint */
    case R:
        return trial_value(run, "latency") / UNIT_NS;
    case LOSS:
        return trial_value(run, "loss");
    default:
        return trial_metric(run, "router stalls", "router", 0)->value;
    }
}

static void run_chain(int n, int m, bool kept, int *seed, sample found[VALUES])
{
    memset(found, 0, sizeof *found * VALUES);
    for (int i = 0; i < SEEDS; i++) {
        trial run;
        trial_run(&run, ++*seed,
                  "interweft: 1\ntopology: {kind: mesh, dims: [2]}\n"
                  "links: {flit: 9 B, local: {rate: 6 Gb/s}, host: {rate: 8 Gb/s}}\n"
                  "router: {kind: shared-queue, queue: [%d, %d], holds: all, full: wait, credit: 1 "
                  "ns}\n"
                  "traffic: {all: {from: 0, length: %s{kind: exponential, mean: 2800 flits}%s, "
                  "rate: %.17g}}\n"
                  "measure: {devices: ports, warmup: 20 ms, half-width: 0.0001%%, limit: {packets: "
                  "%d}}\n",
                  n, m, kept ? "" : "{kind: redraw, of: ", kept ? "" : "}", LAMBDA / UNIT_NS * 1e9,
                  PACKETS);
        for (int v = 0; v < VALUES; v++)
            sample_add(&found[v], value(&run, v));
        trial_done(&run);
    }
}

/* Every cell of the tables. */
static void chain_is_the_exact_one(void **state)
{
    (void)state;
    const char *files[] = {"b_fixed_n12.csv", "b_equal.csv"};
    board boards[VALUES] = {0};
    int seed = 0, cells = 0;
    for (int f = 0; f < 2; f++) {
        char path[512], row[1024];
        snprintf(path, sizeof path, "%s/queueing/%s", WEFT_TEST_DATA, files[f]);
        FILE *file = fopen(path, "r");
        assert_non_null(file);
        assert_non_null(fgets(row, sizeof row, file));
        while (fgets(row, sizeof row, file)) {
            int n, m;
            double exact[VALUES];
            sample found[VALUES];
            assert_int_equal(sscanf(row, "%d,%d,%lf,%lf,%lf,%lf,%lf,%*f,%*f,%*f,%lf,%lf", &n, &m,
                                    &exact[L1], &exact[L2], &exact[L], &exact[T], &exact[R],
                                    &exact[LOSS], &exact[STALL]),
                             9);
            run_chain(n, m, false, &seed, found);
            print_message("n %2d m %2d:", n, m);
            for (int v = 0; v < VALUES; v++) {
                double score = score_truth(&found[v], exact[v]);
                print_message("  %s %.4g (%.4g) %+.1f", names[v], found[v].mean, exact[v], score);
                board_add(&boards[v], score);
            }
            print_message("\n");
            cells++;
        }
        fclose(file);
    }
    assert_int_equal(cells, 17);
    for (int v = 0; v < VALUES; v++)
        board_check(&boards[v], names[v], cells);
}

/* A packet that is long on one link is long on the other too. Then the second router has always
 * had as long to empty as the packet that comes took to come: fewer wait there, and a response
 * is shorter than with independent lengths. */
static void kept_lengths_are_another_chain(void **state)
{
    (void)state;
    const int rooms[][2] = {{12, 2}, {12, 4}, {4, 4}};
    int seed = 5000;
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) {
        sample redrawn[VALUES], kept[VALUES];
        run_chain(rooms[i][0], rooms[i][1], false, &seed, redrawn);
        run_chain(rooms[i][0], rooms[i][1], true, &seed, kept);
        print_message("n %2d m %2d, kept against redrawn:", rooms[i][0], rooms[i][1]);
        for (int v = 0; v < VALUES; v++) {
            double score =
                score_welch(&kept[v], redrawn[v].mean, sample_error(&redrawn[v]), SEEDS - 1, 0);
            print_message("  %s %.4g %.4g %+.1f", names[v], kept[v].mean, redrawn[v].mean, score);
        }
        print_message("\n");
        assert_true(kept[L2].mean < redrawn[L2].mean && kept[R].mean < redrawn[R].mean);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(chain_is_the_exact_one),
                                       cmocka_unit_test(kept_lengths_are_another_chain)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
