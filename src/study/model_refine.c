/* SPDX-License-Identifier: Apache-2.0 */
/* The same model at more values of one setting, so that a picture shows a curve and not the
 * polygon of what was asked for. */
#include "study/model.h"

#include "base/memory.h"
#include "config/edit.h"
#include "result/key.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CURVE_POINTS 240   /* of a smooth curve */
#define POINTS_MAX   20000 /* of all curves */
#define SECONDS_MAX  1.0   /* that evaluating them may take */

typedef struct values {
    double *at;
    size_t count;
} values;

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Distinct numbers of a setting over all points, rising; none if it is not always one. */
static values values_of(const weft_model_sheet *model, const char *axis, weft_arena *arena)
{
    values found = {.at = WEFT_TAKE(arena, double, model->n_points)};
    for (size_t i = 0; i < model->n_points; i++) {
        weft_setting set[WEFT_SETTINGS_MAX];
        size_t count = weft_sweep_settings(model->grid, i, arena, set), k = 0;
        while (k < count && strcmp(set[k].path->text, axis) != 0)
            k++;
        const char *text =
            k < count && set[k].value->type == WEFT_NODE_SCALAR ? set[k].value->text : "";
        if (!weft_key_number(text, strlen(text), &found.at[i]))
            return (values){.count = 0};
    }
    qsort(found.at, model->n_points, sizeof *found.at, by_value);
    for (size_t i = 0; i < model->n_points; i++)
        if (i == 0 || found.at[i] > found.at[found.count - 1])
            found.at[found.count++] = found.at[i];
    return found;
}

/* What type a setting of a component has is not known here: its values tell. */
static bool is_whole(const weft_model_sheet *model, const char *axis, const values *given)
{
    for (const weft_param *p = model->kind->base.params; p->name; p++)
        if (strcmp(p->name, axis) == 0)
            return p->type == WEFT_PARAM_INT;
    for (size_t i = 0; i < given->count; i++)
        if (fmod(given->at[i], 1) != 0)
            return false;
    return true;
}

/* Into how many parts the gap between two values is cut. */
static size_t pieces_of(const weft_model_sheet *model, const values *given, weft_arena *arena)
{
    size_t pieces = CURVE_POINTS / (given->count - 1), most = POINTS_MAX / model->n_points;
    double seconds = 0;
    for (size_t i = 0; model->kind->seconds && i < model->n_points; i++) {
        const void *settings;
        const weft_node *tree;
        weft_error err;
        if (weft_model_bind(model, i, arena, &settings, &tree, &err) == WEFT_OK)
            seconds += model->kind->seconds(settings);
    }
    pieces = pieces < most ? pieces : most;
    return seconds * (double)pieces > SECONDS_MAX ? 1 : pieces;
}

/* The values with those between them, as the list of an axis. */
static const weft_node *refined_list(const values *given, size_t pieces, bool whole,
                                     const weft_node *at, weft_arena *arena)
{
    const weft_node **items = WEFT_TAKE(arena, const weft_node *, (given->count - 1) * pieces + 1);
    weft_node *list = WEFT_TAKE(arena, weft_node, 1);
    uint32_t count = 0;
    double last = -1e300;
    for (size_t i = 0; i < given->count; i++)
        for (size_t k = 0; k < (i + 1 < given->count ? pieces : 1); k++) {
            double next = i + 1 < given->count ? given->at[i + 1] : given->at[i];
            double value = given->at[i] + (next - given->at[i]) * (double)k / (double)pieces;
            value = whole ? (double)(int64_t)value : value;
            if (!(value > last))
                continue;
            last = value;
            items[count++] = weft_node_scalar(arena, at, weft_arena_format(arena, "%.15g", value));
        }
    *list = *at;
    list->type = WEFT_NODE_LIST;
    list->text = NULL;
    list->keys = NULL;
    list->values = items;
    list->n_values = count;
    return list;
}

weft_status weft_model_refine(weft_model_sheet *model, const char *axis, weft_model_sheet **fine,
                              weft_error *err)
{
    weft_arena *arena = &model->arena;
    const values given = values_of(model, axis, arena);
    const weft_node *key = weft_node_key(model->varied, axis);
    *fine = NULL;
    size_t pieces = given.count > 1 && key ? pieces_of(model, &given, arena) : 0;
    if (pieces < 2)
        return WEFT_OK;
    const weft_node *list = refined_list(&given, pieces, is_whole(model, axis, &given),
                                         weft_node_get(model->varied, axis), arena);
    const weft_model_source source = {.name = model->kind->base.name,
                                      .title = model->title,
                                      .settings = model->fixed,
                                      .vary = weft_node_with(arena, model->varied, key, list)};
    WEFT_TRY(weft_model_open_source(&source, model->registry, fine, err));
    weft_status status = weft_model_run(*fine, NULL, err);
    if (status == WEFT_OK)
        return WEFT_OK;
    weft_model_close(*fine);
    *fine = NULL;
    return status;
}
