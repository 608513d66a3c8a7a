/* SPDX-License-Identifier: Apache-2.0 */
/* Searches for saturation in a results file, and back: what was found are metrics of the point,
 * its probes are metrics by "probe". The verdict of a point says why its bracket is wide, if it
 * is. */
#include "base/memory.h"
#include "config/number.h"
#include "study/ranks/alike.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOUND_ROWS 6 /* besides the probes, each of which has … */
#define PROBE_ROWS 3
#define STEADY     "batch means, steady state"
#define UNSTEADY   "batch means, not yet steady"
#define WIDE       "wide: "

/* torus.weft gives torus-saturation.weft. */
static char *default_path(const weft_study *study)
{
    const char *results = study->results;
    size_t length = strlen(results);
    if (length > 5 && strcmp(results + length - 5, ".weft") == 0)
        length -= 5;
    return weft_text_format("%.*s-saturation.weft", (int)length, results);
}

/* Does a file that nobody named hold another search? Then it gives way to the new one. */
static bool holds_another(const char *path, const char *scenario)
{
    weft_result *result;
    weft_error ignored;
    if (weft_result_open(path, &result, &ignored) != WEFT_OK)
        return false;
    bool differs = strcmp(weft_result_scenario(result), scenario) != 0;
    weft_result_close(result);
    return differs;
}

static weft_status open_file(weft_study *study, const char *path, double tolerance, bool fresh,
                             weft_result **result, weft_error *err)
{
    char *own = path ? NULL : default_path(study), digits[WEFT_NUMBER_CHARS];
    weft_text scenario;
    weft_text_init(&scenario);
    weft_status status = weft_plan_identity(study->plan, &scenario, err);
    weft_text_add(&scenario, "saturate: {tolerance: %s}\n", weft_number_write(tolerance, digits));
    if (status == WEFT_OK && own)
        fresh = fresh || holds_another(own, scenario.at);
    if (status == WEFT_OK)
        status = weft_result_create(path ? path : own, weft_plan_title(study->plan), scenario.at,
                                    fresh, result, err);
    weft_text_done(&scenario);
    free(own);
    return status;
}

/* A search that cannot start leaves no file. */
static weft_status check_points(weft_study *study, weft_error *err)
{
    for (size_t i = 0; i < weft_plan_points(study->plan); i++) {
        weft_schedule_item item;
        weft_cost cost;
        WEFT_TRY(weft_study_estimate(study, i, weft_comm_size(study->comm), &item, &cost, err));
    }
    return WEFT_OK;
}

weft_status weft_saturation_open(weft_study *study, const char *path, double tolerance, bool fresh,
                                 weft_result **result, weft_error *err)
{
    char digits[WEFT_NUMBER_CHARS];
    weft_status status = weft_study_options_tolerance(tolerance, err);
    *result = NULL;
    if (status == WEFT_OK)
        status = check_points(study, err);
    WEFT_TRY(weft_comm_agree(study->comm, status, err));
    WEFT_TRY(weft_comm_same(study->comm, weft_alike_text(weft_number_write(tolerance, digits)),
                            "has another --tolerance than process 0: all processes must be started "
                            "alike",
                            err));
    if (weft_comm_rank(study->comm) == 0)
        status = open_file(study, path, tolerance, fresh, result, err);
    return weft_comm_agree(study->comm, status, err);
}

typedef struct sheet {
    weft_metric rows[FOUND_ROWS + PROBE_ROWS * WEFT_PROBES_MAX];
    size_t count;
} sheet;

static void add(sheet *to, weft_metric row)
{
    assert(to->count < sizeof to->rows / sizeof *to->rows);
    row.of = "";
    row.by = row.by ? row.by : "";
    row.unit = row.unit ? row.unit : "fraction";
    to->rows[to->count++] = row;
}

static void add_value(sheet *to, const char *name, const char *by, double value, const char *method)
{
    add(to, (weft_metric){
                .name = name, .by = by, .value = value, .lo = NAN, .hi = NAN, .method = method});
}

static void add_found(sheet *to, const weft_saturation *found)
{
    add(to, (weft_metric){.name = "saturation load",
                          .value = found->load,
                          .lo = found->load,
                          .hi = found->unstable,
                          .n = (int64_t)found->n_probes,
                          .method = found->always_stable ? "stable at 1" : "bisection"});
    add_value(to, "saturation rho", "", found->rho, "bisection");
    add(to, (weft_metric){.name = "accepted at load 1",
                          .value = found->accepted,
                          .lo = found->accepted_lo,
                          .hi = found->accepted_hi,
                          .method = found->accepted_steady ? STEADY : UNSTEADY});
    if (found->bound > 0)
        add_value(to, "saturation load", "bound", found->bound, "bound: no more can be carried");
    if (found->from_empty > 0)
        add_value(to, "load from empty", "", found->from_empty, "bisection");
}

static void add_probe(sheet *to, int64_t index, const weft_saturation_probe *probe)
{
    weft_metric row = {.by = "probe", .index = index, .lo = NAN, .hi = NAN, .n = probe->packets};
    row.name = "offered load";
    row.value = probe->load;
    row.method = probe->verdict;
    add(to, row);
    row.name = "delivered";
    row.value = (double)probe->packets;
    row.unit = "packets";
    row.method = "count";
    add(to, row);
    row.name = "accepted";
    row.value = probe->accepted;
    row.lo = probe->lo;
    row.hi = probe->hi;
    row.unit = "fraction";
    row.method = "batch means";
    if (!isnan(row.value))
        add(to, row);
}

static int by_name(const void *a, const void *b)
{
    const weft_metric *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    order = order ? order : strcmp(x->by, y->by);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

static weft_status commit(weft_study *study, size_t i, const weft_saturation *found,
                          weft_result *result, weft_error *err)
{
    weft_study_point point;
    WEFT_TRY(weft_study_point_open(study, i, &point, err));
    sheet *to = weft_alloc(sizeof *to);
    add_found(to, found);
    for (size_t k = 0; k < found->n_probes; k++)
        add_probe(to, (int64_t)k + 1, &found->probes[k]);
    qsort(to->rows, to->count, sizeof *to->rows, by_name);
    const char *verdict =
        *found->why ? weft_arena_format(&point.arena, WIDE "%s", found->why) : "found";
    weft_point row = {.key = point.scenario.key,
                      .settings = point.scenario.text,
                      .verdict = verdict,
                      .metrics = to->rows,
                      .n_metrics = to->count};
    weft_status status = weft_result_commit(result, &row, err);
    free(to);
    weft_study_point_close(&point);
    return status;
}

weft_status weft_saturation_keep(weft_study *study, size_t i, const weft_saturation *found,
                                 weft_result *result, weft_error *err)
{
    weft_status status = result ? commit(study, i, found, result, err) : WEFT_OK;
    return weft_comm_agree(study->comm, status, err);
}

/* A metric of the point; what is not there is NaN. */
static weft_metric take(const weft_point *point, const char *name, const char *by, int64_t index)
{
    const weft_metric *m = weft_point_metric(point, name, "", by, index);
    return m ? *m : (weft_metric){.value = NAN, .lo = NAN, .hi = NAN, .method = ""};
}

static double or_zero(double value)
{
    return isnan(value) ? 0 : value;
}

static void read_probes(const weft_point *point, weft_saturation *found)
{
    for (size_t k = 0; k < WEFT_PROBES_MAX; k++) {
        int64_t index = (int64_t)k + 1;
        weft_metric load = take(point, "offered load", "probe", index),
                    accepted = take(point, "accepted", "probe", index);
        if (isnan(load.value))
            return;
        weft_saturation_probe *probe = &found->probes[found->n_probes++];
        *probe = (weft_saturation_probe){.load = load.value,
                                         .accepted = accepted.value,
                                         .lo = accepted.lo,
                                         .hi = accepted.hi,
                                         .packets = load.n};
        (void)snprintf(probe->verdict, sizeof probe->verdict, "%s", load.method);
    }
}

bool weft_saturation_read(const weft_point *point, weft_saturation *found)
{
    weft_metric load = take(point, "saturation load", "", 0),
                accepted = take(point, "accepted at load 1", "", 0);
    *found = (weft_saturation){
        .load = load.value,
        .unstable = load.hi,
        .rho = take(point, "saturation rho", "", 0).value,
        .bound = or_zero(take(point, "saturation load", "bound", 0).value),
        .accepted = accepted.value,
        .accepted_lo = accepted.lo,
        .accepted_hi = accepted.hi,
        .accepted_steady = strcmp(accepted.method, STEADY) == 0,
        .from_empty = or_zero(take(point, "load from empty", "", 0).value),
        .always_stable = strcmp(load.method, "bisection") != 0,
    };
    if (strncmp(point->verdict, WIDE, sizeof WIDE - 1) == 0)
        (void)snprintf(found->why, sizeof found->why, "%s", point->verdict + sizeof WIDE - 1);
    read_probes(point, found);
    return !isnan(load.value);
}

static weft_status read_key(weft_result *result, const char *key, weft_saturation *found,
                            bool *there, weft_error *err)
{
    for (size_t i = 0; i < weft_result_points(result); i++) {
        const weft_point *point;
        if (strcmp(weft_result_key(result, i), key) != 0)
            continue;
        WEFT_TRY(weft_result_read(result, i, &point, err));
        *there = weft_saturation_read(point, found);
        return WEFT_OK;
    }
    return WEFT_OK;
}

weft_status weft_saturation_recall(weft_study *study, size_t i, weft_result *result,
                                   weft_saturation *found, bool *there, weft_error *err)
{
    weft_status status = WEFT_OK;
    *there = false;
    if (result)
        status = read_key(result, weft_plan_key(study->plan, i), found, there, err);
    WEFT_TRY(weft_comm_agree(study->comm, status, err));
    if (weft_comm_size(study->comm) > 1) {
        study->comm->kind->broadcast(study->comm, there, sizeof *there);
        study->comm->kind->broadcast(study->comm, found, sizeof *found);
    }
    return WEFT_OK;
}
