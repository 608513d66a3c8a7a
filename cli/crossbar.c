/* SPDX-License-Identifier: Apache-2.0 */
/* weft crossbar: one scheduler on one matrix, a search over many, or how many there are. */
#include "cli/command.h"
#include "cli/terminal.h"
#include "interweft/crossbar.h"
#include "report/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct crossbar_flags {
    int64_t slots, lanes;
} crossbar_flags;
#define AT(member) .offset = offsetof(crossbar_flags, member)

static const weft_flag own[] = {
    {"--slots", "N", "run: slots that are shown; default 24", WEFT_FLAG_WHOLE, AT(slots), .min = 1,
     .max = 100000},
    {"--lanes", "N",
     "search: switches computed at once, 1, 64, 256 or 512; default: as the processor can. Results "
     "do not depend on it",
     WEFT_FLAG_WHOLE, AT(lanes), .min = 1, .max = 512},
    {.name = NULL},
};

static weft_status count(const weft_command *command, weft_crossbar *lab, weft_error *err)
{
    char *text;
    (void)command;
    WEFT_TRY(weft_crossbar_count(lab, &text, err));
    weft_terminal_print(text, stdout);
    free(text);
    return WEFT_OK;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* As weft_display_progress, in matrices or slots. */
static void draw(weft_display *display, const weft_progress *progress, double count,
                 const char *unit)
{
    double now = seconds();
    if (display->quiet || now - display->last < (display->terminal ? 0.2 : 10))
        return;
    display->last = now;
    fprintf(stderr, "%spoint %zu of %zu  %3.0f %%  %.4g %s  %.60s%s",
            display->terminal ? "\r\033[K" : "", progress->point, progress->points,
            100 * progress->share, count, unit, progress->key, display->terminal ? "" : "\n");
    display->drawn = display->terminal;
}

static void draw_matrices(void *user, const weft_progress *progress)
{
    draw(user, progress, progress->packets, "matrices");
}

static void draw_slots(void *user, const weft_progress *progress)
{
    draw(user, progress, (double)progress->time, "slots");
}

static weft_status run_points(const weft_command *command, weft_crossbar *lab, weft_error *err)
{
    weft_display display;
    const crossbar_flags *given = command->own;
    weft_crossbar_view view = {
        .lottery = true, .slots = (uint64_t)given->slots, .progress = draw_slots, .user = &display};
    weft_display_init(&display, command->quiet);
    for (size_t i = 0; i < weft_crossbar_points(lab); i++) {
        char *text;
        weft_status status = weft_crossbar_run(lab, i, &view, &text, err);
        weft_display_clear(&display);
        WEFT_TRY(status);
        if (weft_crossbar_key(lab, i)[0])
            printf("%s%s\n", i ? "\n" : "", weft_crossbar_key(lab, i));
        fputs(text, stdout);
        free(text);
    }
    return WEFT_OK;
}

static weft_status show(const char *path, weft_error *err)
{
    weft_result *result;
    WEFT_TRY(weft_result_open(path, &result, err));
    weft_status status = weft_report_search(result, stdout, err);
    weft_result_close(result);
    if (status == WEFT_OK)
        weft_terminal_tell("results in %s\n", path);
    return status;
}

static weft_status search(const weft_command *command, weft_crossbar *lab, weft_error *err)
{
    weft_display display;
    const crossbar_flags *given = command->own;
    weft_display_init(&display, command->quiet);
    weft_display_heed();
    const char *results = weft_command_results(command);
    weft_crossbar_options options = {.results = results ? results : "crossbar.weft",
                                     .fresh = command->fresh,
                                     .context = command->context,
                                     .threads = command->threads,
                                     .lanes = given->lanes,
                                     .request = weft_display_request,
                                     .progress = draw_matrices,
                                     .user = &display};
    weft_status status = weft_crossbar_search(lab, &options, err);
    weft_display_clear(&display);
    if (status == WEFT_OK && weft_context_rank(command->context) == 0)
        status = show(options.results, err);
    return status;
}

static const struct {
    const char *name;
    weft_status (*act)(const weft_command *command, weft_crossbar *lab, weft_error *err);
    bool all; /* every process takes part; else rank 0 alone */
} actions[] = {{"run", run_points, false}, {"search", search, true}, {"count", count, false}};

/* Rank 0 alone has standard input. */
static weft_status check_input(const weft_command *command, bool all, weft_error *err)
{
    const char *file = command->names[1];
    if (!all || !file || strcmp(file, "-") != 0 || weft_context_size(command->context) == 1)
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT,
                     "with several processes settings are read from a file, not from standard "
                     "input");
}

static weft_status run(const weft_command *command, weft_catalog *catalog, weft_error *err)
{
    size_t which = 0, known = sizeof actions / sizeof *actions;
    while (which < known && strcmp(actions[which].name, command->names[0]) != 0)
        which++;
    if (which == known)
        return weft_fail(err, WEFT_BAD_USAGE, "weft crossbar run, search or count, found '%.64s'",
                         command->names[0]);
    if (!actions[which].all && weft_context_rank(command->context) > 0)
        return WEFT_OK;
    if (actions[which].act != search && (weft_command_results(command) || command->fresh))
        return weft_fail(err, WEFT_BAD_USAGE,
                         "crossbar %s prints its answer and keeps no results: --results, -o and "
                         "--new are for search",
                         actions[which].name);
    weft_crossbar *lab = NULL;
    weft_status status = check_input(command, actions[which].all, err);
    if (status == WEFT_OK)
        status = weft_crossbar_open(command->names[1], command->settings, catalog, &lab, err);
    if (actions[which].all)
        status = weft_context_agree(command->context, status, err);
    if (status == WEFT_OK)
        status = actions[which].act(command, lab, err);
    weft_crossbar_close(lab);
    return status;
}

const weft_verb weft_verb_crossbar = {
    .name = "crossbar",
    .arguments = "run|search|count [FILE] [key=value …]",
    .brief = "a switch scheduler on one workload matrix, or on all of them: its worst case",
    .examples =
        "weft crossbar search scheduler=islip n=3 d=4  # the worst of all workload matrices\n"
        "weft crossbar count n=4 d=8                   # how many there are\n",
    .flags = "--plugin --results -o --new --threads --mpi --quiet",
    .own = own,
    .own_size = sizeof(crossbar_flags),
    .least = 1,
    .most = 2,
    .settings = true,
    .out_is_results = true,
    .run = run,
};
