/* SPDX-License-Identifier: Apache-2.0 */
/* The scenario a model has written for a point, run like any other, beside what the model says. */
#include "study/model.h"

#include "analytic/answer.h"
#include "base/memory.h"
#include "study/outcome.h"
#include "study/beside.h"
#include "study/internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const weft_metric *answer_of(const weft_model_sheet *model, size_t i, size_t output)
{
    const char *name = model->kind->outputs[output].name;
    return weft_point_metric(&model->points[i], name, "", "", 0);
}

static size_t compare(weft_model_sheet *model, size_t i, const weft_trial *trial,
                      const weft_point *measured, weft_agreement *rows)
{
    size_t count = 0;
    for (size_t k = 0; k < trial->count; k++) {
        const weft_pairing *pair = &trial->at[k];
        const weft_metric *said = answer_of(model, i, pair->output);
        const weft_metric *found =
            weft_point_metric(measured, pair->metric.name, "", pair->metric.by, pair->metric.index);
        if (!said || !found)
            continue;
        rows[count++] = (weft_agreement){.point = i,
                                         .output = &model->kind->outputs[pair->output],
                                         .model = said->value,
                                         .simulated = found->value * pair->scale + pair->offset,
                                         .lo = found->lo * pair->scale + pair->offset,
                                         .hi = found->hi * pair->scale + pair->offset,
                                         .saturated = measured->saturated};
    }
    return count;
}

typedef struct bench {
    weft_model_sheet *model;
    weft_study *study; /* how all of them are run */
    int64_t seed;
    weft_agreement **rows; /* of each point */
    size_t *counts;
} bench;

/* The scenario of point i, and which of its metrics are the model's outputs. */
static weft_status make_trial(const bench *b, size_t i, weft_trial *trial, weft_error *err)
{
    weft_arena scratch;
    const void *settings;
    const weft_node *tree;
    weft_arena_init(&scratch);
    weft_status status = weft_model_bind(b->model, i, &scratch, &settings, &tree, err);
    if (status == WEFT_OK)
        status = b->model->kind->scenario(settings, trial, err);
    weft_arena_done(&scratch);
    return status;
}

/* Its plan, in the arena of *study. */
static weft_status read_trial(const bench *b, const weft_trial *trial, weft_study *study,
                              weft_error *err)
{
    const char *text = trial->text.at;
    const char *seed = weft_arena_format(&study->arena, "seed=%lld", (long long)b->seed);
    const char *overrides[] = {seed, NULL};
    return weft_plan_read_text("the model's scenario", text, strlen(text), overrides,
                               b->model->registry, &study->arena, &study->plan, err);
}

/* One network from its plan to what it measured, which lives in the point's arena. */
static weft_status run_scenario(weft_study *study, const weft_study_job *job,
                                weft_study_point *point, weft_point *measured, weft_error *err)
{
    weft_simulation *simulation;
    weft_ending ending;
    WEFT_TRY(weft_study_point_open(study, 0, point, err));
    weft_status status =
        weft_study_simulate(study, job, &point->network, &simulation, &ending, err);
    if (status == WEFT_OK) {
        weft_outcome_build(measured, &point->network, simulation, ending, NULL, &point->arena);
        weft_simulation_destroy(simulation);
    }
    if (status != WEFT_OK)
        weft_study_point_close(point);
    return status;
}

static weft_status run_trial(const bench *b, size_t i, weft_sharing *sharing,
                             const weft_trial *trial, weft_agreement *rows, size_t *bytes,
                             weft_error *err)
{
    weft_study study = *b->study;
    weft_study_point point;
    weft_point measured;
    const weft_study_job job = {.point = i, .sharing = sharing};
    weft_arena_init(&study.arena);
    weft_status status = read_trial(b, trial, &study, err);
    if (status == WEFT_OK)
        status = run_scenario(&study, &job, &point, &measured, err);
    if (status == WEFT_OK) {
        *bytes = compare(b->model, i, trial, &measured, rows) * sizeof *rows;
        weft_study_point_close(&point);
    }
    weft_arena_done(&study.arena);
    return status;
}

static weft_status run_point(void *user, weft_sharing *sharing, size_t i, weft_comm *team,
                             void **row, size_t *bytes, weft_error *err)
{
    const bench *b = user;
    weft_trial trial;
    (void)team;
    weft_monitor_begin(b->study->monitor, i, 0);
    weft_trial_init(&trial);
    weft_status status = make_trial(b, i, &trial, err);
    if (status == WEFT_OK) {
        weft_agreement *made = weft_alloc((trial.count + 1) * sizeof *made);
        *row = made;
        status = run_trial(b, i, sharing, &trial, made, bytes, err);
    }
    weft_trial_done(&trial);
    weft_monitor_end(b->study->monitor, i);
    return status;
}

static weft_status take_rows(void *user, size_t i, const void *row, size_t bytes, weft_error *err)
{
    bench *b = user;
    (void)err;
    b->counts[i] = bytes / sizeof **b->rows;
    b->rows[i] = weft_alloc(bytes);
    if (bytes)
        memcpy(b->rows[i], row, bytes);
    weft_monitor_count(b->study->monitor, 0);
    return WEFT_OK;
}

/* The rows of all points, one after the other, in the model's arena. */
static const weft_agreement *join(const bench *b, size_t *count)
{
    size_t points = b->model->n_points, at = 0;
    *count = 0;
    for (size_t i = 0; i < points; i++)
        *count += b->counts[i];
    weft_agreement *all = WEFT_TAKE(&b->model->arena, weft_agreement, *count + 1);
    for (size_t i = 0; i < points; i++)
        for (size_t k = 0; k < b->counts[i]; k++)
            all[at++] = b->rows[i][k];
    return all;
}

/* Bytes that point i needs. */
static weft_status estimate_point(const bench *b, size_t i, int64_t *bytes, weft_error *err)
{
    weft_study study = *b->study;
    weft_trial trial;
    weft_schedule_item item = {.bytes = 0};
    weft_cost cost;
    weft_arena_init(&study.arena);
    weft_trial_init(&trial);
    weft_status status = make_trial(b, i, &trial, err);
    if (status == WEFT_OK)
        status = read_trial(b, &trial, &study, err);
    if (status == WEFT_OK)
        status = weft_study_estimate(&study, 0, 1, &item, &cost, err);
    *bytes = item.bytes > *bytes ? item.bytes : *bytes;
    weft_trial_done(&trial);
    weft_arena_done(&study.arena);
    return status;
}

static weft_status run_all(bench *b, weft_error *err)
{
    size_t points = b->model->n_points;
    weft_beside job = {
        .study = b->study, .n_items = points, .run = run_point, .take = take_rows, .user = b};
    int64_t bytes = 0;
    b->study->at_once = weft_beside_most(b->study, points);
    for (size_t i = 0; i < points; i++)
        WEFT_TRY(estimate_point(b, i, &bytes, err));
    b->study->at_once = weft_beside_fitting(b->study, bytes);
    weft_beside_announce(b->study, 0, points, 0);
    return weft_beside_run(&job, err);
}

weft_status weft_model_simulate(weft_model_sheet *model, int64_t seed,
                                const weft_study_options *how, const weft_agreement **rows,
                                size_t *count, weft_error *err)
{
    size_t points = model->n_points;
    assert(points == model->done);
    if (!model->kind->scenario)
        return weft_fail(err, WEFT_BAD_INPUT, "%s: there is no scenario that simulates this model",
                         model->kind->base.name);
    if (how)
        WEFT_TRY(weft_study_options_check(how, err));
    weft_monitor monitor;
    weft_study study = {.results = WEFT_IN_MEMORY,
                        .memory = weft_memory_available() / 4 * 3,
                        .at_once = 1,
                        .monitor = &monitor};
    if (how)
        study.options = *how;
    if (study.options.memory)
        study.memory = study.options.memory;
    bench b = {.model = model,
               .study = &study,
               .seed = seed,
               .rows = weft_alloc((points + 1) * sizeof *b.rows),
               .counts = weft_alloc((points + 1) * sizeof *b.counts)};
    weft_monitor_init(&monitor, points);
    weft_status status = run_all(&b, err);
    if (status == WEFT_OK)
        *rows = join(&b, count);
    for (size_t i = 0; i < points; i++)
        free(b.rows[i]);
    free(b.rows);
    free(b.counts);
    weft_monitor_done(&monitor);
    return status;
}
