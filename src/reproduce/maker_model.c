/* SPDX-License-Identifier: Apache-2.0 */
/* `model: NAME` with `settings:` and `vary:`: a figure that is evaluated. Rank 0 does it alone. */
#include "reproduce/maker.h"
#include "study/catalog.h"
#include "study/context.h"
#include "study/model.h"

typedef struct input {
    const char *name;
    const weft_node *settings, *vary;
} input;

/* A map, or nothing. */
static weft_status read_map(const weft_figure_source *source, const char *key,
                            const weft_node **map, weft_error *err)
{
    *map = weft_node_get(source->map, key);
    if (*map && (*map)->type != WEFT_NODE_MAP)
        return weft_node_complain(err, *map,
                                  "%s.%s must be a map from settings to values, found %s",
                                  source->path, key, weft_node_found(*map, source->arena));
    return WEFT_OK;
}

static weft_status read_model(const weft_figure_source *source, const void **filled,
                              weft_error *err)
{
    static const weft_param param = {
        .name = "model", .brief = "name of a model", .type = WEFT_PARAM_TEXT};
    input *in = WEFT_TAKE(source->arena, input, 1);
    const char *path = weft_arena_format(source->arena, "%s.model", source->path);
    WEFT_TRY(weft_bind_value(source->binder, path, &param, weft_node_get(source->map, "model"),
                             &in->name));
    WEFT_TRY(read_map(source, "settings", &in->settings, err));
    WEFT_TRY(read_map(source, "vary", &in->vary, err));
    *filled = in;
    return WEFT_OK;
}

static weft_status evaluate(const weft_figure_job *job, weft_error *err)
{
    const input *in = job->figure->input;
    weft_model_sheet *model;
    const weft_model_source source = {.name = in->name,
                                      .title = job->figure->shown.title,
                                      .settings = in->settings,
                                      .vary = in->vary,
                                      .overrides = job->variant->overrides};
    WEFT_TRY(weft_model_open_source(&source, weft_catalog_registry(job->catalog), &model, err));
    weft_status status = weft_model_run(model, job->how, err);
    if (status == WEFT_OK)
        status = weft_model_save(model, job->how->results, job->how->fresh, NULL, err);
    weft_model_close(model);
    return status;
}

static weft_status run(const weft_figure_job *job, weft_error *err)
{
    weft_comm *comm = job->how->context ? job->how->context->comm : NULL;
    weft_status status = weft_comm_rank(comm) == 0 ? evaluate(job, err) : WEFT_OK;
    return weft_comm_agree(comm, status, err);
}

static const char *const also[] = {"settings", "vary", NULL};
const weft_figure_maker weft_figure_maker_model = {
    .key = "model",
    .brief = "a model to evaluate",
    .also = also,
    .read = read_model,
    .run = run,
};
