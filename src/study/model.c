/* SPDX-License-Identifier: Apache-2.0 */
/* A model from its settings to its answers: the same trees, grids and keys as a scenario's. */
#include "study/model.h"

#include "analytic/answer.h"
#include "base/clock.h"
#include "base/digits.h"
#include "base/memory.h"
#include "config/bind/bind.h"
#include "config/describe/print.h"
#include "config/edit.h"
#include "base/suggest.h"
#include "study/catalog.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- opening ---- */

static weft_status find_kind(const weft_registry *registry, const char *name,
                             const weft_model_kind **kind, weft_error *err)
{
    const weft_family *family = weft_registry_find(registry, "model");
    const weft_component *found = weft_family_kind(family, name);
    *kind = (const weft_model_kind *)(const void *)found;
    if (found)
        return WEFT_OK;
    weft_suggest suggest = {.word = name};
    for (size_t i = 0; i < family->n_kinds; i++)
        weft_suggest_offer(&suggest, family->kinds[i]->name);
    return weft_fail(err, WEFT_BAD_INPUT,
                     "there is no model '%.60s'%s; `weft model` lists them all", name,
                     weft_suggest_text(&suggest));
}

static const char *print_source(const char *name, const weft_model_settings *settings,
                                weft_arena *arena)
{
    weft_text text;
    weft_text_init(&text);
    weft_text_add(&text, "model: %s\nsettings: ", name);
    weft_print_flow(&text, settings->fixed, true);
    if (settings->varied->n_values > 0) {
        weft_text_add(&text, "\nvary: ");
        weft_print_flow(&text, settings->varied, false);
    }
    weft_text_add(&text, "\n");
    const char *copy = weft_arena_copy(arena, text.at, text.length);
    weft_text_done(&text);
    return copy;
}

static weft_status prepare(weft_model_sheet *model, const weft_model_source *source,
                           weft_error *err)
{
    weft_arena *arena = &model->arena;
    WEFT_TRY(find_kind(model->registry, source->name, &model->kind, err));
    const weft_component *kind = &model->kind->base;
    const weft_source *place = weft_source_of_text(kind->name, "", 0, true, arena);
    const weft_node here = {.type = WEFT_NODE_MAP, .height = 1, .size = 1, .source = place};
    const weft_node *empty = weft_node_empty_map(arena, &here);
    weft_model_settings settings = {source->settings ? source->settings : empty,
                                    source->vary ? source->vary : empty};
    for (const char *const *o = source->overrides; o && *o; o++)
        WEFT_TRY(weft_model_settings_apply(&settings, kind, *o, arena, err));
    model->fixed = settings.fixed;
    model->varied = settings.varied;
    model->text = print_source(kind->name, &settings, arena);
    model->title = source->title ? source->title : weft_arena_format(arena, "%s", kind->brief);
    WEFT_TRY(weft_sweep_read(settings.varied->n_values ? settings.varied : NULL, arena,
                             &model->grid, err));
    model->n_points = weft_sweep_points(model->grid);
    model->points = weft_alloc(model->n_points * sizeof *model->points);
    return WEFT_OK;
}

weft_status weft_model_open_source(const weft_model_source *source, const weft_registry *registry,
                                   weft_model_sheet **model, weft_error *err)
{
    weft_model_sheet *opened = weft_alloc(sizeof *opened);
    weft_arena_init(&opened->arena);
    opened->registry = registry;
    weft_status status = prepare(opened, source, err);
    *model = status == WEFT_OK ? opened : NULL;
    if (status != WEFT_OK)
        weft_model_close(opened);
    return status;
}

weft_status weft_model_open(const char *name, const char *const *settings,
                            const weft_catalog *catalog, weft_model_sheet **model, weft_error *err)
{
    const weft_model_source source = {.name = name, .overrides = settings};
    return weft_model_open_source(&source, weft_catalog_registry(catalog), model, err);
}

void weft_model_close(weft_model_sheet *model)
{
    if (!model)
        return;
    free(model->points);
    weft_arena_done(&model->arena);
    free(model);
}

const char *weft_model_title(const weft_model_sheet *model)
{
    return model->title;
}

const weft_output *weft_model_outputs(const weft_model_sheet *model)
{
    return model->kind->outputs;
}

size_t weft_model_points(const weft_model_sheet *model)
{
    return model->n_points;
}

bool weft_model_simulates(const weft_model_sheet *model)
{
    return model->kind->scenario != NULL;
}

/* ---- one point ---- */

weft_status weft_model_bind(const weft_model_sheet *model, size_t i, weft_arena *arena,
                            const void **settings, const weft_node **tree, weft_error *err)
{
    const weft_component *kind = &model->kind->base;
    weft_setting set[WEFT_SETTINGS_MAX];
    size_t count = weft_sweep_settings(model->grid, i, arena, set);
    *tree = model->fixed;
    for (size_t k = 0; k < count; k++)
        WEFT_TRY(weft_node_assign(arena, *tree, set[k].path, set[k].value, tree, err));
    void *filled = weft_arena_take(arena, kind->settings_size + 1);
    weft_binder binder = {.registry = model->registry, .arena = arena, .err = err};
    const weft_table table = {.name = kind->name, .params = kind->params};
    WEFT_TRY(weft_bind_table(&binder, kind->name, *tree, &table, filled));
    WEFT_TRY(weft_bind_findings(&binder));
    *settings = filled;
    return WEFT_OK;
}

static const char *point_text(const weft_model_sheet *model, const weft_node *tree,
                              weft_arena *arena)
{
    const weft_model_settings settings = {tree, weft_node_empty_map(arena, tree)};
    return print_source(model->kind->base.name, &settings, arena);
}

/* What is not a number is left out. */
static void collect(weft_model_sheet *model, const weft_answer *answer, weft_point *point)
{
    weft_metric *metrics = WEFT_TAKE(&model->arena, weft_metric, answer->n_rows + 1);
    for (size_t k = 0; k < answer->n_rows; k++) {
        const weft_answer_row *row = &answer->rows[k];
        const weft_output *output = &model->kind->outputs[row->output];
        if (row->value - row->value != 0)
            continue;
        metrics[point->n_metrics++] = (weft_metric){
            .name = output->name,
            .of = "",
            .by = output->by ? output->by : "",
            .index = row->index,
            .value = row->value,
            .lo = (double)NAN,
            .hi = (double)NAN,
            .unit = output->unit,
            .method = output->printed ? "as printed" : "exact",
        };
    }
    point->metrics = metrics;
}

static weft_status place(const weft_model_sheet *model, const char *key, weft_status status,
                         weft_error *err)
{
    char found[2000];
    if (status == WEFT_OK)
        return WEFT_OK;
    strncpy(found, err->text, sizeof found - 1);
    found[sizeof found - 1] = '\0';
    return weft_fail(err, status, "%s%s%.500s%s: %s", model->kind->base.name, *key ? " (" : "", key,
                     *key ? ")" : "", found);
}

/* Nobody waits for more than two seconds without knowing for what. */
static void announce(const weft_model_sheet *model, const weft_study_options *how, const char *key,
                     const void *settings)
{
    char text[300];
    double seconds = model->kind->seconds ? model->kind->seconds(settings) : 0;
    if (!how || !how->notice || seconds < 2)
        return;
    (void)weft_digits_print(text, sizeof text, "%s%s%.200s: about %.0f s", model->kind->base.name,
                            *key ? " " : "", key, seconds);
    how->notice(how->user, text);
}

static weft_status evaluate(weft_model_sheet *model, size_t i, const weft_study_options *how,
                            weft_error *err)
{
    weft_arena scratch;
    weft_answer answer;
    const void *settings;
    const weft_node *tree;
    weft_point *point = &model->points[i];
    double began = weft_clock();
    weft_arena_init(&scratch);
    weft_answer_init(&answer);
    weft_status status = weft_model_bind(model, i, &scratch, &settings, &tree, err);
    if (status == WEFT_OK) {
        *point = (weft_point){.key = weft_sweep_key(model->grid, i, &model->arena),
                              .settings = point_text(model, tree, &model->arena)};
        announce(model, how, point->key, settings);
        status = place(model, point->key, model->kind->evaluate(settings, &answer, err), err);
    }
    if (status == WEFT_OK) {
        collect(model, &answer, point);
        point->verdict = answer.notes.length
                             ? weft_arena_copy(&model->arena, answer.notes.at, answer.notes.length)
                             : "exact";
        point->wall_seconds = weft_clock() - began;
    }
    weft_answer_done(&answer);
    weft_arena_done(&scratch);
    return status;
}

/* ---- all of them ---- */

static weft_status report(const weft_model_sheet *model, const weft_study_options *how, size_t i,
                          weft_error *err)
{
    if (how && how->request && how->request(how->user) == WEFT_REQUEST_STOP)
        return weft_fail(err, WEFT_STOPPED, "stopped");
    if (how && how->progress)
        how->progress(how->user, &(weft_progress){.point = i + 1,
                                                  .points = model->n_points,
                                                  .done = i,
                                                  .key = "",
                                                  .latency = (double)NAN});
    return WEFT_OK;
}

/* All answers stay in memory until they are shown. */
static weft_status check_room(const weft_model_sheet *model, size_t rows, int64_t room,
                              weft_error *err)
{
    double bytes = (double)rows * sizeof(weft_metric), mib = 1 << 20;
    if (room <= 0 || bytes <= (double)room)
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT,
                     "%s: the answers of %zu of %zu points are %zu numbers, which take %.0f MiB of "
                     "memory; a process may take %.0f MiB (--memory): ask for fewer points or for "
                     "fewer rows of a distribution",
                     model->kind->base.name, model->done + 1, model->n_points, rows, bytes / mib,
                     (double)room / mib);
}

weft_status weft_model_run(weft_model_sheet *model, const weft_study_options *how, weft_error *err)
{
    weft_error own; /* failures are told with the place of the setting */
    size_t rows = 0;
    int64_t room = how && how->memory ? how->memory : weft_memory_available() / 4 * 3;
    for (; model->done < model->n_points; model->done++) {
        WEFT_TRY(report(model, how, model->done, err));
        WEFT_TRY(evaluate(model, model->done, how, err ? err : &own));
        rows += model->points[model->done].n_metrics;
        WEFT_TRY(check_room(model, rows, room, err));
    }
    return WEFT_OK;
}

const weft_point *weft_model_point(const weft_model_sheet *model, size_t i)
{
    assert(i < model->done);
    return &model->points[i];
}
