/* SPDX-License-Identifier: Apache-2.0 */
/* The scenario a model has written for a point, run like any other, beside what the model says. */
#include "study/model.h"

#include "analytic/answer.h"
#include "base/memory.h"
#include "study/internal.h"
#include "study/outcome.h"

#include <assert.h>
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

/* One network from the text of its scenario to what it measured, which lives in the point's
 * arena. */
static weft_status run_scenario(weft_study *study, const char *text, const weft_registry *registry,
                                const char *seed, weft_study_point *point, weft_point *measured,
                                weft_error *err)
{
    const char *overrides[] = {seed, NULL};
    weft_simulation *simulation;
    weft_ending ending;
    const weft_study_job job = {.point = 0};
    WEFT_TRY(weft_plan_read_text("the model's scenario", text, strlen(text), overrides, registry,
                                 &study->arena, &study->plan, err));
    WEFT_TRY(weft_study_point_open(study, 0, point, err));
    weft_status status =
        weft_study_simulate(study, &job, &point->network, &simulation, &ending, err);
    if (status == WEFT_OK) {
        if (ending == WEFT_END_INTERRUPTED)
            status = weft_fail(err, WEFT_STOPPED, "stopped");
        else
            weft_outcome_build(measured, &point->network, simulation, ending, &point->arena);
        if (status != WEFT_OK)
            weft_simulation_destroy(simulation);
    }
    if (status != WEFT_OK) {
        weft_study_point_close(point);
        return status;
    }
    study->done = 1;
    weft_simulation_destroy(simulation);
    return WEFT_OK;
}

static weft_status run_trial(weft_model_sheet *model, size_t i, const weft_trial *trial,
                             int64_t seed, const weft_study_options *how, weft_agreement *rows,
                             size_t *count, weft_error *err)
{
    weft_study study = {.memory = weft_memory_available() / 4 * 3};
    weft_study_point point;
    weft_point measured;
    if (how)
        study.options = *how;
    weft_arena_init(&study.arena);
    const char *override = weft_arena_format(&study.arena, "seed=%lld", (long long)seed);
    weft_status status =
        run_scenario(&study, trial->text.at, model->registry, override, &point, &measured, err);
    if (status == WEFT_OK) {
        *count = compare(model, i, trial, &measured, rows);
        weft_study_point_close(&point);
    }
    weft_arena_done(&study.arena);
    return status;
}

weft_status weft_model_simulate(weft_model_sheet *model, size_t i, int64_t seed,
                                const weft_study_options *how, const weft_agreement **rows,
                                size_t *count, weft_error *err)
{
    const weft_component *kind = &model->kind->base;
    weft_arena scratch;
    weft_trial trial;
    const void *settings;
    const weft_node *tree;
    assert(i < model->done);
    if (!model->kind->scenario)
        return weft_fail(err, WEFT_BAD_INPUT, "%s: there is no scenario that simulates this model",
                         kind->name);
    weft_arena_init(&scratch);
    weft_trial_init(&trial);
    weft_status status = weft_model_bind(model, i, &scratch, &settings, &tree, err);
    if (status == WEFT_OK)
        status = model->kind->scenario(settings, &trial, err);
    if (status == WEFT_OK) {
        weft_agreement *made = WEFT_TAKE(&model->arena, weft_agreement, trial.count + 1);
        *rows = made;
        status = run_trial(model, i, &trial, seed, how, made, count, err);
    }
    weft_trial_done(&trial);
    weft_arena_done(&scratch);
    return status;
}
