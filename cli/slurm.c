/* SPDX-License-Identifier: Apache-2.0 */
/* weft run --slurm. The tasks of an array write parts (--part) that only this process collects:
 * no two processes ever write one results file. Nothing that a task has done is lost where it is
 * stopped, killed or never seen again: its part and its checkpoints stay, and the next job goes on
 * with what is missing. The folder of a job is removed, or made another job's, only when all that
 * its tasks have finished is in the results file. */
#include "cli/slurm.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "slurm/partition.h"
#include "slurm/script.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MIB         ((int64_t)1 << 20)
#define SPARE_BYTES (192 * MIB) /* beside the simulation: the program, results, MPI */
#define SOONEST_S   0.3         /* between two looks at the queue … */
#define LATEST_S    10.0        /* … which a controller with many users can bear */
#define CONFIRM_S   2.0         /* network file systems show a file late */
#define SILENCES    60 /* of the controller, one after the other, until nobody waits any more */
#define LOG_LINE    400
#define EXE_MOST    4096

/* ---- looking ---- */

char *weft_cluster_describe(const weft_slurm_view *view)
{
    static const char *const names[] = {"pending", "running", "done", "stopped", "failed"};
    char span[24];
    weft_text text;
    weft_text_init(&text);
    for (int k = 0; k < WEFT_SLURM_STATES; k++) {
        if (view->count[k] == 0)
            continue;
        weft_text_add(&text, "%s%zu %s", text.length ? ", " : "", view->count[k], names[k]);
        if (k == WEFT_SLURM_PENDING && view->reason[0])
            weft_text_add(&text, " (%s)", view->reason);
    }
    weft_text_add(&text, "; %zu of %zu points", view->done, view->n_points);
    if (weft_slurm_is_active(view) && view->left_s >= 0)
        weft_text_add(&text, ", about %s left", weft_display_span(view->left_s, span));
    return weft_text_take(&text);
}

static void draw(weft_display *display, const weft_slurm_view *view)
{
    char *state = weft_cluster_describe(view);
    char *line = weft_text_format("job %s: %s", view->job, state);
    weft_display_line(display, line);
    free(line);
    free(state);
}

/* A signal ends it early. */
static void nap(double seconds)
{
    struct timespec time = {.tv_sec = (time_t)seconds};
    time.tv_nsec = (long)(1e9 * (seconds - (double)time.tv_sec));
    (void)nanosleep(&time, NULL);
}

/* As weft_slurm_look of a job that has been seen before: a controller that is started anew is
 * waited for. */
static weft_status look_again(const char *folder, weft_display *display, weft_slurm_view *view,
                              weft_error *err)
{
    bool there = false;
    weft_status status = weft_slurm_look(folder, view, &there, err);
    for (int k = 0; status != WEFT_OK && k < SILENCES; k++) {
        weft_display_line(display, err->text);
        if (weft_display_request(display) == WEFT_REQUEST_STOP)
            break;
        nap(LATEST_S);
        status = weft_slurm_look(folder, view, &there, err);
    }
    WEFT_TRY(status);
    if (!there)
        return weft_fail(err, WEFT_BAD_INPUT, "%.512s/job has been removed meanwhile", folder);
    return WEFT_OK;
}

weft_status weft_cluster_follow(const char *folder, weft_display *display, double most_s,
                                weft_slurm_view *view, weft_error *err)
{
    double until = weft_clock() + most_s, pause = SOONEST_S;
    bool confirmed = false;
    for (;;) {
        WEFT_TRY(look_again(folder, display, view, err));
        if (!weft_slurm_is_active(view)) {
            if (view->count[WEFT_SLURM_FAILED] == 0 || confirmed)
                break;
            confirmed = true;
            nap(CONFIRM_S);
            continue;
        }
        draw(display, view);
        if (weft_display_request(display) == WEFT_REQUEST_STOP || weft_clock() > until)
            break;
        nap(pause);
        pause = pause * 1.2 < LATEST_S ? pause * 1.2 : LATEST_S;
    }
    weft_display_clear(display);
    return WEFT_OK;
}

/* ---- collecting ---- */

/* *others: points that only the folder holds, as this command does not take them. */
static weft_status collect(weft_study *study, const char *folder, size_t *others, weft_error *err)
{
    weft_slurm_record record;
    bool there;
    size_t taken;
    *others = 0;
    WEFT_TRY(weft_slurm_record_read(folder, &record, &there, err));
    if (!there)
        return WEFT_OK;
    char **parts = weft_alloc(sizeof *parts * record.n_tasks);
    for (size_t t = 0; t < record.n_tasks; t++)
        parts[t] = weft_slurm_task_file(folder, t, ".weft");
    weft_status status =
        weft_study_collect(study, (const char *const *)parts, record.n_tasks, &taken, others, err);
    for (size_t t = 0; t < record.n_tasks; t++)
        free(parts[t]);
    free(parts);
    weft_slurm_record_done(&record);
    return status;
}

static char *describe_others(const char *folder, size_t others)
{
    return weft_text_format("%s holds %zu finished point%s of another grid or with other settings, "
                            "which the command that submitted the job collects",
                            folder, others, others == 1 ? "" : "s");
}

/* Removes the folder of a job that was collected, unless points are there that are nowhere else. */
static void leave(const char *folder, size_t others, weft_display *display)
{
    if (others == 0) {
        weft_slurm_folder_remove(folder);
    } else if (!display->quiet) {
        char *text = describe_others(folder, others);
        weft_display_notice(display, text);
        free(text);
    }
}

/* fresh: nothing that was run before is wanted. */
static weft_status collect_here(weft_study *study, const char *folder, bool fresh,
                                weft_display *display, weft_error *err)
{
    weft_slurm_view view;
    size_t others = 0;
    bool there;
    WEFT_TRY(weft_slurm_look(folder, &view, &there, err));
    if (!there)
        return WEFT_OK;
    if (weft_slurm_is_active(&view))
        return weft_fail(err, WEFT_BAD_INPUT,
                         "job %s of Slurm is on these results: `weft status %s` says how far it "
                         "is, `weft cancel %s` ends it, --slurm follows it",
                         view.job, weft_study_results(study), weft_study_results(study));
    if (!fresh)
        WEFT_TRY(collect(study, folder, &others, err));
    leave(folder, others, display);
    return WEFT_OK;
}

static weft_status settle_here(weft_study *study, bool fresh, weft_display *display,
                               weft_error *err)
{
    char *folder = weft_slurm_folder(weft_study_results(study));
    bool there = access(folder, F_OK) == 0;
    weft_status status = there ? weft_slurm_folder_take(folder, err) : WEFT_OK;
    if (there && status == WEFT_OK) {
        status = collect_here(study, folder, fresh, display, err);
        weft_slurm_folder_release(folder);
    }
    free(folder);
    return status;
}

/* ---- submitting ---- */

typedef struct submission {
    const weft_command *command;
    weft_study *study;
    weft_display *display;
    char *folder;
    weft_slurm_plan plan;
    uint32_t ranks, threads;
    int64_t bytes; /* that Slurm gives a process … */
    int64_t uses;  /* … and that it may use */
    bool failed;   /* points of a study file have, and are kept so */
    size_t others; /* points that only the folder holds */
    weft_slurm_view view;
    bool complete; /* all points are in the results file */
    bool again;    /* the job that was followed is not the one that is there */
} submission;

/* Words of a command line, each owned. */
typedef struct word_list {
    char **words;
    size_t count;
} word_list;

static void add_word(word_list *to, const char *format, ...) WEFT_PRINTF(2, 3);
static void add_word(word_list *to, const char *format, ...)
{
    va_list rest;
    char *word = NULL;
    va_start(rest, format);
    if (vasprintf(&word, format, rest) < 0)
        weft_memory_exhausted(strlen(format));
    va_end(rest);
    to->words = weft_realloc(to->words, to->count + 2, sizeof *to->words);
    to->words[to->count++] = word;
    to->words[to->count] = NULL;
}

static void free_words(word_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->words[i]);
    free(list->words);
}

/* The command of a task: this program with the same settings, on what Slurm gives it. */
static weft_status make_command(const submission *s, word_list *to, weft_error *err)
{
    const weft_command *command = s->command;
    char exe[EXE_MOST];
    ssize_t length = readlink("/proc/self/exe", exe, sizeof exe - 1);
    if (length <= 0)
        return weft_fail(err, WEFT_BAD_INPUT, "cannot find this program: %s", strerror(errno));
    exe[length] = '\0';
    add_word(to, "%s", exe);
    add_word(to, "%s", command->verb->name);
    add_word(to, "%s", command->names[0]);
    for (size_t i = 0; i < command->n_settings; i++)
        add_word(to, "%s", command->settings[i]);
    for (size_t i = 0; i < command->plugins.n_texts; i++)
        add_word(to, "--plugin=%s", command->plugins.texts[i]);
    add_word(to, "--results=%s", weft_study_results(s->study));
    add_word(to, "--threads=%u", s->threads);
    add_word(to, "--memory=%lld", (long long)s->uses);
    add_word(to, "--checkpoint=%.0fs", command->checkpoint_s);
    add_word(to, "--quiet");
    if (s->ranks > 1)
        add_word(to, "--ranks=%u", s->ranks);
    if (command->blocks)
        add_word(to, "--blocks=%lld", (long long)command->blocks);
    if (command->jobs)
        add_word(to, "--jobs=%lld", (long long)command->jobs);
    return WEFT_OK;
}

/* What sbatch is given beside the script: no shell reads any of it. */
static void make_options(const weft_command *command, word_list *to)
{
    if (command->partition)
        add_word(to, "--partition=%s", command->partition);
    if (command->account)
        add_word(to, "--account=%s", command->account);
    if (command->nodes)
        add_word(to, "--nodes=%lld", (long long)command->nodes);
    const char *at = command->slurm_options ? command->slurm_options : "";
    for (at += strspn(at, " \t\n"); *at; at += strspn(at, " \t\n")) {
        size_t length = strcspn(at, " \t\n");
        add_word(to, "%.*s", (int)length, at);
        at += length;
    }
}

/* Estimates may be low: half as much again, and what the program needs beside. */
static void set_memory(submission *s)
{
    if (s->command->memory) {
        s->uses = s->command->memory;
        s->bytes = s->uses + s->uses / 10 + SPARE_BYTES / 2;
        return;
    }
    s->uses = s->plan.bytes / s->ranks / 2 * 3 + SPARE_BYTES / 2;
    s->bytes = s->uses + SPARE_BYTES / 2;
}

static void divide(submission *s, const weft_left_point *left, size_t n_left)
{
    weft_slurm_item *items = weft_alloc(sizeof *items * n_left);
    for (size_t i = 0; i < n_left; i++)
        items[i] = (weft_slurm_item){
            .point = left[i].point, .seconds = left[i].seconds, .bytes = left[i].bytes};
    weft_slurm_divide(items, n_left, (size_t)s->command->tasks, &s->plan);
    free(items);
    s->ranks = left[0].ranks;
    s->threads = s->command->threads ? (uint32_t)s->command->threads : 1;
    set_memory(s);
}

/* Seconds: as asked for, else by estimate, within what the partition allows: tasks that take longer
 * go on by requeue. */
static double limit(const submission *s)
{
    double most, wanted = 3 * s->plan.longest / s->ranks + 600;
    if (s->command->time_s > 0)
        return s->command->time_s;
    return weft_slurm_limit(s->command->partition, &most) && most < wanted ? most : wanted;
}

static char *write_script(const submission *s, const word_list *words)
{
    const char *mpi = getenv("SLURM_MPI_TYPE"); /* as srun itself has it */
    return weft_slurm_script_write(
        &(weft_slurm_script){.name = weft_bytes_name(weft_study_results(s->study)),
                             .folder = s->folder,
                             .words = (const char *const *)words->words,
                             .n_tasks = s->plan.n_tasks,
                             .ranks = s->ranks,
                             .mpi = mpi && *mpi ? mpi : "pmix",
                             .threads = s->threads,
                             .bytes = s->bytes,
                             .limit_s = limit(s)});
}

static weft_status submit(submission *s, const word_list *words, weft_error *err)
{
    char job[WEFT_SLURM_JOB_CHARS], span[24];
    word_list options = {.count = 0};
    bool unsure = false;
    make_options(s->command, &options);
    char *script = write_script(s, words);
    weft_status status = weft_slurm_folder_make(s->folder, script, &s->plan, err);
    if (status == WEFT_OK)
        status = weft_slurm_submit(s->folder, (const char *const *)options.words, &s->plan, job,
                                   &unsure, err);
    if (status == WEFT_OK && !s->display->quiet) {
        size_t points = 0;
        for (size_t t = 0; t < s->plan.n_tasks; t++)
            points += s->plan.tasks[t].n_points;
        fprintf(stderr, "job %s: %zu point%s in %zu task%s, of about %s", job, points,
                points == 1 ? "" : "s", s->plan.n_tasks, s->plan.n_tasks == 1 ? "" : "s",
                weft_display_span(s->plan.longest / s->ranks, span));
        if (s->ranks > 1)
            fprintf(stderr, ", %u ranks each", s->ranks);
        fputc('\n', stderr);
    } else if (status != WEFT_OK && !unsure) {
        weft_slurm_folder_remove(s->folder);
    }
    free(script);
    free_words(&options);
    return status;
}

/* The folder is to be another job's. */
static weft_status check_folder(const submission *s, weft_error *err)
{
    if (s->others == 0)
        return WEFT_OK;
    char *text = describe_others(s->folder, s->others);
    weft_status status = weft_fail(
        err, WEFT_BAD_INPUT,
        "%.600s; --results FILE submits this beside it, without the folder they are lost", text);
    free(text);
    return status;
}

/* Submits a job for what is missing, if anything is. */
static weft_status begin(submission *s, weft_error *err)
{
    weft_left_point *left;
    size_t n_left;
    word_list words = {.count = 0};
    WEFT_TRY(weft_study_left(s->study, &left, &n_left, err));
    s->complete = n_left == 0;
    weft_status status = WEFT_OK;
    if (n_left > 0) {
        divide(s, left, n_left);
        status = check_folder(s, err);
        if (status == WEFT_OK)
            status = make_command(s, &words, err);
        if (status == WEFT_OK)
            status = submit(s, &words, err);
        free_words(&words);
        weft_slurm_plan_done(&s->plan);
    }
    free(left);
    return status;
}

/* ---- the end ---- */

/* The last line that a task has printed. */
static void last_line(const char *folder, size_t task, char line[LOG_LINE])
{
    char tail[LOG_LINE] = "", *path = weft_slurm_task_file(folder, task, ".log");
    weft_error ignored;
    uint64_t size;
    int log;
    if (weft_bytes_open(path, UINT64_MAX, "a log", &log, &size, &ignored) == WEFT_OK) {
        if (size > LOG_LINE - 1)
            (void)lseek(log, 1 - LOG_LINE, SEEK_END);
        (void)weft_bytes_fill(log, tail, sizeof tail - 1); /* nothing, if it cannot be read */
        (void)close(log);
    }
    free(path);
    size_t length = strlen(tail);
    while (length > 0 && tail[length - 1] == '\n')
        tail[--length] = '\0';
    const char *start = strrchr(tail, '\n');
    memcpy(line, start ? start + 1 : tail, strlen(start ? start + 1 : tail) + 1);
}

static weft_status explain_failure(const char *folder, const weft_slurm_view *view, weft_error *err)
{
    char line[LOG_LINE], how[64] = "was killed, or never began";
    last_line(folder, view->failed, line);
    if (view->ended)
        (void)snprintf(how, sizeof how, "ended with status %d", view->ended);
    return weft_fail(err, WEFT_BAD_INPUT,
                     "job %s: %zu of its %zu tasks failed; task %zu %s%s%s (%.512s/%zu.log). What "
                     "was done is kept, and the same command goes on",
                     view->job, view->count[WEFT_SLURM_FAILED], view->n_tasks, view->failed, how,
                     line[0] ? ": " : "", line, folder, view->failed);
}

/* Have all points been run that the results file does not hold as done? */
static weft_status only_failures(weft_study *study, bool *only, weft_error *err)
{
    size_t points = weft_study_points(study);
    weft_point_survey *survey = weft_alloc(sizeof *survey * points);
    weft_status status = weft_study_survey(study, survey, err);
    *only = true;
    for (size_t i = 0; i < points; i++)
        *only = *only && survey[i].state != WEFT_POINT_OPEN;
    free(survey);
    return status;
}

/* All points are there: checkpoints that are left go, and the folder. */
static weft_status finish(submission *s, weft_error *err)
{
    if (!s->failed)
        WEFT_TRY(weft_study_run(s->study, err));
    leave(s->folder, s->others, s->display);
    return WEFT_OK;
}

/* Is the job that has left the queue still the one in the folder, or none? */
static weft_status check_job(submission *s, weft_error *err)
{
    weft_slurm_record record;
    bool there;
    WEFT_TRY(weft_slurm_record_read(s->folder, &record, &there, err));
    s->again = there && strcmp(record.job, s->view.job) != 0;
    weft_slurm_record_done(&record);
    return WEFT_OK;
}

/* What a job that has left the queue has brought. */
static weft_status settle(submission *s, weft_error *err)
{
    const weft_slurm_view *view = &s->view;
    weft_left_point *left;
    size_t n_left;
    WEFT_TRY(check_job(s, err));
    if (s->again)
        return WEFT_OK;
    WEFT_TRY(collect(s->study, s->folder, &s->others, err));
    WEFT_TRY(weft_study_left(s->study, &left, &n_left, err));
    free(left);
    s->complete = n_left == 0;
    if (!s->complete && view->count[WEFT_SLURM_DONE] == view->n_tasks) {
        WEFT_TRY(only_failures(s->study, &s->failed, err));
        s->complete = s->failed;
    }
    if (s->complete)
        return finish(s, err);
    if (view->count[WEFT_SLURM_FAILED] > 0 && !view->cancelled)
        return explain_failure(s->folder, view, err);
    if (view->count[WEFT_SLURM_DONE] == view->n_tasks)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "job %s has ended, and %zu of its points needed more memory than was "
                         "estimated, or the scenario has changed meanwhile; --memory SIZE asks for "
                         "more",
                         view->job, n_left);
    return weft_fail(err, WEFT_STOPPED,
                     "job %s was cancelled; %zu points are missing, and the same command goes on",
                     view->job, n_left);
}

/* With nobody else at the folder. */
static weft_status alone(submission *s, weft_status (*step)(submission *s, weft_error *err),
                         weft_error *err)
{
    WEFT_TRY(weft_slurm_folder_take(s->folder, err));
    weft_status status = step(s, err);
    weft_slurm_folder_release(s->folder);
    return status;
}

static weft_status follow(submission *s, weft_error *err)
{
    do {
        WEFT_TRY(weft_cluster_follow(s->folder, s->display, 1e12, &s->view, err));
        if (weft_slurm_is_active(&s->view))
            return weft_fail(
                err, WEFT_STOPPED,
                "job %s goes on; the same command follows it, `weft cancel %.512s` ends it",
                s->view.job, weft_study_results(s->study));
        WEFT_TRY(alone(s, settle, err));
    } while (s->again);
    return WEFT_OK;
}

/* Finds the job that is there, or submits one. */
static weft_status look(submission *s, weft_error *err)
{
    bool there;
    WEFT_TRY(weft_slurm_look(s->folder, &s->view, &there, err));
    if (there && weft_slurm_is_active(&s->view)) {
        if (!s->display->quiet)
            fprintf(stderr, "job %s is on these results already\n", s->view.job);
        return WEFT_OK;
    }
    if (there)
        WEFT_TRY(collect(s->study, s->folder, &s->others, err));
    WEFT_TRY(begin(s, err));
    return s->complete ? finish(s, err) : WEFT_OK;
}

static weft_status run_slurm(submission *s, weft_error *err)
{
    WEFT_TRY(alone(s, look, err));
    return s->complete || s->command->no_wait ? WEFT_OK : follow(s, err);
}

/* A part is a task of a job itself. */
static weft_status run_here(const weft_command *command, weft_study *study, weft_display *display,
                            weft_error *err)
{
    if (!command->part && weft_context_size(command->context) == 1)
        WEFT_TRY(settle_here(study, command->fresh, display, err));
    return weft_study_run(study, err);
}

weft_status weft_cluster_run(const weft_command *command, weft_study *study, weft_display *display,
                             bool *complete, weft_error *err)
{
    weft_status status;
    if (command->slurm) {
        submission s = {.command = command, .study = study, .display = display};
        s.folder = weft_slurm_folder(weft_study_results(study));
        status = run_slurm(&s, err);
        *complete = s.complete;
        free(s.folder);
    } else {
        status = run_here(command, study, display, err);
        *complete = status == WEFT_OK;
    }
    weft_display_clear(display);
    if (status == WEFT_OK)
        weft_display_complete(display);
    else if (status == WEFT_STOPPED)
        weft_display_stopped(display);
    return status;
}
