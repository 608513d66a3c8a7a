/* SPDX-License-Identifier: Apache-2.0 */
/* What a 95 % interval is worth: the share of runs, each ended by the stop rule at a wanted
 * half-width of the mean latency, whose intervals hold the truth, for every quantity that has one.
 * And what the warm-up and the stop rule leave as a bias, in standard errors of one run.
 *
 *     test_coverage                 200 runs of some queues
 *     test_coverage RUNS [CASE]...  so many of all cases, or of those whose names begin so
 *
 * The truth of queues is known exactly. That of the torus is the mean of long runs with other
 * seeds, whose own error is printed and widens the intervals. Seeds are 1 … RUNS. */
#include "statistical/support.h"

#define MEAN       500     /* flits of a packet, so that whole ticks do not show in percentiles */
#define ROOM       5       /* packets in the queue that loses some */
#define LONG_RUNS  24      /* from which the truth of a torus is taken … */
#define LONG_SEEDS 1000000 /* … with seeds after this one */
#define CONFIDENCE 0.95

/* A quantity by its metric. */
typedef struct quantity {
    const char *name, *by;
    int64_t index;
} quantity;

enum { LATENCY, P50, P90, P99, P999, ACCEPTED, UTILISATION, LINKS, POPULATION, LOSS, SERVER, ALL };
static const quantity quantities[ALL] = {
    [LATENCY] = {"latency", "", 0},
    [P50] = {"latency", "percentile", 50000},
    [P90] = {"latency", "percentile", 90000},
    [P99] = {"latency", "percentile", 99000},
    [P999] = {"latency", "percentile", 99900},
    [ACCEPTED] = {"accepted", "", 0},
    [UTILISATION] = {"utilisation", "", 0},
    [LINKS] = {"link utilisation", "mean", 0},
    [POPULATION] = {"population", "", 0},
    [LOSS] = {"loss", "", 0},
    [SERVER] = {"server utilisation", "", 0},
};

/* The true values, and their own standard errors; NaN: not known, or no such quantity. */
typedef struct truths {
    double value[ALL], error[ALL];
} truths;

typedef struct scene {
    const char *name;
    void (*write)(const struct scene *scene, const char *measure, char *text, size_t bytes);
    void (*know)(const struct scene *scene, truths *truth);
    double load;            /* rho of queues, load of the torus */
    const char *half_width; /* of the mean latency */
    bool early;
    bool small;         /* among the few of CI */
    double least, most; /* share of intervals of the latency that hold it */
    int packets;        /* of a long run */
} scene;

static void write_queue(const scene *of, const char *measure, char *text, size_t bytes)
{
    snprintf(text, bytes,
             "interweft: 1\n"
             "topology: {kind: torus, dims: [2]}\n"
             "endpoint: {reception: unlimited}\n"
             "traffic: {all: {rho: %g, length: {kind: exponential, mean: %d flits}}}\n"
             "measure: {%s}\n",
             of->load, MEAN, measure);
}

static void know_queue(const scene *of, truths *truth)
{
    moments length = moments_exponential(MEAN);
    double rate = of->load / MEAN, stay = mean_wait(rate, length) + length.first;
    truth->value[LATENCY] = stay;
    for (int p = P50; p <= P999; p++)
        truth->value[p] = -log(1 - (double)quantities[p].index / 100000) * MEAN / (1 - of->load);
    truth->value[UTILISATION] = truth->value[LINKS] = rate * length.first;
    truth->value[ACCEPTED] = rate * length.first;
    truth->value[POPULATION] = 2 * rate * stay;
}

/* M/M/1/K, in a router that is a single server. */
static void write_room(const scene *of, const char *measure, char *text, size_t bytes)
{
    snprintf(text, bytes,
             "interweft: 1\n"
             "topology: {kind: full, routers: 1, hosts: 4}\n"
             "router: {kind: queue, service: %d cycles, scv: 1, capacity: %d}\n"
             "clock: 1 GHz\n"
             "traffic: {all: {length: 1 flits, rate: %.17g}}\n"
             "measure: {%s}\n",
             MEAN, ROOM, of->load / MEAN / 4 * 1e9, measure);
}

static void know_room(const scene *of, truths *truth)
{
    double chance[ROOM + 1], sum = 0, held = 0;
    for (int n = 0; n <= ROOM; n++)
        sum += chance[n] = pow(of->load, n);
    for (int n = 0; n <= ROOM; n++)
        held += n * (chance[n] /= sum);
    truth->value[LOSS] = chance[ROOM];
    truth->value[SERVER] = 1 - chance[0];
    truth->value[POPULATION] = held;
    truth->value[LATENCY] = held / (of->load / MEAN * (1 - chance[ROOM]));
}

static void write_torus(const scene *of, const char *measure, char *text, size_t bytes)
{
    snprintf(text, bytes,
             "interweft: 1\n"
             "topology: {kind: torus, dims: [8, 8]}\n"
             "routing: {kind: dimension-order}\n"
             "links: {latency: 1 cycle}\n"
             "router: {kind: input-queued, vcs: 4, buffer: 64 flits}\n"
             "traffic: {all: {pattern: uniform, length: 16 flits, load: %g}}\n"
             "measure: {%s}\n",
             of->load, measure);
}

static void run_scene(trial *run, const scene *of, const char *measure, int seed)
{
    char text[2048];
    of->write(of, measure, text, sizeof text);
    trial_run_as(run, seed, &(weft_simulation_options){0}, text);
}

/* Of a run; NULL: it has none. */
static const weft_metric *find(const trial *run, const quantity *wanted)
{
    for (size_t i = 0; i < run->point.n_metrics; i++) {
        const weft_metric *metric = &run->point.metrics[i];
        if (strcmp(metric->name, wanted->name) == 0 && *metric->of == '\0' &&
            strcmp(metric->by, wanted->by) == 0 && metric->index == wanted->index)
            return metric;
    }
    return NULL;
}

/* Latencies there are whole cycles, and so are their percentiles: if most long runs agree on one,
 * it is that and not the mean, which an interval from this cycle to the next does not hold. */
static void agree(const double values[LONG_RUNS], double *truth, double *error)
{
    for (int k = 0; k < LONG_RUNS; k++) {
        int same = 0;
        for (int other = 0; other < LONG_RUNS; other++)
            same += values[other] == values[k];
        if (4 * same >= 3 * LONG_RUNS)
            *truth = values[k], *error = 0;
    }
}

static void know_torus(const scene *of, truths *truth)
{
    sample found[ALL] = {0};
    double values[ALL][LONG_RUNS];
    char measure[128];
    snprintf(measure, sizeof measure, "half-width: 0.0001%%, limit: {packets: %d}", of->packets);
    for (int k = 1; k <= LONG_RUNS; k++) {
        trial run;
        run_scene(&run, of, measure, LONG_SEEDS + k);
        for (int q = 0; q < ALL; q++) {
            const weft_metric *metric = find(&run, &quantities[q]);
            if (!metric)
                continue;
            values[q][k - 1] = metric->value;
            sample_add(&found[q], metric->value);
        }
        trial_done(&run);
    }
    for (int q = 0; q < ALL; q++)
        if (found[q].count == LONG_RUNS) {
            truth->value[q] = found[q].mean;
            truth->error[q] = sample_error(&found[q]);
            agree(values[q], &truth->value[q], &truth->error[q]);
        }
    truth->value[ACCEPTED] = of->load; /* packets are equally long */
    truth->error[ACCEPTED] = 0;
}

typedef struct score { /* of one quantity over the runs */
    int held, missing; /* intervals that hold the truth; runs without one */
    sample value, half;
} score;

static void score_add(score *of, const weft_metric *metric, double truth, double error)
{
    if (!metric || isnan(metric->lo)) {
        of->missing++;
        return;
    }
    double half = (metric->hi - metric->lo) / 2, z = weft_normal_quantile(0.5 + CONFIDENCE / 2);
    double wider = sqrt(half * half + z * z * error * error) - half;
    of->held += metric->lo - wider <= truth && truth <= metric->hi + wider;
    sample_add(&of->value, metric->value);
    sample_add(&of->half, half);
}

static double score_held(const score *of)
{
    return (double)of->held / of->value.count;
}

/* The bias in standard errors of one run. */
static double score_bias(const score *of, double truth)
{
    return (of->value.mean - truth) / (of->half.mean / weft_normal_quantile(0.5 + CONFIDENCE / 2));
}

static void print_score(const score *of, const quantity *what, double truth, double error)
{
    print_message("    %-16s %-6.6g %5.1f %% hold it (error %.1f), half-width %.2f %%, bias "
                  "%+.3f standard errors of a run (%+.2f of the mean), truth %.6g ± %.1g",
                  what->name, (double)what->index / 1000, 100 * score_held(of),
                  100 * sqrt(score_held(of) * (1 - score_held(of)) / of->value.count),
                  100 * of->half.mean / truth, score_bias(of, truth),
                  (of->value.mean - truth) / hypot(sample_error(&of->value), error), truth, error);
    if (of->missing)
        print_message(", %d runs without an interval", of->missing);
    print_message("\n");
}

static void print_scene(const scene *of, int runs, const sample *packets, const sample *cut)
{
    print_message("%s %g to %s%s, %d runs of %.0f packets, %.1f %% of the time cut as warm-up\n",
                  of->name, of->load, of->half_width, of->early ? ", early" : "", runs,
                  packets->mean, 100 * cut->mean);
}

/* Fewer runs than 1,000 have three binomial standard errors beside the limits. */
static void check_latency(const scene *of, const score *found, double truth)
{
    double held = score_held(found), runs = found->value.count;
    double room = runs < 1000 ? 3 * sqrt(0.95 * 0.05 / runs) : 0;
    assert_true(held >= of->least - room);
    assert_true(held <= of->most + room);
    assert_true(fabs(score_bias(found, truth)) < 1);
}

static void check_scene(const scene *of, int runs)
{
    truths truth;
    score found[ALL] = {0};
    sample packets = {0}, cut = {0};
    char measure[128];
    for (int q = 0; q < ALL; q++)
        truth.value[q] = NAN, truth.error[q] = 0;
    of->know(of, &truth);
    snprintf(measure, sizeof measure, "half-width: %s, early: %s, limit: {packets: 1000000000}",
             of->half_width, of->early ? "true" : "false");
    for (int seed = 1; seed <= runs; seed++) {
        trial run;
        run_scene(&run, of, measure, seed);
        assert_int_equal(run.ending, WEFT_END_CONVERGED);
        for (int q = 0; q < ALL; q++)
            if (!isnan(truth.value[q]))
                score_add(&found[q], find(&run, &quantities[q]), truth.value[q], truth.error[q]);
        sample_add(&packets, (double)run.census.delivered);
        sample_add(&cut, trial_value(&run, "warm-up") / trial_value(&run, "time"));
        trial_done(&run);
    }
    print_scene(of, runs, &packets, &cut);
    for (int q = 0; q < ALL; q++)
        if (found[q].value.count > 0)
            print_score(&found[q], &quantities[q], truth.value[q], truth.error[q]);
    (void)fflush(stdout);
    check_latency(of, &found[LATENCY], truth.value[LATENCY]);
}

static const scene scenes[] = {
    {"queue", write_queue, know_queue, 0.3, "10%", false, true, 0.93, 0.97, 0},
    {"queue", write_queue, know_queue, 0.6, "10%", false, true, 0.93, 0.97, 0},
    {"queue", write_queue, know_queue, 0.3, "2%", false, false, 0.93, 0.97, 0},
    {"queue", write_queue, know_queue, 0.6, "2%", false, false, 0.93, 0.97, 0},
    {"room", write_room, know_room, 0.9, "10%", false, true, 0.93, 0.97, 0},
    {"torus", write_torus, know_torus, 0.2, "10%", false, false, 0.93, 0.97, 100000},
    {"torus", write_torus, know_torus, 0.2, "2%", false, false, 0.93, 0.97, 100000},
    {"torus", write_torus, know_torus, 0.5, "10%", false, false, 0.9, 0.97, 400000},
    {"torus", write_torus, know_torus, 0.5, "2%", false, false, 0.93, 0.97, 400000},
    {"early", write_torus, know_torus, 0.2, "2%", true, false, 0.93, 0.97, 100000},
    {"early", write_torus, know_torus, 0.5, "2%", true, false, 0.9, 0.97, 400000},
};

static int n_runs = 200;
static char **wanted;

static bool is_wanted(const scene *of)
{
    if (!wanted)
        return of->small;
    char name[128];
    snprintf(name, sizeof name, "%s %g %s", of->name, of->load, of->half_width);
    for (char **prefix = wanted; *prefix; prefix++)
        if (strncmp(name, *prefix, strlen(*prefix)) == 0)
            return true;
    return !*wanted;
}

static void intervals_hold_the_truth(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
        if (is_wanted(&scenes[i]))
            check_scene(&scenes[i], n_runs);
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        n_runs = atoi(argv[1]);
        wanted = argv + 2;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_hold_the_truth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
