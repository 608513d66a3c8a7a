/* SPDX-License-Identifier: Apache-2.0 */
/* `crossbar: search`, `run` or `count` with `settings:` and `vary:`: a figure from the
 * laboratory. */
#include "reproduce/maker.h"
#include "study/catalog.h"
#include "study/crossbar/crossbar.h"

enum { SEARCH, RUN, COUNT };
static const char *const actions[] = {"search", "run", "count", NULL};

typedef struct input {
    int action;
    const weft_node *settings, *vary;
} input;

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

static weft_status read_crossbar(const weft_figure_source *source, const void **filled,
                                 weft_error *err)
{
    static const weft_param param = {.name = "crossbar",
                                     .brief = "what the laboratory does",
                                     .type = WEFT_PARAM_CHOICE,
                                     .choices = actions};
    input *in = WEFT_TAKE(source->arena, input, 1);
    const char *path = weft_arena_format(source->arena, "%s.crossbar", source->path);
    WEFT_TRY(weft_bind_value(source->binder, path, &param, weft_node_get(source->map, "crossbar"),
                             &in->action));
    WEFT_TRY(read_map(source, "settings", &in->settings, err));
    WEFT_TRY(read_map(source, "vary", &in->vary, err));
    *filled = in;
    return WEFT_OK;
}

static weft_status run(const weft_figure_job *job, weft_error *err)
{
    const input *in = job->figure->input;
    const weft_study_options *how = job->how;
    const weft_crossbar_source source = {.title = job->figure->shown.title,
                                         .settings = in->settings,
                                         .vary = in->vary,
                                         .overrides = job->variant->overrides};
    const weft_crossbar_options options = {.results = how->results,
                                           .fresh = how->fresh,
                                           .context = how->context,
                                           .threads = how->threads,
                                           .request = how->request,
                                           .progress = how->progress,
                                           .user = how->user};
    weft_crossbar *lab;
    WEFT_TRY(weft_crossbar_open_source(&source, weft_catalog_registry(job->catalog), &lab, err));
    weft_status status = in->action == SEARCH
                             ? weft_crossbar_search(lab, &options, err)
                             : weft_crossbar_save(lab, in->action == COUNT, &options, err);
    weft_crossbar_close(lab);
    return status;
}

static const char *const also[] = {"settings", "vary", NULL};
const weft_figure_maker weft_figure_maker_crossbar = {
    .key = "crossbar",
    .brief = "the crossbar laboratory: search, run or count",
    .also = also,
    .read = read_crossbar,
    .run = run,
};
