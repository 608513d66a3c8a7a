/* SPDX-License-Identifier: Apache-2.0 */
/* weft reproduce: published figures and tables, run again and compared. A figure is a study like
 * any other: the same farm, checkpoints and results file; rank 0 compares and speaks. A failed
 * verdict does not keep the figures after it from being run. */
#include "cli/command.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/studies.h"
#include "cli/terminal.h"
#include "interweft/reproduce.h"
#include "report/html.h"
#include "report/save.h"
#include "report/verdicts.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define STUDIES_MOST 1000

typedef struct job {
    const weft_command *command;
    const weft_catalog *catalog;
    const weft_reproduction *book;
    size_t figure;
    weft_effort effort;
    bool speaks;
    const char *folder; /* of the study */
    weft_json *json;    /* a list of figures, if that is wanted */
    char label[160];    /* rexford-shin/fig7 */
    char results[200];  /* rexford-shin-fig7-quick.weft */
    char page[200];     /* rexford-shin-fig7-quick.html */
} job;

/* ---- the list ---- */

static int holds_study(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static void add_study(const weft_reproduction *book, weft_json *json)
{
    weft_json_object(json, NULL);
    weft_json_text(json, "name", weft_reproduction_name(book));
    weft_json_text(json, "title", weft_reproduction_title(book));
    weft_json_text(json, "source", weft_reproduction_source(book));
    weft_json_text(json, "note", weft_reproduction_note(book));
    weft_json_list(json, "figures");
    for (size_t i = 0; i < weft_reproduction_figures(book); i++) {
        weft_json_object(json, NULL);
        weft_json_text(json, "name", weft_reproduction_figure(book, i)->name);
        weft_json_text(json, "title", weft_reproduction_figure(book, i)->title);
        weft_json_end(json);
    }
    weft_json_end(json);
    weft_json_end(json);
}

static void print_study(const weft_reproduction *book)
{
    weft_text text;
    const char *name = weft_reproduction_name(book);
    weft_text_init(&text);
    weft_text_add(&text, "%s: %s\n  %s\n", name, weft_reproduction_title(book),
                  weft_reproduction_source(book));
    if (*weft_reproduction_note(book))
        weft_text_add(&text, "  %s\n", weft_reproduction_note(book));
    for (size_t i = 0; i < weft_reproduction_figures(book); i++) {
        const weft_figure *figure = weft_reproduction_figure(book, i);
        weft_text_add(&text, "    %s/%s  %s\n", name, figure->name, figure->title);
    }
    weft_terminal_print(text.at, stdout);
    weft_text_done(&text);
}

static weft_status list_one(const char *studies, const char *name, const weft_command *command,
                            weft_json *json, weft_error *err)
{
    char folder[PATH_MAX], file[PATH_MAX + 16];
    weft_reproduction *book = NULL;
    (void)snprintf(folder, sizeof folder, "%.3000s/%.255s", studies, name);
    (void)snprintf(file, sizeof file, "%s/study.yaml", folder);
    if (access(file, F_OK) != 0)
        return WEFT_OK;
    WEFT_TRY(weft_reproduction_open(folder, command->context, &book, err));
    if (command->json)
        add_study(book, json);
    else if (weft_context_rank(command->context) == 0)
        print_study(book);
    weft_reproduction_close(book);
    return WEFT_OK;
}

static weft_status list_all(const char *studies, const weft_command *command, weft_error *err)
{
    struct dirent **entries;
    int count = scandir(studies, &entries, holds_study, alphasort);
    if (count < 0)
        return weft_fail(err, WEFT_BAD_INPUT, "%.2000s cannot be read: %s", studies,
                         strerror(errno));
    weft_status status = WEFT_OK;
    weft_json json;
    weft_json_init(&json);
    weft_json_list(&json, NULL);
    for (int i = 0; i < count; i++) {
        if (status == WEFT_OK && i < STUDIES_MOST)
            status = list_one(studies, entries[i]->d_name, command, &json, err);
        free(entries[i]);
    }
    free(entries);
    weft_json_end(&json);
    if (status == WEFT_OK && command->json && weft_context_rank(command->context) == 0)
        fputs(json.text.at, stdout);
    weft_json_done(&json);
    return status;
}

/* ---- one figure ---- */

/* The page is an extra: a program built without it says so and goes on. */
static void write_page(const job *j, weft_comparison *comparison, weft_result *result)
{
    weft_error err = {.text = ""};
    weft_status status = weft_comparison_overlay(comparison, j->book, j->figure, j->catalog, &err);
    weft_report_verdict *rows;
    size_t count = weft_report_verdict_rows(comparison, j->label, &rows);
    const char *names[] = {j->results};
    weft_report_page page = {.title = comparison->figure->title,
                             .n_results = 1,
                             .results = &result,
                             .names = names,
                             .n_verdicts = count,
                             .verdicts = rows,
                             .n_charts = comparison->n_charts,
                             .charts = comparison->charts};
    weft_save out;
    if (status == WEFT_OK)
        status = weft_save_begin(&out, j->page, &err);
    if (status == WEFT_OK)
        status = weft_save_end(&out, weft_report_html(&page, weft_save_write, &out, &err), &err);
    if (status == WEFT_OK)
        weft_terminal_tell("report in %s\n", j->page);
    else
        weft_terminal_tell("no report page: %s\n", err.text);
    free(rows);
}

/* studies/NAME/recorded/FIGURE.csv */
static weft_status record(const job *j, const weft_comparison *comparison, weft_error *err)
{
    char path[PATH_MAX], date[16] = "";
    time_t now = time(NULL);
    struct tm today;
    weft_save out;
    if (gmtime_r(&now, &today))
        (void)strftime(date, sizeof date, "%Y-%m-%d", &today);
    (void)snprintf(path, sizeof path, "%.3800s/recorded", j->folder);
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return weft_fail(err, WEFT_BAD_INPUT, "cannot make %.2000s: %s", path, strerror(errno));
    (void)snprintf(path, sizeof path, "%.3800s/recorded/%s.csv", j->folder,
                   comparison->figure->name);
    WEFT_TRY(weft_save_begin(&out, path, err));
    WEFT_TRY(weft_save_end(
        &out, weft_comparison_export(comparison, date, weft_save_write, &out, err), err));
    weft_terminal_tell("recorded in %s\n", path);
    return WEFT_OK;
}

static weft_status compare(const job *j, weft_error *err)
{
    weft_result *result;
    weft_comparison *comparison = NULL;
    WEFT_TRY(weft_result_open(j->results, &result, err));
    weft_status status =
        weft_reproduction_compare(j->book, j->figure, j->effort, result, &comparison, err);
    if (status == WEFT_OK) {
        if (j->json)
            weft_report_verdicts_json(comparison, j->label, j->results, j->json);
        else
            weft_report_verdicts(comparison, j->label, stdout,
                                 weft_display_width(WEFT_DISPLAY_WIDE));
        (void)fflush(stdout);
        weft_terminal_tell("results in %s\n", j->results);
        write_page(j, comparison, result);
        if (j->command->record)
            status = record(j, comparison, err);
        if (status == WEFT_OK && comparison->verdict == WEFT_DISAGREES)
            status = weft_fail(err, WEFT_BAD_INPUT, "%s disagrees", j->label);
    }
    weft_comparison_destroy(comparison);
    weft_result_close(result);
    return status;
}

static weft_status run_study(const job *j, weft_error *err)
{
    weft_display display;
    weft_display_init(&display, j->command->quiet);
    weft_display_heed();
    weft_study_options how = weft_command_options(j->command, &display);
    how.results = j->results;
    weft_status status =
        weft_reproduction_run(j->book, j->figure, j->effort, &how, j->catalog, err);
    weft_display_clear(&display);
    return status;
}

/* A failure of the study is everybody's; what rank 0 finds wrong afterwards is only told, in
 * *failed. */
static weft_status run_figure(job *j, size_t figure, bool *failed, weft_error *err)
{
    const char *study = weft_reproduction_name(j->book),
               *suffix = j->effort == WEFT_QUICK ? "-quick" : "";
    const char *name = weft_reproduction_figure(j->book, figure)->name;
    weft_error found = {.text = ""};
    j->figure = figure;
    (void)snprintf(j->label, sizeof j->label, "%.64s/%.64s", study, name);
    (void)snprintf(j->results, sizeof j->results, "%.64s-%.64s%s.weft", study, name, suffix);
    (void)snprintf(j->page, sizeof j->page, "%.64s-%.64s%s.html", study, name, suffix);
    WEFT_TRY(run_study(j, err));
    if (j->speaks && compare(j, &found) != WEFT_OK) {
        fprintf(stderr, "%s\n", found.text);
        *failed = true;
    }
    return WEFT_OK;
}

/* ---- the verb ---- */

/* Is a figure meant: NULL means all, a name the figure itself and those that go on from it after
 * a dash. */
static bool is_meant(const char *figure, const char *name)
{
    size_t length = name ? strlen(name) : 0;
    return !name || (strncmp(figure, name, length) == 0 &&
                     (figure[length] == '\0' || figure[length] == '-'));
}

static weft_status check_name(const weft_reproduction *book, const char *name, weft_error *err)
{
    char known[1000] = "";
    for (size_t i = 0; i < weft_reproduction_figures(book); i++) {
        const char *own = weft_reproduction_figure(book, i)->name;
        size_t used = strlen(known);
        if (is_meant(own, name))
            return WEFT_OK;
        (void)snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "", own);
    }
    return weft_fail(err, WEFT_BAD_INPUT, "%s has no figure '%.64s' (it has %s)",
                     weft_reproduction_name(book), name, known);
}

static weft_status run_book(job *j, const char *figure_name, weft_error *err)
{
    bool failed = false;
    WEFT_TRY(check_name(j->book, figure_name, err));
    for (size_t i = 0; i < weft_reproduction_figures(j->book); i++)
        if (is_meant(weft_reproduction_figure(j->book, i)->name, figure_name))
            WEFT_TRY(run_figure(j, i, &failed, err));
    err->text[0] = '\0'; /* it has been told */
    return failed ? WEFT_BAD_INPUT : WEFT_OK;
}

/* What is run of the book, as text or as one list in JSON. */
static weft_status answer(job *j, weft_error *err)
{
    const char *slash = strchr(j->command->names[0], '/');
    const char *figure = slash && slash[1] ? slash + 1 : NULL;
    weft_json json;
    if (!j->command->json)
        return run_book(j, figure, err);
    weft_json_init(&json);
    weft_json_list(&json, NULL);
    j->json = &json;
    weft_status status = run_book(j, figure, err);
    j->json = NULL;
    weft_json_end(&json);
    if (j->speaks)
        (void)fputs(json.text.at, stdout);
    weft_json_done(&json);
    return status;
}

static weft_status open_book(const char *studies, const char *name, const weft_command *command,
                             char folder[PATH_MAX], weft_reproduction **book, weft_error *err)
{
    size_t length = strcspn(name, "/");
    (void)snprintf(folder, PATH_MAX, "%.3000s/%.*s", studies, (int)(length < 255 ? length : 255),
                   name);
    if (length == 0 || name[0] == '.' || !weft_studies_is_folder(folder))
        return weft_fail(err, WEFT_BAD_INPUT,
                         "there is no study '%.*s' in %.2000s; `weft reproduce` lists them all",
                         (int)(length < 64 ? length : 64), name, studies);
    return weft_reproduction_open(folder, command->context, book, err);
}

static weft_status reproduce(const weft_command *command, weft_catalog *catalog, weft_error *err)
{
    char studies[PATH_MAX], folder[PATH_MAX];
    weft_reproduction *book = NULL;
    const char *name = command->names[0];
    if (command->quick && command->full)
        return weft_fail(err, WEFT_BAD_USAGE, "--quick and --full exclude each other");
    if (command->record && !command->full)
        return weft_fail(err, WEFT_BAD_USAGE, "only full runs are recorded: --full --record");
    WEFT_TRY(weft_studies_find(studies, err));
    if (!name)
        return list_all(studies, command, err);
    WEFT_TRY(open_book(studies, name, command, folder, &book, err));
    job j = {.command = command,
             .catalog = catalog,
             .book = book,
             .effort = command->full ? WEFT_FULL : WEFT_QUICK,
             .speaks = weft_context_rank(command->context) == 0,
             .folder = folder};
    weft_status status = answer(&j, err);
    weft_reproduction_close(book);
    return status;
}

const weft_verb weft_verb_reproduce = {
    .name = "reproduce",
    .arguments = "[NAME[/FIGURE]]",
    .brief = "published figures, run again and compared; without a name: which there are",
    .examples = "weft reproduce                      # which there are\n"
                "weft reproduce rexford-shin         # its quick part\n"
                "weft reproduce zheng/table4 --full  # one table, all of it\n",
    .flags = "--json --quick --full --record --plugin --new --jobs --threads --ranks --mpi "
             "--blocks --memory "
             "--checkpoint --quiet",
    .most = 1,
    .run = reproduce,
};
