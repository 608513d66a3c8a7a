/* SPDX-License-Identifier: Apache-2.0 */
/* weft study: all scenarios of a study file, then its page, figures and numbers; weft study status:
 * how far it is. */
#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/running.h"
#include "cli/slurm.h"
#include "cli/terminal.h"
#include "report/evaluation/exhibit.h"
#include "report/save.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- files ---- */

/* "a/paper.yaml" and "-figures" give "paper-figures", in the folder of -o if there is one. */
static char *file_of(const weft_command *command, const char *file, const char *ending)
{
    const char *name = strrchr(file, '/'), *folder = command->out;
    name = name ? name + 1 : file;
    const char *dot = strrchr(name, '.');
    int length = dot && dot != name ? (int)(dot - name) : (int)strlen(name);
    return weft_text_format("%s%s%.*s%s", folder ? folder : "", folder ? "/" : "", length, name,
                            ending);
}

static weft_status make_folder(const char *path, weft_error *err)
{
    struct stat there;
    if (mkdir(path, 0777) == 0 ||
        (errno == EEXIST && stat(path, &there) == 0 && S_ISDIR(there.st_mode)))
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT, "cannot make the folder %.256s: %s", path,
                     strerror(errno));
}

static weft_status save_page(weft_evaluation *evaluation, weft_result *combined, const char *folder,
                             const char *path, weft_error *err)
{
    weft_text html;
    weft_save file;
    weft_text_init(&html);
    weft_status status = weft_exhibit_page(evaluation, combined, folder, &html, stderr, err);
    if (status == WEFT_OK)
        status = weft_save_begin(&file, path, err);
    if (status == WEFT_OK)
        status = weft_save_end(&file, weft_save_write(&file, html.at, html.length, err), err);
    weft_text_done(&html);
    if (status == WEFT_OK)
        weft_terminal_tell("wrote %s\n", path);
    return status;
}

static weft_status save_csv(weft_result *combined, const char *path, weft_error *err)
{
    weft_save file;
    WEFT_TRY(weft_save_begin(&file, path, err));
    weft_status status = weft_result_export(combined, WEFT_FORMAT_CSV, weft_save_write, &file, err);
    WEFT_TRY(weft_save_end(&file, status, err));
    weft_terminal_tell("wrote %s\n", path);
    return WEFT_OK;
}

/* Figures, numbers and the page of what is there. */
static weft_status show(const weft_command *command, const char *file, weft_evaluation *evaluation,
                        weft_error *err)
{
    weft_result *combined;
    char *folder = file_of(command, file, "-figures"), *page = file_of(command, file, ".html");
    char *csv = file_of(command, file, ".csv");
    weft_status status = make_folder(folder, err);
    if (status == WEFT_OK)
        status = weft_exhibit_combine(evaluation, &combined, err);
    if (status == WEFT_OK) {
        status = save_csv(combined, csv, err);
        if (status == WEFT_OK)
            status = save_page(evaluation, combined, folder, page, err);
        weft_result_close(combined);
    }
    free(csv);
    free(page);
    free(folder);
    return status;
}

/* ---- status ---- */

typedef struct tally {
    size_t points, done, failed, running;
    double left, took, estimated; /* seconds of one core: of the rest; of what is done, and its
                                     estimate */
} tally;

/* "scenario=torus series=minimal" of a key. */
static size_t group_length(const char *key)
{
    size_t length = strcspn(key, " ");
    if (strncmp(key + length, " series=", 8) == 0)
        length += 1 + strcspn(key + length + 1, " ");
    return length;
}

static void count(tally *t, const weft_point_survey *survey, const weft_running_row *running)
{
    t->points++;
    t->done += survey->state == WEFT_POINT_DONE;
    t->failed += survey->state == WEFT_POINT_FAILED && !running; /* it may be tried again */
    if (survey->state == WEFT_POINT_DONE) {
        t->took += survey->took;
        t->estimated += survey->seconds;
        return;
    }
    t->running += running != NULL;
    t->left += survey->seconds * (running ? 1 - running->share : 1);
}

static const weft_running_row *row_of(const weft_running *running, const char *key)
{
    for (size_t i = 0; i < running->n_rows; i++)
        if (strcmp(running->rows[i].key, key) == 0)
            return &running->rows[i];
    return NULL;
}

static void print_span(double seconds)
{
    if (seconds < 1)
        printf("a second");
    else if (seconds < 100)
        printf("%.0f s", seconds);
    else
        printf(seconds < 6000 ? "%.0f min" : "%.1f h", seconds / (seconds < 6000 ? 60 : 3600));
}

static void print_row(const char *group, int length, const tally *t)
{
    printf("%-44.*s %7zu %7zu %7zu %7zu\n", length < 44 ? length : 44, group, t->done, t->running,
           t->failed, t->points - t->done - t->running - t->failed);
}

/* What is left takes as much longer than estimated as what is done took; on all cores. */
static void print_rest(const tally *all, bool alive)
{
    double factor = all->took > 0 && all->estimated > 0 ? all->took / all->estimated : 1;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t open = all->points - all->done;
    double at_once = (double)(cores < 1 ? 1 : (size_t)cores < open ? (size_t)cores : open);
    if (open == 0) {
        printf("All points are done.\n");
        return;
    }
    printf("%s; what is left takes about ", alive ? "Running" : "Not running");
    print_span(all->left * factor / at_once);
    printf(" on %.0f core%s (%s).\n", at_once, at_once > 1 ? "s" : "",
           all->took > 0 ? "estimates, scaled by the points that are done" : "estimates");
}

static void print_status(weft_study *study, const weft_point_survey *survey,
                         const weft_running *running, bool alive)
{
    tally all = {0};
    size_t points = weft_study_points(study);
    printf("%-44s %7s %7s %7s %7s\n", "", "done", "running", "failed", "open");
    for (size_t i = 0; i < points;) {
        const char *group = weft_study_point_key(study, i);
        size_t length = group_length(group);
        tally t = {0};
        for (; i < points && group_length(weft_study_point_key(study, i)) == length &&
               strncmp(weft_study_point_key(study, i), group, length) == 0;
             i++) {
            count(&t, &survey[i], row_of(running, weft_study_point_key(study, i)));
            count(&all, &survey[i], row_of(running, weft_study_point_key(study, i)));
        }
        print_row(group, (int)length, &t);
    }
    print_row("all", 3, &all);
    for (size_t i = 0; i < points; i++)
        if (survey[i].state == WEFT_POINT_FAILED)
            printf("failed: %s: %s\n", weft_study_point_key(study, i), survey[i].why);
    print_rest(&all, alive);
}

/* A job whose parts are not collected yet; what cannot be asked here is not told. */
static void print_slurm(const char *results)
{
    weft_slurm_view view;
    weft_error ignored;
    bool there;
    char *folder = weft_slurm_folder(results);
    if (weft_slurm_look(folder, &view, &there, &ignored) == WEFT_OK && there) {
        char *state = weft_cluster_describe(&view);
        printf("Job %s of Slurm, to be collected: %s.\n", view.job, state);
        free(state);
    }
    free(folder);
}

static weft_status status_of(weft_evaluation *evaluation, weft_error *err)
{
    weft_study *study = weft_evaluation_study(evaluation);
    weft_point_survey *survey = weft_alloc(weft_study_points(study) * sizeof *survey);
    weft_status status = weft_study_survey(study, survey, err);
    if (status == WEFT_OK) {
        weft_running running;
        bool alive = weft_running_read(&running, weft_study_results(study));
        print_status(study, survey, &running, alive);
        print_slurm(weft_study_results(study));
        weft_running_done(&running);
    }
    free(survey);
    return status;
}

/* ---- run ---- */

/* Points that failed are said at the end, and by the exit status. */
static weft_status judge(weft_evaluation *evaluation, weft_error *err)
{
    weft_study *study = weft_evaluation_study(evaluation);
    size_t points = weft_study_points(study), failed = 0, first = 0;
    weft_point_survey *survey = weft_alloc(points * sizeof *survey);
    weft_status status = weft_study_survey(study, survey, err);
    for (size_t i = points; i-- > 0 && status == WEFT_OK;)
        if (survey[i].state == WEFT_POINT_FAILED) {
            failed++;
            first = i;
        }
    if (failed > 0)
        status = weft_fail(err, WEFT_BROKEN, "%zu of %zu points failed, such as %.200s: %.240s",
                           failed, points, weft_study_point_key(study, first), survey[first].why);
    free(survey);
    return status;
}

static weft_status run_points(const weft_command *command, const char *file,
                              weft_evaluation *evaluation, weft_display *display, weft_error *err)
{
    bool complete;
    WEFT_TRY(weft_cluster_run(command, weft_evaluation_study(evaluation), display, &complete, err));
    if (weft_context_rank(command->context) > 0 || !complete || command->part)
        return WEFT_OK;
    WEFT_TRY(show(command, file, evaluation, err));
    weft_terminal_tell("results in %s\n", weft_study_results(weft_evaluation_study(evaluation)));
    return judge(evaluation, err);
}

static weft_status run(const weft_command *command, weft_catalog *catalog, weft_error *err)
{
    bool asks = command->n_names == 2, speaks = weft_context_rank(command->context) == 0;
    const char *file = command->names[asks];
    weft_evaluation *evaluation;
    weft_running running;
    if (asks && strcmp(command->names[0], "status") != 0)
        return weft_fail(err, WEFT_BAD_USAGE,
                         "weft study FILE, or weft study status FILE; found "
                         "'%.64s'",
                         command->names[0]);
    if (command->out && !asks)
        WEFT_TRY(make_folder(command->out, err));
    char *results = file_of(command, file, ".weft");
    const char *written = command->results ? command->results : results;
    weft_running_init(&running, command->quiet, command->part ? command->part : written);
    running.display.part = speaks ? command->part : NULL;
    weft_study_options options = weft_command_options(command, &running.display);
    options.file = file;
    options.overrides = command->settings;
    options.results = written;
    options.progress = weft_running_progress;
    options.finished = weft_running_finished;
    evaluation = NULL;
    weft_status status = weft_cluster_options(command, &options, err);
    if (status == WEFT_OK)
        status = weft_evaluation_open(&options, catalog, &evaluation, err);
    if (status == WEFT_OK && asks) {
        status = speaks ? status_of(evaluation, err) : WEFT_OK;
        free(running.path);
        running.path = NULL; /* of the process that runs */
    } else if (status == WEFT_OK) {
        weft_display_heed();
        status = weft_exhibit_check(evaluation, err);
        if (status == WEFT_OK)
            status = run_points(command, file, evaluation, &running.display, err);
        weft_display_clear(&running.display);
    }
    weft_running_done(&running);
    weft_evaluation_close(evaluation);
    free(results);
    return status;
}

const weft_verb weft_verb_study = {
    .name = "study",
    .arguments = "[status] FILE [key=value …]",
    .brief = "runs all scenarios, series and seeds of a study file and writes one page with its "
             "figures; the same command again resumes",
    .examples = "weft study paper.yaml              # all points, paper.html, paper-figures, "
                "paper.csv\n"
                "weft study status paper.yaml       # what is done, running, failed, and left\n"
                "weft study paper.yaml --slurm      # all open points as one array job of Slurm\n"
                "weft study paper.yaml seeds=10     # more seeds: only the new ones are run\n",
    .flags = "--plugin --results -o --new --slurm --no-wait --tasks --nodes --time --partition "
             "--account --slurm-options --points --part --jobs --threads --ranks --mpi --blocks "
             "--memory "
             "--checkpoint --quiet",
    .least = 1,
    .most = 2,
    .settings = true,
    .run = run,
};
