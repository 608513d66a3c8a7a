/* SPDX-License-Identifier: Apache-2.0 */
/* The chosen fabrics simulated: every experiment is a scenario of its own with its results file, as
 * `weft run` would make it, so a plan that was stopped goes on where it was. */
#include "base/numeric.h"
#include "config/describe/print.h"
#include "config/number.h"
#include "study/plan/plan.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define WARMUP_US   3
#define BACKGROUND  0.3 /* load of other traffic during an incast */
#define SENDERS     32  /* of an incast, about */
#define VECTOR_KIB  128 /* of an allreduce */
#define STEPS       4   /* of an all-to-all that are run … */
#define PARTNER_KIB 64  /* … with so much to every partner */
#define CONFIDENCE  0.95

typedef struct experiment {
    const char *name;
    /* Writes traffic or jobs, and vary. */
    void (*write)(weft_text *text, const weft_planning *plan, const weft_planning_entry *entry);
    /* Reads the results; *err is filled if that fails. */
    weft_status (*read)(const weft_planning *plan, weft_result *result, weft_simulated *found,
                        weft_error *err);
} experiment;

static const weft_simulated_value unknown = {NAN, NAN, NAN};

static weft_simulated_value value_of(const weft_metric *metric, double scale)
{
    if (!metric)
        return unknown;
    return (weft_simulated_value){metric->value * scale, metric->lo * scale, metric->hi * scale};
}

static void add_measure(weft_text *text, const weft_planning *plan,
                        const weft_planning_entry *entry)
{
    const weft_simulation_settings *set = &plan->wanted.simulation;
    int64_t packets = set->packets * (int64_t)entry->planned.endpoints;
    weft_text_add(text,
                  "measure: {warmup: %d us, half-width: 1%%, links: off, limit: {packets: %lld}}\n",
                  WARMUP_US, (long long)(packets < set->least ? set->least : packets));
}

/* ---- the curve ---- */

static void write_uniform(weft_text *text, const weft_planning *plan,
                          const weft_planning_entry *entry)
{
    const weft_reals *loads = &plan->wanted.simulation.loads;
    char number[WEFT_NUMBER_CHARS];
    weft_text_add(text, "traffic: {all: {pattern: uniform, length: 4 KiB}}\n");
    add_measure(text, plan, entry);
    weft_text_add(text, "vary: {traffic.all.load: [");
    for (int32_t i = 0; i < loads->count; i++)
        weft_text_add(text, "%s%s", i ? ", " : "", weft_number_write(loads->at[i], number));
    weft_text_add(text, "]}\n");
}

static weft_status read_uniform(const weft_planning *plan, weft_result *result,
                                weft_simulated *found, weft_error *err)
{
    (void)plan;
    for (size_t i = 0; i < weft_result_points(result) && i < WEFT_SIMULATED_LOADS; i++) {
        const weft_point *point;
        WEFT_TRY(weft_result_read(result, i, &point, err));
        const weft_metric *load = weft_point_metric(point, "offered load", "", "", 0);
        const weft_metric *p99 = weft_point_metric(point, "latency", "", "percentile", 99000);
        found->loads[found->n_loads++] = (weft_simulated_load){
            .load = load ? load->value : NAN,
            .accepted = value_of(weft_point_metric(point, "accepted", "", "", 0), 1),
            .latency = value_of(weft_point_metric(point, "latency", "", "", 0), 1),
            .p99 = p99 ? p99->value : NAN,
            .saturated = point->saturated};
    }
    return WEFT_OK;
}

/* ---- one run ---- */

static weft_status read_first(weft_result *result, const char *of, double scale,
                              weft_simulated_value *value, weft_error *err)
{
    const weft_point *point;
    *value = unknown;
    if (weft_result_points(result) == 0)
        return WEFT_OK;
    WEFT_TRY(weft_result_read(result, 0, &point, err));
    *value = value_of(weft_point_metric(point, "accepted", of, "", 0), scale);
    return WEFT_OK;
}

static void write_permutation(weft_text *text, const weft_planning *plan,
                              const weft_planning_entry *entry)
{
    weft_text_add(text, "traffic: {all: {pattern: random-permutation, length: 4 KiB, load: 1}}\n");
    add_measure(text, plan, entry);
}

static weft_status read_permutation(const weft_planning *plan, weft_result *result,
                                    weft_simulated *found, weft_error *err)
{
    (void)plan;
    return read_first(result, "", 1, &found->of[WEFT_EXPERIMENT_PERMUTATION], err);
}

/* Senders far from each other to endpoint 0, and all others at a moderate load. */
static void write_incast(weft_text *text, const weft_planning *plan,
                         const weft_planning_entry *entry)
{
    uint32_t endpoints = entry->planned.endpoints, step = endpoints / SENDERS;
    step = step < 1 ? 1 : step;
    weft_text_add(text,
                  "traffic:\n  others: {pattern: uniform, length: 4 KiB, load: %g}\n"
                  "  incast: {pattern: uniform, from: %u-%u/%u, to: '0', length: 4 KiB, "
                  "load: 0.5}\n",
                  BACKGROUND, step, endpoints - 1, step);
    add_measure(text, plan, entry);
}

static weft_status read_incast(const weft_planning *plan, weft_result *result,
                               weft_simulated *found, weft_error *err)
{
    (void)plan;
    return read_first(result, "others", 1 / BACKGROUND, &found->of[WEFT_EXPERIMENT_INCAST], err);
}

/* ---- collectives ---- */

static void add_job(weft_text *text, const weft_planning *plan, const char *job)
{
    weft_text_add(text,
                  "endpoint: {mtu: 4 KiB}\njobs: {all: {%s, placement: random}}\n"
                  "measure: {links: off}\nvary: {seed: [",
                  job);
    long long first = (long long)plan->wanted.seed;
    for (int64_t i = 0; i < plan->wanted.simulation.seeds; i++)
        weft_text_add(text, "%s%lld", i ? ", " : "", first + i);
    weft_text_add(text, "]}\n");
}

static void write_allreduce(weft_text *text, const weft_planning *plan,
                            const weft_planning_entry *entry)
{
    char job[96];
    (void)entry;
    (void)snprintf(job, sizeof job, "collective: allreduce/rabenseifner, size: %d KiB", VECTOR_KIB);
    add_job(text, plan, job);
}

static void write_all_to_all(weft_text *text, const weft_planning *plan,
                             const weft_planning_entry *entry)
{
    char job[96];
    uint32_t others = entry->planned.endpoints - 1;
    (void)snprintf(job, sizeof job, "collective: all-to-all/pairwise, size: %u KiB, steps: %u",
                   PARTNER_KIB * entry->planned.endpoints, others < STEPS ? others : STEPS);
    add_job(text, plan, job);
}

/* The mean over seeds, with the interval of Student's t. */
static weft_status read_bandwidth(const weft_planning *plan, weft_result *result,
                                  weft_simulated_value *value, weft_error *err)
{
    double sum = 0, squares = 0, scale = 8e9 / plan->wanted.with.rate.value;
    size_t n = 0;
    *value = unknown;
    for (size_t i = 0; i < weft_result_points(result); i++) {
        const weft_point *point;
        WEFT_TRY(weft_result_read(result, i, &point, err));
        const weft_metric *metric = weft_point_metric(point, "bus bandwidth", "all", "", 0);
        if (!metric)
            continue;
        sum += metric->value * scale;
        squares += metric->value * scale * (metric->value * scale);
        n++;
    }
    if (n < 2)
        return WEFT_OK;
    double mean = sum / (double)n, spread = (squares - sum * mean) / ((double)n - 1);
    double half = weft_student_quantile(0.5 + CONFIDENCE / 2, (double)n - 1) *
                  weft_sqrt((spread > 0 ? spread : 0) / (double)n);
    *value = (weft_simulated_value){mean, mean - half, mean + half};
    return WEFT_OK;
}

static weft_status read_allreduce(const weft_planning *plan, weft_result *result,
                                  weft_simulated *found, weft_error *err)
{
    return read_bandwidth(plan, result, &found->of[WEFT_EXPERIMENT_ALLREDUCE], err);
}

static weft_status read_all_to_all(const weft_planning *plan, weft_result *result,
                                   weft_simulated *found, weft_error *err)
{
    return read_bandwidth(plan, result, &found->of[WEFT_EXPERIMENT_ALL_TO_ALL], err);
}

static const experiment experiments[] = {{"uniform", write_uniform, read_uniform},
                                         {"permutation", write_permutation, read_permutation},
                                         {"incast", write_incast, read_incast},
                                         {"allreduce", write_allreduce, read_allreduce},
                                         {"all-to-all", write_all_to_all, read_all_to_all}};
enum { N_EXPERIMENTS = sizeof experiments / sizeof *experiments };

/* The file may hold loads and seeds of another plan, too. */
static weft_status read_results(const weft_planning *plan, const experiment *what,
                                const weft_study *study, weft_simulated *found, weft_error *err)
{
    weft_result *result;
    WEFT_TRY(weft_result_open(weft_study_results(study), &result, err));
    weft_study_keep(study, result);
    weft_status status = what->read(plan, result, found, err);
    weft_result_close(result);
    return status;
}

static weft_status run_one(const weft_planning *plan, const weft_planning_runs *runs,
                           const weft_planning_entry *entry, const experiment *what,
                           weft_simulated *found, weft_error *err)
{
    weft_study_options options = runs->how;
    weft_study *study;
    weft_text text;
    char *path = weft_text_format("%s/%s-%s.weft", runs->folder, entry->planned.file, what->name);
    weft_text_init(&text);
    weft_text_add(&text, "interweft: 1\ntitle: ");
    weft_print_text(&text, entry->fabric.name);
    weft_text_add(&text, "\nseed: %lld\n", (long long)plan->wanted.seed);
    weft_planning_add_network(&text, plan, entry, NULL);
    what->write(&text, plan, entry);
    options.file = entry->planned.name;
    options.text = text.at;
    options.overrides = NULL;
    options.results = path;
    weft_status status = weft_study_open(&options, plan->catalog, &study, err);
    if (status == WEFT_OK) {
        status = weft_study_run(study, err);
        if (status == WEFT_OK)
            status = read_results(plan, what, study, found, err);
        weft_study_close(study);
    }
    weft_text_done(&text);
    free(path);
    return status;
}

weft_status weft_planning_simulate(weft_planning *plan, const weft_planning_runs *runs,
                                   weft_error *err)
{
    struct stat there;
    size_t n = 0, at = 0;
    for (size_t i = 0; i < plan->n_entries; i++)
        n += plan->entries[i].planned.chosen ? N_EXPERIMENTS : 0;
    if (n > 0 && mkdir(runs->folder, 0777) != 0 &&
        (errno != EEXIST || stat(runs->folder, &there) != 0 || !S_ISDIR(there.st_mode)))
        return weft_fail(err, WEFT_BAD_INPUT, "cannot make the folder %.256s: %s", runs->folder,
                         strerror(errno));
    for (size_t i = 0; i < plan->n_entries; i++) {
        weft_planning_entry *entry = &plan->entries[i];
        if (!entry->planned.chosen)
            continue;
        weft_simulated *found = WEFT_TAKE(&plan->arena, weft_simulated, 1);
        for (size_t e = 0; e < N_EXPERIMENTS; e++) {
            if (runs->step)
                runs->step(runs->user, at++, n, entry->planned.name, experiments[e].name);
            WEFT_TRY(run_one(plan, runs, entry, &experiments[e], found, err));
        }
        entry->planned.simulated = found;
    }
    return WEFT_OK;
}
