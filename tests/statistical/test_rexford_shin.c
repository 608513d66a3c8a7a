/* SPDX-License-Identifier: Apache-2.0 */
/* Rexford & Shin, figures 7 and 8: cut-through probability and latency on a 16 × 16 torus, five
 * shortest-path routings, ρ = .1 … .8, packets of 5 and of 12 hops, against tests/data/torus.
 *
 * The reference counts 1,024 ticks a cycle, we one: a margin of .003 in p_c and of 1 % in latency is
 * taken off every difference before it becomes a score. Every run of ours has its own seed, 1 … 320. */
#include "statistical/support.h"

#define SEEDS   8
#define PACKETS 300000
#define RUNS    40

typedef struct routing {
    const char *code, *kind, *selection;
} routing;

static const routing routings[] = {
    {"do", "minimal-oblivious", "dimension-order"}, {"ro", "minimal-oblivious", "random"},
    {"ado", "minimal-adaptive", "dimension-order"}, {"ara", "minimal-adaptive", "random"},
    {"adi", "minimal-adaptive", "diagonal"},
};
#define ROUTINGS (sizeof routings / sizeof *routings)

typedef struct cell { /* of the reference: a mean and its 95 % interval of 10 batches */
    double value, interval;
} cell;

typedef struct line {
    char code[8];
    double rho;
    int hops;
    cell cut, latency;
} line;

/* Columns alg 1, rho 13, h 17, pc 19, pc_ci 20, lat 21, lat_ci 22. */
static bool line_read(FILE *file, line *row)
{
    char text[1024];
    return fgets(text, sizeof text, file) &&
           sscanf(text,
                  "%7[^,],%*[^,],%*[^,],%*[^,],%*[^,],%*[^,],%*[^,],%*[^,],%*[^,],%*[^,],%*[^,],"
                  "%*[^,],%lf,%*[^,],%*[^,],%*[^,],%d,%*[^,],%lf,%lf,%lf,%lf",
                  row->code, &row->rho, &row->hops, &row->cut.value, &row->cut.interval,
                  &row->latency.value, &row->latency.interval) == 7;
}

static line reference(const char *code, double rho, int hops)
{
    FILE *file = fopen(WEFT_TEST_DATA "/torus/rs_fig7_8_S2.csv", "r");
    line row = {0};
    char heading[1024];
    assert_non_null(file);
    assert_non_null(fgets(heading, sizeof heading, file));
    while (line_read(file, &row))
        if (strcmp(row.code, code) == 0 && fabs(row.rho - rho) < 1e-9 && row.hops == hops)
            break;
    fclose(file);
    assert_true(strcmp(row.code, code) == 0 && fabs(row.rho - rho) < 1e-9 && row.hops == hops);
    return row;
}

static double score(const sample *ours, cell theirs, double margin)
{
    return score_welch(ours, theirs.value, theirs.interval / 2.262, 9, margin);
}

enum { SHORT, LONG, HOPS };
static const int hop_counts[HOPS] = {5, 12};

typedef struct measured { /* of one routing at one load, over seeds */
    sample cut[HOPS], latency[HOPS];
} measured;

static void measure(const routing *by, double rho, int seeds_before, measured *out)
{
    trial run;
    memset(out, 0, sizeof *out);
    for (int seed = 1; seed <= SEEDS; seed++) {
        trial_run(&run, seeds_before + seed,
                  "interweft: 1\n"
                  "topology: {kind: torus, dims: [16, 16]}\n"
                  "router: {kind: output-queued, header: 1 cycle, variant: S2}\n"
                  "endpoint: {injection: unlimited, reception: one-port}\n"
                  "routing: {kind: %s, selection: %s}\n"
                  "traffic: {all: {pattern: uniform, arrival: poisson, rho: %g,"
                  " length: {kind: exponential, mean: 64 flits}}}\n"
                  "measure: {by: hops, half-width: 0.0001%%, links: off, limit: {packets: %d}}\n",
                  by->kind, by->selection, rho, PACKETS);
        assert_int_equal(run.ending, WEFT_END_LIMIT_PACKETS);
        for (int h = 0; h < HOPS; h++) {
            sample_add(&out->cut[h],
                       trial_metric(&run, "cut-through", "hops", hop_counts[h])->value);
            sample_add(&out->latency[h],
                       trial_metric(&run, "latency", "hops", hop_counts[h])->value);
        }
        trial_done(&run);
    }
}

static void report(const routing *by, double rho, int h, const measured *ours, const line *theirs,
                   const double *scores)
{
    print_message(
        "%-3s rho %.1f h %2d: p_c %.4f ± %.4f (%.4f ± %.4f) %+5.2f   latency %7.1f ± %4.1f "
        "(%7.1f ± %4.1f) %+5.2f\n",
        by->code, rho, hop_counts[h], ours->cut[h].mean, sample_error(&ours->cut[h]),
        theirs->cut.value, theirs->cut.interval / 2.262, scores[0], ours->latency[h].mean,
        sample_error(&ours->latency[h]), theirs->latency.value, theirs->latency.interval / 2.262,
        scores[1]);
}

static void figures_7_and_8_agree(void **state)
{
    (void)state;
    board cut = {0}, latency = {0};
    for (size_t r = 0; r < ROUTINGS; r++)
        for (int tenths = 1; tenths <= 8; tenths++) {
            double rho = tenths / 10.0;
            measured ours;
            measure(&routings[r], rho, SEEDS * (8 * (int)r + tenths - 1), &ours);
            for (int h = 0; h < HOPS; h++) {
                line theirs = reference(routings[r].code, rho, hop_counts[h]);
                double scores[] = {
                    score(&ours.cut[h], theirs.cut, 0.003),
                    score(&ours.latency[h], theirs.latency, 0.01 * theirs.latency.value)};
                report(&routings[r], rho, h, &ours, &theirs, scores);
                board_add(&cut, scores[0]);
                board_add(&latency, scores[1]);
            }
        }
    board_check(&cut, "cut-through probability", RUNS);
    board_check(&latency, "latency", RUNS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_7_and_8_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
