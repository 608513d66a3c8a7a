/* SPDX-License-Identifier: Apache-2.0 */
/* weft sensitivity: which settings of a scenario matter for a quantity. */
#include "base/text.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "report/evaluation/elasticity.h"
#include "report/save.h"

#include <stdlib.h>
#include <string.h>

#define TABLE_WIDTH 80

typedef struct sensitivity_flags {
    const char *of, *by;
    weft_texts vary;
    int64_t seeds;
} sensitivity_flags;

/* "10%" or "0.1". */
static weft_status read_part(const char *text, double *part, weft_error *err)
{
    char *end;
    *part = strtod(text, &end);
    bool percent = strcmp(end, "%") == 0;
    if (percent)
        *part /= 100;
    if (end == text || (*end && !percent) || !(*part > 0 && *part < 1))
        return weft_fail(err, WEFT_BAD_USAGE,
                         "--by is a part above 0 and below 1, such as 10%%, found '%.60s'", text);
    return WEFT_OK;
}

static bool ends_with(const char *text, const char *ending)
{
    size_t length = strlen(text), end = strlen(ending);
    return length > end && strcmp(text + length - end, ending) == 0;
}

static weft_status save(const weft_elasticities *found, const char *path, weft_error *err)
{
    weft_save file;
    WEFT_TRY(weft_save_begin(&file, path, err));
    if (ends_with(path, ".json"))
        weft_elasticity_json(found, file.out);
    else
        weft_elasticity_csv(found, file.out);
    WEFT_TRY(weft_save_end(&file, WEFT_OK, err));
    weft_terminal_tell("wrote %s\n", path);
    return WEFT_OK;
}

static weft_status show(const weft_command *command, weft_sensitivity *sensitivity, weft_error *err)
{
    const sensitivity_flags *own = command->own;
    weft_result *result;
    weft_elasticities found;
    weft_arena arena;
    WEFT_TRY(
        weft_result_open(weft_study_results(weft_sensitivity_study(sensitivity)), &result, err));
    weft_arena_init(&arena);
    weft_status status = weft_elasticity_find(sensitivity, result, own->of, &arena, &found, err);
    if (status == WEFT_OK && command->out)
        status = save(&found, command->out, err);
    if (status == WEFT_OK && command->json)
        weft_elasticity_json(&found, stdout);
    else if (status == WEFT_OK)
        weft_elasticity_print(&found, &arena, stdout, weft_display_width(TABLE_WIDTH));
    weft_arena_done(&arena);
    weft_result_close(result);
    return status;
}

/* <scenario>-sensitivity.weft in the current directory. */
static char *default_results(const char *file)
{
    const char *name = strrchr(file, '/');
    name = name ? name + 1 : file;
    const char *dot = strrchr(name, '.');
    int length = dot && dot != name ? (int)(dot - name) : (int)strlen(name);
    return weft_text_format("%.*s-sensitivity.weft", length, name);
}

static weft_status run_all(const weft_command *command, const weft_sensitivity_options *options,
                           const weft_catalog *catalog, weft_display *display, weft_error *err)
{
    weft_sensitivity *sensitivity;
    WEFT_TRY(weft_sensitivity_open(options, catalog, &sensitivity, err));
    weft_status status = weft_study_run(weft_sensitivity_study(sensitivity), err);
    weft_display_clear(display);
    if (status == WEFT_OK && weft_context_rank(command->context) == 0)
        status = show(command, sensitivity, err);
    weft_sensitivity_close(sensitivity);
    return status;
}

static weft_status run(const weft_command *command, weft_catalog *catalog, weft_error *err)
{
    const sensitivity_flags *own = command->own;
    weft_display display;
    double by;
    WEFT_TRY(read_part(own->by, &by, err));
    WEFT_TRY(weft_elasticity_check(own->of, err));
    WEFT_TRY(weft_save_check(command->out, err));
    if (command->out && !ends_with(command->out, ".csv") && !ends_with(command->out, ".json"))
        return weft_fail(err, WEFT_BAD_USAGE,
                         "-o %.256s: sensitivity writes files that end in .csv or .json",
                         command->out);
    weft_display_init(&display, command->quiet);
    weft_display_heed();
    char *results = default_results(command->names[0]);
    weft_sensitivity_options options = {.study = weft_command_options(command, &display),
                                        .vary = own->vary.n_texts ? own->vary.texts : NULL,
                                        .by = by,
                                        .seeds = own->seeds};
    options.study.file = command->names[0];
    options.study.overrides = command->settings;
    options.study.results = command->results ? command->results : results;
    options.study.keep_going = true;
    weft_status status = run_all(command, &options, catalog, &display, err);
    free(results);
    return status;
}

static const weft_flag own_flags[] = {
    {.name = "--of",
     .value = "NAME",
     .help = "the quantity: mean (default), p99, accepted, completion …; CLASS.p99 of a class",
     .type = WEFT_FLAG_TEXT,
     .offset = offsetof(sensitivity_flags, of)},
    {.name = "--vary",
     .value = "KEY",
     .help = "a setting that is varied; default: all numbers that the scenario gives; may be given "
             "several times",
     .type = WEFT_FLAG_TEXTS,
     .offset = offsetof(sensitivity_flags, vary)},
    {.name = "--by",
     .value = "PART",
     .help = "how much lower and higher; whole numbers step by a whole number, at least by 1",
     .type = WEFT_FLAG_TEXT,
     .offset = offsetof(sensitivity_flags, by),
     .fallback = "10%"},
    {.name = "--seeds",
     .value = "N",
     .help = "runs of every variant, all variants with the same seeds",
     .type = WEFT_FLAG_WHOLE,
     .offset = offsetof(sensitivity_flags, seeds),
     .fallback = "8",
     .min = 2,
     .max = 10000},
    {.name = NULL}};

const weft_verb weft_verb_sensitivity = {
    .name = "sensitivity",
    .arguments = "FILE [key=value …]",
    .brief = "varies each number of a scenario a little and ranks what matters for a quantity",
    .examples =
        "weft sensitivity torus.yaml traffic.all.rho=0.2    # of the mean latency to all numbers\n"
        "weft sensitivity torus.yaml traffic.all.rho=0.2 --of p99 --vary traffic.all.rho --by 5%  "
        "# to one\n",
    .flags = "--plugin --results -o --json --new --jobs --threads --ranks --mpi --blocks --memory "
             "--checkpoint --quiet",
    .least = 1,
    .most = 1,
    .settings = true,
    .own = own_flags,
    .own_size = sizeof(sensitivity_flags),
    .run = run,
};
