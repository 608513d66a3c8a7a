/* SPDX-License-Identifier: Apache-2.0 */
/* What a 4⁴ torus of input-queued routers carries at offered load 1.0, against what was recorded
 * when every packet agreed with the flit-stepped reference: means of the seeds 101 … 132 with
 * their standard errors. A change that means to change no result must not move them. tests/long
 * has the 8⁴ torus and published figures. */
#include "statistical/support.h"

enum { SEEDS = 8, FIRST = 1, RECORDED = 32, FIRST_RECORDED = 101 };

typedef struct cell {
    int vcs;
    const char *queues;
    double mean, error; /* as recorded */
} cell;

static const cell cells[] = {
    {2, "fifo", 0.80280, 0.00096}, {3, "fifo", 0.88654, 0.00129}, {4, "fifo", 0.90306, 0.00154},
    {2, "voq", 0.90285, 0.00142},  {4, "voq", 0.95810, 0.00040},
};
enum { CELLS = sizeof cells / sizeof *cells };

static sample accepted(const cell *of, int first, int seeds)
{
    sample found = {0};
    for (int seed = first; seed < first + seeds; seed++) {
        trial run;
        trial_run(&run, seed,
                  "interweft: 1\n"
                  "topology: {kind: torus, dims: [4, 4, 4, 4]}\n"
                  "routing: {kind: dimension-order}\n"
                  "links: {latency: 1 cycle}\n"
                  "router: {kind: input-queued, vcs: %d, buffer: 64 flits, queues: %s}\n"
                  "traffic: {all: {pattern: uniform, length: 16 flits, load: 1.0}}\n"
                  "measure: {links: off, warmup: 4000 cycles, half-width: 0.0001%%, limit: {time: "
                  "12000 cycles}}\n",
                  of->vcs, of->queues);
        assert_int_equal(weft_simulation_now(run.simulation), 12000);
        sample_add(&found, trial_value(&run, "accepted"));
        trial_done(&run);
    }
    return found;
}

static void saturation_is_what_was_recorded(void **state)
{
    (void)state;
    board all = {0};
    for (int i = 0; i < CELLS; i++) {
        sample found = accepted(&cells[i], FIRST + i * SEEDS, SEEDS);
        double score = score_welch(&found, cells[i].mean, cells[i].error, RECORDED - 1, 0);
        print_message("%d VCs, %s: %.5f ± %.5f (%.5f ± %.5f) %+.2f\n", cells[i].vcs,
                      cells[i].queues, found.mean, sample_error(&found), cells[i].mean,
                      cells[i].error, score);
        board_add(&all, score);
    }
    board_check(&all, "accepted load", CELLS);
}

/* With any argument: the values to record. */
static void print_values(void)
{
    for (int i = 0; i < CELLS; i++) {
        sample found = accepted(&cells[i], FIRST_RECORDED, RECORDED);
        print_message("{%d, \"%s\", %.5f, %.5f},\n", cells[i].vcs, cells[i].queues, found.mean,
                      sample_error(&found));
    }
}

int main(int count, char **given)
{
    (void)given;
    if (count > 1) {
        print_values();
        return 0;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(saturation_is_what_was_recorded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
