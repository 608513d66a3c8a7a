/* SPDX-License-Identifier: Apache-2.0 */
/* A study file is one study: its points are those of a joint plan. */
#include "base/memory.h"
#include "config/evaluation/evaluation.h"
#include "study/internal.h"

#include <stdlib.h>

struct weft_evaluation {
    weft_study *study;
    weft_evaluation_settings settings; /* in the arena of the study */
    const weft_catalog *catalog;
};

static weft_status read_plan(weft_study *study, const void *user, weft_error *err)
{
    weft_evaluation *evaluation = (weft_evaluation *)(uintptr_t)user;
    const weft_study_options *options = &study->options;
    WEFT_TRY(weft_evaluation_read(options->file, options->overrides,
                                  weft_catalog_registry(evaluation->catalog), &study->arena,
                                  &evaluation->settings, err));
    study->plan = evaluation->settings.plan;
    return WEFT_OK;
}

weft_status weft_evaluation_open(const weft_study_options *options, const weft_catalog *catalog,
                                 weft_evaluation **evaluation, weft_error *err)
{
    *evaluation = NULL;
    WEFT_TRY(weft_study_options_file(options, err));
    weft_evaluation *opened = weft_alloc(sizeof *opened);
    weft_study_options own = *options;
    own.keep_going = true;
    opened->catalog = catalog;
    weft_status status = weft_study_open_plan(&own, read_plan, opened, &opened->study, err);
    if (status != WEFT_OK) {
        free(opened);
        return status;
    }
    *evaluation = opened;
    return WEFT_OK;
}

void weft_evaluation_close(weft_evaluation *evaluation)
{
    if (evaluation)
        weft_study_close(evaluation->study);
    free(evaluation);
}

weft_study *weft_evaluation_study(weft_evaluation *evaluation)
{
    return evaluation->study;
}

const char *weft_evaluation_title(const weft_evaluation *evaluation)
{
    return evaluation->settings.title;
}

const char *weft_evaluation_about(const weft_evaluation *evaluation)
{
    return evaluation->settings.about;
}

size_t weft_evaluation_figures(const weft_evaluation *evaluation, const weft_exhibit **figures)
{
    *figures = evaluation->settings.figures;
    return evaluation->settings.n_figures;
}

size_t weft_evaluation_tables(const weft_evaluation *evaluation, const weft_exhibit **tables)
{
    *tables = evaluation->settings.tables;
    return evaluation->settings.n_tables;
}

weft_status weft_evaluation_locate(const weft_evaluation *evaluation, const char *path,
                                   weft_status status, weft_error *err)
{
    const weft_scenario file = {.tree = evaluation->settings.tree};
    return weft_scenario_locate(&file, path, status, err);
}
