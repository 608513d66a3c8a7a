/* SPDX-License-Identifier: Apache-2.0 */
/* weft compare: results, the results of scenarios, or selected points of them, side by side.
 *
 * Exit status: 0 whatever was found; with --same 1 if anything differs by more than chance
 * explains over all rows, or a point has no counterpart; 1 and 2 as everywhere for wrong input and
 * usage. */
#include "base/arena.h"
#include "base/file.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "report/compare.h"
#include "report/figure/curve.h"
#include "report/save.h"
#include "report/table.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define METRICS_MAX 32

typedef struct compare_flags {
    const char *metrics, *pdf;
    double confidence;
    bool all, same;
} compare_flags;
#define AT(member) .offset = offsetof(compare_flags, member)

static const weft_flag own[] = {
    {"--metric", "NAMES", "metrics as results name them, or p99, with commas between them",
     WEFT_FLAG_TEXT, AT(metrics)},
    {"--all", NULL, "every metric that has an interval", WEFT_FLAG_SWITCH, AT(all)},
    {"--confidence", "C", "of the verdicts, below 1", WEFT_FLAG_NUMBER, AT(confidence),
     .fallback = "0.95", .min = 0.5, .max = 0.999999},
    {"--same", NULL, "exit with status 1 if anything differs by more than chance", WEFT_FLAG_SWITCH,
     AT(same)},
    {"--pdf", "FILE", "write the picture as PDF", WEFT_FLAG_TEXT, AT(pdf)},
    {.name = NULL},
};

typedef struct sides {
    const weft_command *command;
    const weft_catalog *catalog;
    size_t count;
    weft_result *results[WEFT_COMPARE_SIDES];
    const char *paths[WEFT_COMPARE_SIDES]; /* without selections, for the picture */
    weft_arena arena;                      /* of the paths */
} sides;

static bool is_results(const char *path)
{
    char start[16] = "";
    size_t length = strlen(path);
    bool named =
        length > 5 && strcmp(path + length - 5, ".weft") == 0; /* counts if it cannot be read */
    uint64_t size;
    weft_error ignored;
    int fd;
    if (weft_bytes_open(path, UINT64_MAX, "results", &fd, &size, &ignored) != WEFT_OK)
        return named;
    ptrdiff_t got = weft_bytes_fill(fd, start, sizeof start - 1);
    (void)close(fd);
    if (got < 0)
        return named;
    return got == sizeof start - 1 && strcmp(start, "SQLite format 3") == 0;
}

/* The results file of a scenario, in place of its name. */
static weft_status find_results(sides *all, const char **path, weft_error *err)
{
    weft_study *study;
    weft_display display;
    weft_display_init(&display, true);
    weft_study_options options = weft_command_options(all->command, &display);
    options.file = *path;
    WEFT_TRY(weft_study_open(&options, all->catalog, &study, err));
    const char *results = weft_study_results(study);
    results = weft_arena_copy(&all->arena, results, strlen(results));
    weft_study_close(study);
    weft_status status = WEFT_OK;
    if (access(results, F_OK) != 0)
        status =
            weft_fail(err, WEFT_BAD_INPUT, "%s has no results yet: `weft run %s` writes them to %s",
                      *path, *path, results);
    *path = results;
    return status;
}

/* "torus.weft@selection=diagonal": a results file or a scenario, and which of its points. */
static weft_status open_side(sides *all, const char *name, weft_error *err)
{
    const char *at = access(name, F_OK) == 0 ? NULL : strchr(name, '@');
    const char *path = weft_arena_copy(&all->arena, name, at ? (size_t)(at - name) : strlen(name));
    size_t side = all->count++;
    if (!is_results(path))
        WEFT_TRY(find_results(all, &path, err));
    all->paths[side] = path;
    WEFT_TRY(weft_result_open(path, &all->results[side], err));
    return at ? weft_compare_select(all->results[side], at + 1, err) : WEFT_OK;
}

static weft_status draw(const sides *all, weft_error *err)
{
    const weft_command *command = all->command;
    const compare_flags *given = command->own;
    const weft_curves_request figure = {
        .svg = command->svg, .png = command->png, .pdf = given->pdf, .tex = command->tex};
    const char *const files[] = {figure.svg, figure.png, figure.pdf, figure.tex};
    bool any = false;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        any = any || files[i];
        WEFT_TRY(weft_save_check(files[i], err));
    }
    if (!any)
        return WEFT_OK;
    WEFT_TRY(
        weft_curves_draw(all->results, (const char *const *)all->paths, all->count, &figure, err));
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (files[i])
            weft_terminal_tell("wrote %s\n", files[i]);
    return WEFT_OK;
}

/* "latency,p99" at its commas. */
static weft_status split(char *text, const char *names[METRICS_MAX + 1], weft_error *err)
{
    size_t count = 0;
    char *rest = NULL;
    for (char *name = strtok_r(text, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
        if (count == METRICS_MAX)
            return weft_fail(err, WEFT_BAD_USAGE,
                             "--metric takes at most %d names; --all takes all", METRICS_MAX);
        names[count++] = name;
    }
    names[count] = NULL;
    return WEFT_OK;
}

static bool any_match(const weft_compare_sheet *sheet)
{
    for (size_t i = 0; i < sheet->n_points; i++)
        for (size_t s = 1; s < sheet->n_sides; s++)
            if (sheet->points[i].at[0] != WEFT_COMPARE_NONE &&
                sheet->points[i].at[s] != WEFT_COMPARE_NONE)
                return true;
    return false;
}

/* Is there a row of every metric that was asked for? */
static weft_status check_metrics(const weft_compare_sheet *sheet, const char *const *names,
                                 weft_error *err)
{
    for (; *names; names++) {
        size_t i = 0;
        while (i < sheet->n_rows && strcmp(sheet->rows[i].ours.name, *names) != 0 &&
               strcmp(sheet->metrics[sheet->rows[i].metric], *names) != 0)
            i++;
        if (i == sheet->n_rows)
            return weft_fail(
                err, WEFT_BAD_INPUT,
                "no points that match have both a metric '%.64s'; `weft export %.512s` "
                "shows which there are",
                *names, weft_result_path(sheet->sides[0]));
    }
    return WEFT_OK;
}

static void print(const sides *all, const weft_compare_sheet *sheet)
{
    if (all->command->json)
        weft_report_compare_json(sheet, all->command->names, stdout);
    else
        weft_report_compare(sheet, all->command->names, stdout,
                            weft_display_width(WEFT_TABLE_WIDTH));
}

static weft_status show(const sides *all, const weft_compare_sheet *sheet,
                        const char *const *metrics, weft_error *err)
{
    const compare_flags *given = all->command->own;
    bool any = any_match(sheet);
    if (any)
        WEFT_TRY(check_metrics(sheet, metrics, err));
    WEFT_TRY(draw(all, err));
    print(all, sheet);
    if (!any)
        return weft_fail(err, WEFT_BAD_INPUT, "no point of %.512s has a counterpart elsewhere",
                         all->command->names[0]);
    if (given->same && weft_compare_differs(sheet))
        return weft_fail(err, WEFT_BAD_INPUT, "the results differ");
    return WEFT_OK;
}

static weft_status compare(const sides *all, weft_error *err)
{
    const compare_flags *given = all->command->own;
    const char *names[METRICS_MAX + 1] = {NULL};
    char *text = strdup(given->metrics ? given->metrics : "");
    weft_compare_sheet *sheet = NULL;
    weft_compare_options options = {
        .confidence = given->confidence, .metrics = names, .all = given->all};
    weft_status status =
        text ? split(text, names, err) : weft_fail(err, WEFT_BAD_INPUT, "out of memory");
    if (status == WEFT_OK)
        status = weft_compare_make(all->results, all->count, &options, &sheet, err);
    if (status == WEFT_OK)
        status = show(all, sheet, names, err);
    weft_compare_destroy(sheet);
    free(text);
    return status;
}

static weft_status run(const weft_command *command, weft_catalog *catalog, weft_error *err)
{
    sides all = {.command = command, .catalog = catalog};
    weft_status status = WEFT_OK;
    weft_arena_init(&all.arena);
    for (size_t i = 0; i < command->n_names && status == WEFT_OK; i++)
        status = open_side(&all, command->names[i], err);
    if (status == WEFT_OK)
        status = compare(&all, err);
    for (size_t i = 0; i < all.count; i++)
        weft_result_close(all.results[i]);
    weft_arena_done(&all.arena);
    return status;
}

const weft_verb weft_verb_compare = {
    .name = "compare",
    .arguments = "A B …",
    .brief =
        "results, scenarios or FILE@key=value side by side: what differs, and by more than chance?",
    .examples =
        "weft compare torus.weft small.weft                # which settings and answers differ?\n"
        "weft compare torus.weft@routing.selection=random torus.weft@routing.selection=diagonal  # "
        "two curves of one file\n"
        "weft compare torus.weft small.weft -o both.svg    # as a picture\n",
    .flags = "--json --svg --png --tex -o --plugin",
    .by_ending = true,
    .own = own,
    .own_size = sizeof(compare_flags),
    .least = 2,
    .most = WEFT_COMPARE_SIDES,
    .run = run,
};
