/* SPDX-License-Identifier: Apache-2.0 */
/* A model's points as a results file. Where a quantity was simulated too, the measured value is the
 * metric and the model's stands beside it, as in the results of a run. */
#include "study/model.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const weft_agreement *find_trial(const weft_model_trials *trials, size_t point,
                                        const weft_metric *metric)
{
    for (size_t i = 0; trials && i < trials->count; i++)
        if (trials->rows[i].point == point && *metric->by == '\0' &&
            strcmp(trials->rows[i].output->name, metric->name) == 0)
            return &trials->rows[i];
    return NULL;
}

static weft_metric measured(const weft_metric *said, const weft_agreement *trial)
{
    weft_metric metric = *said;
    metric.value = trial->simulated;
    metric.lo = trial->saturated ? (double)NAN : trial->lo;
    metric.hi = trial->saturated ? (double)NAN : trial->hi;
    metric.method = trial->saturated                             ? "saturated: still growing"
                    : isfinite(trial->lo) && isfinite(trial->hi) ? "batch means"
                                                                 : "no interval: of a simulation";
    return metric;
}

static const char *note_of(const weft_model_trials *trials, weft_arena *arena)
{
    return trials ? weft_arena_format(arena, "simulated: {seed: %lld}\n", (long long)trials->seed)
                  : "";
}

/* The point with what was measured of it. */
static weft_point merge(const weft_model_sheet *model, size_t i, const weft_model_trials *trials,
                        weft_arena *arena)
{
    weft_point point = model->points[i];
    weft_metric *metrics = WEFT_TAKE(arena, weft_metric, 2 * point.n_metrics + 1);
    size_t count = 0;
    for (size_t k = 0; k < point.n_metrics; k++) {
        const weft_agreement *trial = find_trial(trials, i, &point.metrics[k]);
        weft_metric said = point.metrics[k];
        if (trial) {
            metrics[count++] = measured(&said, trial);
            said.by = "model";
            said.method = weft_arena_format(arena, "model: %s", model->kind->base.name);
        }
        metrics[count++] = said;
        point.saturated = point.saturated || (trial && trial->saturated);
    }
    if (trials)
        point.verdict = point.saturated ? "saturated" : "simulated";
    point.metrics = metrics;
    point.n_metrics = count;
    point.settings = weft_arena_format(arena, "%s%s", point.settings, note_of(trials, arena));
    return point;
}

static weft_status save_all(const weft_model_sheet *model, weft_result *result,
                            const weft_model_trials *trials, weft_arena *arena, weft_error *err)
{
    for (size_t i = 0; i < model->n_points; i++) {
        if (weft_result_has(result, model->points[i].key))
            continue;
        const weft_point point = merge(model, i, trials, arena);
        WEFT_TRY(weft_result_commit(result, &point, err));
    }
    return WEFT_OK;
}

weft_status weft_model_save(const weft_model_sheet *model, const char *path, bool fresh,
                            const weft_model_trials *trials, weft_error *err)
{
    weft_result *result;
    weft_arena arena;
    assert(model->done == model->n_points);
    weft_arena_init(&arena);
    const char *text = weft_arena_format(&arena, "%s%s", model->text, note_of(trials, &arena));
    weft_status status = weft_result_create(path, model->title, text, fresh, &result, err);
    if (status == WEFT_OK) {
        status = save_all(model, result, trials, &arena, err);
        weft_result_close(result);
    }
    weft_arena_done(&arena);
    return status;
}
