/* SPDX-License-Identifier: Apache-2.0 */
/* The single-server queue with thresholds (router kind queue) against the exact chains of both
 * meanings of a rate, for the thesis' mechanisms ET and AJT, and the thesis' own assumptions
 * beside them. Seeds are counted on from 1. */
#include "analytic/shared_vls.h"
#include "statistical/support.h"

#define SEEDS   8
#define PACKETS 60000
#define SERVICE 1000 /* ticks of a mean service at rate 8: a tick is far below any standard error */

typedef struct mechanism {
    const char *file, *router;
    int thresholds[2], count; /* those of the rows that are compared */
    bool busy;                /* the table has the frozen utilisation */
} mechanism;

static const mechanism mechanisms[] = {
    {"c_et.csv", "capacity: 16, thresholds: [8], rates: [8, 16]", {8, 0}, 1, true},
    {"c_ajt.csv", "capacity: 24, thresholds: [8, 16], rates: [8, 16, 12]", {8, 16}, 2, false},
};

static void run_queue(trial *run, int seed, const char *router, const char *more, double lambda)
{
    trial_run(run, seed,
              "interweft: 1\nclock: %d Hz\n"
              "topology: {kind: full, routers: 1, hosts: 4}\n"
              "router: {kind: queue, service: %d cycles, scv: 7, %s%s}\n"
              "traffic: {all: {from: 0, arrival: {kind: ge, scv: 5}, length: 1 flits, rate: %g}}\n"
              "measure: {half-width: 0.0001%%, limit: {packets: %d}}\n",
              8 * SERVICE, SERVICE, router, more, lambda, PACKETS);
}

typedef struct answer { /* of one point, over seeds */
    sample held, busy, lost;
} answer;

static answer ask(const char *router, const char *more, double lambda, int *seed)
{
    answer found = {0};
    for (int i = 0; i < SEEDS; i++) {
        trial run;
        run_queue(&run, ++*seed, router, more, lambda);
        sample_add(&found.held, trial_value(&run, "population"));
        sample_add(&found.busy, trial_value(&run, "server utilisation"));
        sample_add(&found.lost, trial_value(&run, "loss"));
        trial_done(&run);
    }
    return found;
}

/* The cell of a row of a CSV file, by the name of its column. */
static double cell(const char *header, const char *row, const char *name)
{
    size_t length = strlen(name);
    while (strncmp(header, name, length) != 0 || !strchr(",\n", header[length])) {
        header = strchr(header, ',');
        row = strchr(row, ',');
        assert_non_null(header);
        assert_non_null(row);
        header++, row++;
    }
    return strtod(row, NULL);
}

/* Is it a row with the thresholds that are compared? */
static bool wanted(const mechanism *m, const char *header, const char *row)
{
    if (m->count == 1)
        return (int)cell(header, row, "T") == m->thresholds[0];
    return (int)cell(header, row, "T1") == m->thresholds[0] &&
           (int)cell(header, row, "T2") == m->thresholds[1];
}

/* Both meanings of one row. */
static void compare_row(const mechanism *m, const char *header, const char *row, int *seed,
                        board boards[3])
{
    double lambda = cell(header, row, "lambda");
    for (int frozen = 0; frozen < 2; frozen++) {
        answer a = ask(m->router, frozen ? ", semantics: frozen" : "", lambda, seed);
        double held = cell(header, row, frozen ? "L_fixrate" : "L");
        double lost = cell(header, row, frozen ? "B_fixrate" : "B");
        double scores[3] = {score_truth(&a.held, held), 0, score_truth(&a.lost, lost)};
        print_message("%-9s lambda %g %-6s L %.4f (%.4f) %+5.2f   B %.5f (%.5f) %+5.2f", m->file,
                      lambda, frozen ? "frozen" : "follow", a.held.mean, held, scores[0],
                      a.lost.mean, lost, scores[2]);
        board_add(&boards[0], scores[0]);
        board_add(&boards[2], scores[2]);
        if (!frozen || m->busy) {
            double busy = cell(header, row, frozen ? "U_fixrate" : "U");
            scores[1] = score_truth(&a.busy, busy);
            print_message("   U %.4f (%.4f) %+5.2f", a.busy.mean, busy, scores[1]);
            board_add(&boards[1], scores[1]);
        }
        print_message("\n");
    }
}

static void rates_are_those_of_the_exact_chains(void **state)
{
    (void)state;
    board boards[3] = {0};
    int seed = 0, points = 0;
    for (size_t i = 0; i < sizeof mechanisms / sizeof *mechanisms; i++) {
        char path[512], header[1024], row[1024];
        snprintf(path, sizeof path, "%s/queueing/%s", WEFT_TEST_DATA, mechanisms[i].file);
        FILE *file = fopen(path, "r");
        assert_non_null(file);
        assert_non_null(fgets(header, sizeof header, file));
        while (fgets(row, sizeof row, file))
            if (wanted(&mechanisms[i], header, row)) {
                compare_row(&mechanisms[i], header, row, &seed, boards);
                points += 2;
            }
        fclose(file);
    }
    assert_int_equal(points, 28);
    board_check(&boards[0], "packets held", points);
    board_check(&boards[1], "utilisation", points);
    board_check(&boards[2], "loss", points);
}

static double apart(const sample *a, const sample *b)
{
    return score_welch(a, b->mean, sample_error(b), b->count - 1, 0);
}

/* The thesis' assumptions a to c. A VC keeps what it has borrowed until it is empty: with idle
 * VCs always at hand it is fast longer, holds less and loses less than a rate that follows the
 * number of packets. Where all four VCs carry the same traffic, what one lends another lacks: it
 * loses more. */
static void borrowed_vcs_are_another_queue(void **state)
{
    (void)state;
    const char *vcs = ", semantics: borrow, channels: 4";
    int seed = 1000;
    for (double lambda = 2; lambda < 8; lambda += 2) {
        answer follow = ask(mechanisms[0].router, "", lambda, &seed);
        answer alone = ask(mechanisms[0].router, vcs, lambda, &seed);
        print_message("ET, lambda %g: L follow %.4f, borrow %.4f (%+.1f %%, score %+.1f);  B %.5f, "
                      "%.5f (%+.1f %%)\n",
                      lambda, follow.held.mean, alone.held.mean,
                      100 * (alone.held.mean / follow.held.mean - 1),
                      apart(&alone.held, &follow.held), follow.lost.mean, alone.lost.mean,
                      100 * (alone.lost.mean / follow.lost.mean - 1));
        assert_true(apart(&alone.held, &follow.held) < -4);
        assert_true(alone.lost.mean < follow.lost.mean);
    }
}

/* As before, with traffic on all VCs: loss and packets are those of four queues. */
static void vcs_that_are_lent_are_missed(void **state)
{
    (void)state;
    int seed = 2000;
    for (double lambda = 2; lambda < 8; lambda += 2) {
        sample alone = {0}, shared = {0};
        for (int i = 0; i < SEEDS; i++)
            for (int all = 0; all < 2; all++) {
                trial run;
                trial_run(&run, ++seed,
                          "interweft: 1\nclock: %d Hz\n"
                          "topology: {kind: full, routers: 1, hosts: 4}\n"
                          "router: {kind: queue, service: %d cycles, scv: 7, %s, semantics: "
                          "borrow, channels: 4}\n"
                          "traffic: {all: {from: %s, arrival: {kind: ge, scv: 5}, length: 1 "
                          "flits, rate: %g}}\n"
                          "measure: {half-width: 0.0001%%, limit: {packets: %d}}\n",
                          8 * SERVICE, SERVICE, mechanisms[0].router, all ? "all" : "0", lambda,
                          PACKETS);
                sample_add(all ? &shared : &alone, trial_value(&run, "loss"));
                trial_done(&run);
            }
        print_message("ET, lambda %g: B with three idle VCs %.5f, with all four in use %.5f "
                      "(score %+.1f)\n",
                      lambda, alone.mean, shared.mean, apart(&shared, &alone));
        assert_true(apart(&shared, &alone) > 4);
    }
}

/* Two classes at a port with normal and shared VLs against the exact chain, with assumption c
 * (borrow) and without it (share). */
static void shared_vls_are_those_of_the_exact_chain(void **state)
{
    (void)state;
    board held = {0}, lost = {0};
    int seed = 3000, points = 0;
    for (int shared = 1; shared <= 2; shared++)
        for (int keep = 0; keep < 2; keep++) {
            weft_shared_vls port = {.classes = 2,
                                    .shared = (uint32_t)shared,
                                    .thresholds = 2,
                                    .room = 8,
                                    .keep = keep,
                                    .cs2 = 7,
                                    .lambda = {4, 6},
                                    .ca2 = {5, 3},
                                    .mu = {8, 16, 12},
                                    .threshold = {8, 16}};
            weft_shared_class exact[2];
            weft_error err;
            uint32_t states;
            sample packets = {0}, losses = {0};
            trial_must(weft_shared_vls_solve(&port, exact, &states, &err), &err);
            for (int i = 0; i < SEEDS; i++) {
                trial run;
                trial_run(&run, ++seed,
                          "interweft: 1\nclock: %d Hz\n"
                          "topology: {kind: full, routers: 1, hosts: 2}\n"
                          "router: {kind: queue, service: %d cycles, scv: 7, %s, semantics: %s, "
                          "channels: %d, shared: %d}\n"
                          "traffic:\n"
                          "  a: {from: 0, arrival: {kind: ge, scv: 5}, length: 1 flits, rate: 4}\n"
                          "  b: {from: 1, arrival: {kind: ge, scv: 3}, length: 1 flits, rate: 6}\n"
                          "measure: {half-width: 0.0001%%, limit: {packets: %d}}\n",
                          8 * SERVICE, SERVICE, mechanisms[1].router, keep ? "borrow" : "share",
                          2 + shared, shared, PACKETS);
                sample_add(&packets, trial_value(&run, "population"));
                sample_add(&losses, trial_value(&run, "loss"));
                trial_done(&run);
            }
            double held_exact = exact[0].packets + exact[1].packets;
            double lost_exact = (4 * exact[0].loss + 6 * exact[1].loss) / 10;
            double scores[] = {score_truth(&packets, held_exact), score_truth(&losses, lost_exact)};
            print_message("%d shared, %s: L %.4f (%.4f) %+5.2f   B %.5f (%.5f) %+5.2f\n", shared,
                          keep ? "borrow" : "share", packets.mean, held_exact, scores[0],
                          losses.mean, lost_exact, scores[1]);
            board_add(&held, scores[0]);
            board_add(&lost, scores[1]);
            points++;
        }
    board_check(&held, "packets held", points);
    board_check(&lost, "loss", points);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rates_are_those_of_the_exact_chains),
                                       cmocka_unit_test(borrowed_vcs_are_another_queue),
                                       cmocka_unit_test(vcs_that_are_lent_are_missed),
                                       cmocka_unit_test(shared_vls_are_those_of_the_exact_chain)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
