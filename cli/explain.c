/* SPDX-License-Identifier: Apache-2.0 */
/* weft explain: why a point is slow; of jobs, what decided when they ended, as text and as a
 * picture of ranks over time. */
#include "cli/command.h"
#include "cli/slow.h"
#include "cli/terminal.h"
#include "interweft/compare.h"
#include "report/explain/explain.h"
#include "report/explain/wait_tree.h"
#include "report/explain/why.h"
#include "report/save.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct explain_flags {
    int64_t steps;
    const char *trace, *folder;
    bool tries;
} explain_flags;

static const weft_flag own[] = {
    {"--steps", "N", "steps of a critical path that are listed, from its end back", WEFT_FLAG_WHOLE,
     .offset = offsetof(explain_flags, steps), .fallback = "8", .min = 0, .max = 1e9},
    {"--trace", "PACKET",
     "the journey of a packet (ENDPOINT:MESSAGE), of the slowest, or of N of these", WEFT_FLAG_TEXT,
     .offset = offsetof(explain_flags, trace)},
    {"--try", NULL, "tries settings that might lift it, one at a time, and ranks them",
     WEFT_FLAG_SWITCH, .offset = offsetof(explain_flags, tries)},
    {"--folder", "FOLDER", "where the files are that the scenario names; default: beside RESULTS",
     WEFT_FLAG_TEXT, .offset = offsetof(explain_flags, folder)},
    {.name = NULL},
};

static void say_written(const weft_command *command)
{
    if (command->svg)
        weft_terminal_tell("wrote %s\n", command->svg);
    if (command->png)
        weft_terminal_tell("wrote %s\n", command->png);
}

static weft_status put(const weft_command *command, weft_result *result, weft_error *err)
{
    const explain_flags *flags = command->own;
    const char *flag = command->json  ? "--json"
                       : flags->trace ? "--trace"
                       : flags->tries ? "--try"
                                      : NULL;
    if (flag)
        return weft_fail(err, WEFT_BAD_USAGE, "%s is for points without jobs; %s has jobs", flag,
                         weft_result_path(result));
    if (!command->svg && !command->png)
        return weft_explain_print(result, (size_t)flags->steps, stdout, err);
    WEFT_TRY(weft_save_check(command->svg, err));
    WEFT_TRY(weft_save_check(command->png, err));
    WEFT_TRY(weft_explain_draw(result, command->svg, command->png, err));
    if (weft_result_points(result) > 1)
        fprintf(stderr, "%zu points: the first one is drawn; RESULTS@key=value chooses another\n",
                weft_result_points(result));
    say_written(command);
    return WEFT_OK;
}

static weft_status draw_tree(const weft_command *command, const weft_why *why, const char *title,
                             weft_error *err)
{
    WEFT_TRY(weft_save_check(command->svg, err));
    WEFT_TRY(weft_save_check(command->png, err));
    WEFT_TRY(weft_wait_tree_draw(why, title, command->svg, command->png, err));
    say_written(command);
    return WEFT_OK;
}

/* One of both, or both. */
static void print_why(const weft_why *why, const weft_why_trial *trial)
{
    weft_terminal_sheet sheet;
    weft_terminal_begin(&sheet);
    if (why)
        weft_explain_why(why, sheet.file);
    if (trial)
        weft_explain_trial(trial, sheet.file);
    weft_terminal_end(&sheet);
}

/* A journey is text alone. */
static weft_status check_trace(const weft_command *command, weft_error *err)
{
    const explain_flags *flags = command->own;
    const char *other = command->json  ? "--json"
                        : command->svg ? "--svg"
                        : command->png ? "--png"
                        : flags->tries ? "--try"
                                       : NULL;
    if (!flags->trace || !other)
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_USAGE, "--trace prints text; %s does not go with it", other);
}

/* Why a point without jobs is slow. */
static weft_status tell_why(const weft_command *command, const weft_catalog *catalog,
                            weft_result *result, weft_error *err)
{
    weft_display display;
    size_t point;
    weft_why *why;
    weft_display_init(&display, command->quiet);
    weft_display_heed();
    const explain_flags *flags = command->own;
    WEFT_TRY(check_trace(command, err));
    if (flags->trace)
        return weft_slow_trace(result, flags->trace, flags->folder, catalog, &display, err);
    WEFT_TRY(weft_slow_point(result, &point, err));
    weft_why_options options = weft_slow_options(&display);
    options.folder = flags->folder;
    weft_status status = weft_why_find(result, point, catalog, &options, &why, err);
    weft_why_trial *trial = NULL;
    if (status == WEFT_OK && flags->tries)
        status = weft_why_try(result, point, catalog, &options, &trial, err);
    weft_display_clear(&display);
    if (status == WEFT_OK && (command->svg || command->png))
        status = draw_tree(command, why, weft_result_title(result), err);
    else if (status == WEFT_OK && !command->json)
        print_why(why, NULL);
    if (status == WEFT_OK && command->json)
        weft_explain_why_json(why, trial, stdout);
    if (status == WEFT_OK && trial && !command->json)
        print_why(NULL, trial);
    weft_why_trial_destroy(trial);
    weft_why_destroy(why);
    return status;
}

/* Only runs have packets that wait. */
static weft_status check_kind(const weft_result *result, weft_error *err)
{
    const char *text = weft_result_scenario(result);
    const char *held = strncmp(text, "model: ", 7) == 0       ? "answers of a model"
                       : strstr(text, "\nsaturate: ") != NULL ? "a search for saturation"
                                                              : NULL;
    if (!held)
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT,
                     "%s holds %s, and explain is for what weft run or weft study has run",
                     weft_result_path(result), held);
}

static weft_status explain(const weft_command *command, weft_catalog *catalog, weft_error *err)
{
    const char *name = command->names[0];
    const char *at = access(name, F_OK) == 0 ? NULL : strchr(name, '@');
    char *path = strndup(name, at ? (size_t)(at - name) : strlen(name));
    weft_result *result = NULL;
    weft_status status = path ? weft_result_open(path, &result, err)
                              : weft_fail(err, WEFT_BAD_INPUT, "out of memory");
    if (status == WEFT_OK && at)
        status = weft_compare_select(result, at + 1, err);
    if (status == WEFT_OK && command->n_names > 1)
        status = weft_compare_select(result, command->names[1], err);
    if (status == WEFT_OK && weft_result_points(result) == 0)
        status = weft_fail(err, WEFT_BAD_INPUT, "%s has no points", path);
    if (status == WEFT_OK)
        status = check_kind(result, err);
    if (status == WEFT_OK)
        status = weft_explain_has_jobs(result) ? put(command, result, err)
                                               : tell_why(command, catalog, result, err);
    if (result)
        weft_result_close(result);
    free(path);
    return status;
}

const weft_verb weft_verb_explain = {
    .name = "explain",
    .arguments = "RESULTS[@key=value] [POINT]",
    .brief = "why a point is slow; of jobs: their critical paths, and a picture of their ranks",
    .examples = "weft explain vcs.weft load=0.5                    # why this point is slow\n"
                "weft explain vcs.weft --trace slowest             # where its slowest packet "
                "waited\n"
                "weft explain vcs.weft --try                       # and what would help\n"
                "weft explain mix.weft                             # shares and messages of each "
                "path\n"
                "weft explain mix.weft@seed=2 --steps 40           # one point, more steps\n"
                "weft explain mix.weft --png ranks.png             # ranks over time\n",
    .flags = "--json --svg --png -o --plugin",
    .by_ending = true,
    .least = 1,
    .most = 2,
    .own = own,
    .own_size = sizeof(explain_flags),
    .run = explain,
};
