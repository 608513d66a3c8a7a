/* SPDX-License-Identifier: Apache-2.0 */
/* `scenario: FILE`: a figure that is simulated, as any other study is. */
#include "reproduce/maker.h"

#include <string.h>

static weft_status read_scenario(const weft_figure_source *source, const void **input,
                                 weft_error *err)
{
    static const weft_param param = {
        .name = "scenario", .brief = "file to run", .type = WEFT_PARAM_TEXT};
    const weft_node *node = weft_node_get(source->map, "scenario");
    const char *file, *path = weft_arena_format(source->arena, "%s.scenario", source->path);
    WEFT_TRY(weft_bind_value(source->binder, path, &param, node, &file));
    if (strchr(file, '/'))
        return weft_node_complain(err, node, "%s is a file of the study's own folder", path);
    *input = weft_arena_format(source->arena, "%s/%s", source->book->folder, file);
    return WEFT_OK;
}

static weft_status run(const weft_figure_job *job, weft_error *err)
{
    weft_study_options options = *job->how;
    weft_study *study;
    options.file = job->figure->input;
    options.overrides = job->variant->overrides;
    WEFT_TRY(weft_study_open(&options, job->catalog, &study, err));
    weft_status status = weft_study_run(study, err);
    weft_study_close(study);
    return status;
}

const weft_figure_maker weft_figure_maker_scenario = {
    .key = "scenario",
    .brief = "a file to simulate",
    .seeds = true,
    .read = read_scenario,
    .run = run,
};
