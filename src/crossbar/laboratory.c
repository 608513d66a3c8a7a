/* SPDX-License-Identifier: Apache-2.0 */
#include "crossbar/laboratory.h"

#define PER_MILLE 1000

typedef struct settings {
    const char *title;
    weft_kind_ref scheduler;
    int queues, input, stop, matrices;
    int64_t n, d, burst, cap, seed, count, moves, worst;
    double rho, w;
} settings;

enum { VOQ, FIFO };
static const char *const queues[] = {"voq", "fifo", NULL};
static const char *const inputs[] = {"smoothed",  "clustered", "bursty",
                                     "bernoulli", "on-off",    NULL}; /* as weft_xbar_input */
static const char *const stops[] = {"exact", "cap", "paper", NULL};   /* as weft_xbar_stop */
enum { ALL };
static const char *const spaces[] = {"all", "uniform", "sequential", "permuted", NULL};

#define AT(member) offsetof(settings, member)
static const weft_param params[] = {
    {"title", "what this is", WEFT_PARAM_TEXT, AT(title), "none", 0, 0, NULL, NULL},
    {"scheduler", "who crosses; its settings may be given without 'scheduler.' too",
     WEFT_PARAM_KIND, AT(scheduler), "islip", 0, 0, NULL, "scheduler"},
    {"n", "inputs and outputs; none: as the matrix has", WEFT_PARAM_INT, AT(n), "none", 1,
     WEFT_SIDE_MAX, NULL, NULL},
    {"d", "what rows and columns of a matrix add up to, of a search", WEFT_PARAM_INT, AT(d), "none",
     1, 1e6, NULL, NULL},
    {"rho", "offered load of every input, in thousandths", WEFT_PARAM_FRACTION, AT(rho), "1", 0.001,
     1, NULL, NULL},
    {"w", "of the pattern unbalanced, in thousandths", WEFT_PARAM_FRACTION, AT(w), "0.5", 0, 1,
     NULL, NULL},
    {"queues", "of an input: one per output, or one", WEFT_PARAM_CHOICE, AT(queues), "voq", 0, 0,
     queues, NULL},
    {"input", "when cells arrive", WEFT_PARAM_CHOICE, AT(input), "smoothed", 0, 0, inputs, NULL},
    {"burst", "cells of a burst: bursty (every one), on-off (on average)", WEFT_PARAM_INT,
     AT(burst), "2", 1, 10000, NULL, NULL},
    {"stop",
     "when a run ends: exact, as soon as the state recurs; cap, after so many slots; paper, when "
     "five "
     "averages of 2,000 slots are within 0.001",
     WEFT_PARAM_CHOICE, AT(stop), "exact", 0, 0, stops, NULL},
    {"cap", "slots after which a state that has not recurred is given up", WEFT_PARAM_INT, AT(cap),
     "20000", 16, 1e10, NULL, NULL},
    {"seed", "of what is drawn", WEFT_PARAM_INT, AT(seed), "1", 0, 9e15, NULL, NULL},
    {"matrices",
     "a search goes through: all; or so many drawn ones: uniform, sequential (cell by cell), "
     "permuted "
     "(the same, rows and columns shuffled)",
     WEFT_PARAM_CHOICE, AT(matrices), "all", 0, 0, spaces, NULL},
    {"count", "matrices that are drawn", WEFT_PARAM_INT, AT(count), "10000", 1, 1e12, NULL, NULL},
    {"moves", "of the Markov chain for every uniform matrix; none: 24 n² (2 + log₂ d)",
     WEFT_PARAM_INT, AT(moves), "none", 1, 1e12, NULL, NULL},
    {"worst", "matrices with the least throughput that are kept", WEFT_PARAM_INT, AT(worst), "8", 1,
     WEFT_WORST_MAX, NULL, NULL},
    {.name = NULL},
};

const char *const weft_xbar_laboratory_apart[] = {"matrix", "starts", NULL};

const weft_component weft_xbar_laboratory_settings = {
    .abi = WEFT_ABI,
    .size = sizeof(weft_component),
    .name = "crossbar",
    .brief = "the crossbar laboratory",
    .params = params,
    .settings_size = sizeof(settings),
};

/* A fraction of the table in thousandths; it may have no more digits. */
static weft_status thousandths(const weft_node *map, const char *name, double value, uint32_t *out,
                               weft_error *err)
{
    double scaled = value * PER_MILLE;
    *out = (uint32_t)(scaled + 0.5);
    double off = scaled - (double)*out;
    if (off < 1e-6 && off > -1e-6)
        return WEFT_OK;
    return weft_node_complain(err, weft_node_get(map, name),
                              "%s must be a whole number of thousandths, found %g", name, value);
}

static uint32_t divisor(uint32_t a, uint32_t b)
{
    return b ? divisor(b, a % b) : a;
}

/* A plug-in's record may end before the wide form. */
static bool has_wide(const weft_scheduler_kind *kind)
{
    return kind->match_wide != NULL;
}

static weft_status build_scheduler(const settings *set, const weft_node *map,
                                   weft_xbar_laboratory *lab, weft_error *err)
{
    const weft_node *at = weft_node_get(map, "scheduler");
    weft_error inner;
    lab->scheduler =
        (weft_scheduler){.kind = (const weft_scheduler_kind *)(const void *)set->scheduler.kind,
                         .settings = set->scheduler.settings,
                         .inputs = lab->n,
                         .outputs = lab->n,
                         .n_vcs = 1,
                         .voq = set->queues == VOQ,
                         .wide = lab->n > WEFT_CROSSBAR_PORTS_MAX,
                         .counts = true};
    if (lab->scheduler.wide && !has_wide(lab->scheduler.kind))
        return weft_node_complain(err, at ? at : map,
                                  "scheduler %s is made for up to %d ports, found n = %u",
                                  set->scheduler.kind->name, WEFT_CROSSBAR_PORTS_MAX, lab->n);
    if (lab->scheduler.kind->build(&lab->scheduler, &inner) != WEFT_OK)
        return weft_node_complain(err, at ? at : map, "%.1000s", inner.text);
    if (lab->scheduler.ages)
        return weft_node_complain(err, at ? at : map,
                                  "scheduler %s as it is set looks at the ages of cells, which the "
                                  "laboratory does not keep",
                                  set->scheduler.kind->name);
    return WEFT_OK;
}

/* The matrix that is given, or the space that is to be searched. */
static weft_status read_matrix(const settings *set, const weft_node *map, weft_arena *arena,
                               weft_xbar_laboratory *lab, weft_error *err)
{
    const weft_node *node = weft_node_get(map, "matrix");
    weft_xbar_matrix_source source = {.node = node, .n = set->n > 0 ? (uint32_t)set->n : 0};
    WEFT_TRY(thousandths(map, "w", set->w, &source.per_mille, err));
    if (node) {
        WEFT_TRY(weft_xbar_matrix_read(&source, arena, &lab->n, &lab->d, &lab->matrix, err));
        if (source.n && source.n != lab->n)
            return weft_node_complain(err, weft_node_get(map, "n"),
                                      "n must be %u as the matrix has, found %u", lab->n, source.n);
        return WEFT_OK;
    }
    if (set->n == WEFT_NONE_INT || set->d == WEFT_NONE_INT)
        return weft_node_complain(
            err, map,
            "name a matrix, such as matrix=[[1,2],[2,1]] or matrix=uniform n=4, "
            "or n and d of the matrices to search, such as n=4 d=7");
    lab->n = (uint32_t)set->n;
    lab->d = (uint32_t)set->d;
    return WEFT_OK;
}

static weft_status read_starts(const weft_node *map, weft_arena *arena, weft_xbar_laboratory *lab,
                               weft_error *err)
{
    const weft_node *node = weft_node_get(map, "starts");
    uint32_t n, *start;
    if (!node)
        return WEFT_OK;
    WEFT_TRY(weft_xbar_matrix_rows(node, "starts", &n, arena, &start, err));
    if (n != lab->n)
        return weft_node_complain(err, node, "starts must have %u rows, found %u", lab->n, n);
    if (lab->plan.arrivals.input != WEFT_INPUT_SMOOTHED)
        return weft_node_complain(err, node, "starts go with input smoothed");
    lab->plan.arrivals.start = start;
    return WEFT_OK;
}

static weft_status fill_plan(const settings *set, const weft_node *map, weft_xbar_laboratory *lab,
                             weft_error *err)
{
    uint32_t rho;
    WEFT_TRY(thousandths(map, "rho", set->rho, &rho, err));
    uint32_t by = divisor(rho, PER_MILLE);
    weft_xbar_search_plan *plan = &lab->plan;
    *plan = (weft_xbar_search_plan){.n = lab->n,
                                    .d = lab->d,
                                    .drawn = set->matrices != ALL,
                                    .scale = rho / by,
                                    .stretch = PER_MILLE / by};
    plan->draw =
        (weft_xbar_draw){.rule = (weft_xbar_drawing_rule)(set->matrices ? set->matrices - 1 : 0),
                         .n = lab->n,
                         .d = lab->d,
                         .seed = (uint64_t)set->seed,
                         .moves = set->moves > 0 ? (uint64_t)set->moves : 0};
    plan->arrivals = (weft_xbar_arrivals_options){.input = (weft_xbar_input)set->input,
                                                  .burst = (uint32_t)set->burst,
                                                  .seed = (uint64_t)set->seed};
    plan->steady =
        (weft_xbar_steady_options){.stop = (weft_xbar_stop)set->stop, .cap = (uint64_t)set->cap};
    lab->drawn = plan->drawn ? (uint64_t)set->count : 0;
    lab->worst = (uint32_t)set->worst;
    return WEFT_OK;
}

weft_status weft_xbar_laboratory_bind(const weft_registry *registry, const weft_node *map,
                                      weft_arena *arena, weft_xbar_laboratory *lab, weft_error *err)
{
    const weft_table table = {
        .name = "crossbar", .params = params, .apart = weft_xbar_laboratory_apart};
    weft_binder binder = {.registry = registry, .arena = arena, .err = err};
    settings *set = WEFT_TAKE(arena, settings, 1);
    *lab = (weft_xbar_laboratory){.n = 0};
    WEFT_TRY(weft_bind_table(&binder, "crossbar", map, &table, set));
    WEFT_TRY(weft_bind_findings(&binder));
    WEFT_TRY(read_matrix(set, map, arena, lab, err));
    WEFT_TRY(build_scheduler(set, map, lab, err));
    WEFT_TRY(fill_plan(set, map, lab, err));
    lab->plan.scheduler = &lab->scheduler;
    return read_starts(map, arena, lab, err);
}

weft_xbar_workload weft_xbar_laboratory_workload(const weft_xbar_laboratory *lab,
                                                 const uint32_t *matrix, weft_arena *arena)
{
    size_t cells = (size_t)lab->n * lab->n;
    uint32_t *cell = WEFT_TAKE(arena, uint32_t, cells);
    for (size_t k = 0; k < cells; k++)
        cell[k] = matrix[k] * lab->plan.scale;
    return (weft_xbar_workload){lab->n, lab->d * lab->plan.stretch, cell};
}
