/* SPDX-License-Identifier: Apache-2.0 */
#include "study/why/rerun.h"

#include "base/text.h"
#include "config/files.h"
#include "result/key.h"
#include "result/store.h"

#include <stdlib.h>

static bool find_point(weft_rerun *rerun, const char *key)
{
    for (size_t i = 0; i < weft_study_points(rerun->study); i++)
        if (strcmp(weft_plan_key(rerun->study->plan, i), key) == 0) {
            rerun->number = i;
            return true;
        }
    return false;
}

/* The point alone, as a grid of one: its settings, and its key as axes of one value. */
static void write_alone(const weft_point *stored, weft_text *text)
{
    const char *rest = stored->key;
    weft_key_part part;
    weft_text_add(text, "%s\nvary:\n", stored->settings);
    while (weft_key_next(&rest, &part))
        weft_text_add(text, "  %.*s: [%.*s]\n", (int)part.name_length, part.name,
                      (int)part.value_length, part.value);
}

static weft_status open_study(weft_rerun *rerun, weft_result *result, const weft_point *stored,
                              const char *name, const weft_catalog *catalog, weft_error *err)
{
    weft_study_options from = {
        .file = name, .text = weft_result_scenario(result), .results = WEFT_IN_MEMORY};
    WEFT_TRY(weft_study_open(&from, catalog, &rerun->study, err));
    if (find_point(rerun, stored->key))
        return WEFT_OK;
    weft_study_close(rerun->study);
    weft_text text;
    weft_text_init(&text);
    write_alone(stored, &text);
    from.text = text.at;
    weft_status status = weft_study_open(&from, catalog, &rerun->study, err);
    weft_text_done(&text);
    if (status != WEFT_OK || find_point(rerun, stored->key))
        return status;
    weft_study_close(rerun->study);
    return weft_fail(err, WEFT_BAD_INPUT, "the scenario of the results has no point '%s'",
                     stored->key);
}

/* A name in the folder where the files are: others are found beside it. */
static char *place(const weft_result *result, const weft_why_options *options)
{
    const char *path = weft_result_path(result), *slash = strrchr(path, '/');
    weft_text text;
    weft_text_init(&text);
    if (options && options->folder)
        weft_text_add(&text, "%s/%s", options->folder, slash ? slash + 1 : path);
    else
        weft_text_add(&text, "%s", path);
    return weft_text_take(&text);
}

/* A file is there, and holds what it held. */
static weft_status check_file(const weft_file *file, weft_result *result, const weft_point *stored,
                              weft_error *err)
{
    const char *before[] = {weft_result_scenario(result), stored->settings};
    const char *changed = NULL;
    int length = 0;
    weft_text line;
    weft_text_init(&line);
    weft_files_add(&line, file);
    for (int i = 0; i < 2 && line.length > 0 && !changed; i++)
        changed = weft_store_changed(before[i], line.at, &length);
    weft_status status = WEFT_OK;
    if (line.length == 0)
        status = weft_fail(err, WEFT_BAD_INPUT,
                           "%s: the file %s that its scenario names cannot be read as %s; --folder "
                           "FOLDER says where such files are",
                           weft_result_path(result), file->text, file->path);
    else if (changed)
        status = weft_fail(err, WEFT_BAD_INPUT,
                           "%s: %s is another file than the %s of these results, or has changed "
                           "since; --folder FOLDER says where the files of the scenario are",
                           weft_result_path(result), file->path, file->text);
    weft_text_done(&line);
    return status;
}

static weft_status check_files(const weft_rerun *rerun, weft_result *result,
                               const weft_point *stored, weft_error *err)
{
    weft_arena arena;
    weft_scenario scenario;
    weft_arena_init(&arena);
    weft_status status = weft_plan_point(rerun->study->plan, rerun->number, &arena, &scenario, err);
    for (size_t i = 0; status == WEFT_OK && i < scenario.n_files; i++)
        status = check_file(&scenario.files[i], result, stored, err);
    weft_arena_done(&arena);
    return status;
}

weft_status weft_rerun_open(weft_rerun *rerun, weft_result *result, size_t i,
                            const weft_catalog *catalog, const weft_why_options *options,
                            const char *const *overrides, weft_error *err)
{
    const weft_point *stored;
    *rerun = (weft_rerun){0};
    WEFT_TRY(weft_result_read(result, i, &stored, err));
    char *name = place(result, options);
    weft_status status = open_study(rerun, result, stored, name, catalog, err);
    free(name);
    if (status != WEFT_OK)
        return status;
    if (!overrides) /* a change is tried of a point that was opened without */
        status = check_files(rerun, result, stored, err);
    weft_plan_change(rerun->study->plan, overrides);
    if (status == WEFT_OK)
        status = weft_study_point_open(rerun->study, rerun->number, &rerun->point, err);
    if (status != WEFT_OK)
        weft_study_close(rerun->study);
    return status;
}

void weft_rerun_close(weft_rerun *rerun)
{
    weft_study_point_close(&rerun->point);
    weft_study_close(rerun->study);
}

weft_request weft_rerun_request(void *caller)
{
    const weft_why_options *options = ((weft_rerun_caller *)caller)->options;
    return options && options->request ? options->request(options->user) : WEFT_REQUEST_NONE;
}

void weft_rerun_progress(void *caller, const weft_state *state)
{
    const weft_rerun_caller *who = caller;
    if (who->options && who->options->progress)
        who->options->progress(who->options->user, who->what,
                               who->until > 0 ? (double)state->now / who->until : state->share);
}
