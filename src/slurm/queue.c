/* SPDX-License-Identifier: Apache-2.0 */
#include "slurm/queue.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "slurm/ask.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STATE_MOST 256 /* bytes of a state or progress file */

/* An answer as part of a sentence: its first line. */
static weft_status refuse(const char *command, int ended, const char *answer, weft_error *err)
{
    return weft_fail(err, WEFT_BAD_INPUT, "%s ended with status %d: %.*s", command, ended,
                     (int)strcspn(answer, "\n"), answer);
}

/* ---- submitting ---- */

/* Where tasks print; % has a meaning to sbatch. */
static char *log_option(const char *folder)
{
    weft_text text;
    weft_text_init(&text);
    weft_text_add(&text, "--output=");
    for (const char *c = folder; *c; c++)
        weft_text_add(&text, *c == '%' ? "%c%c" : "%c", *c, *c);
    weft_text_add(&text, "/%%a.log");
    return weft_text_take(&text);
}

/* An answer of sbatch: the number of a job, or why there is none. One that was killed, or had no
 * answer itself ("Socket timed out"), may have submitted it. */
static weft_status read_answer(int ended, char *answer, char job[WEFT_SLURM_JOB_CHARS],
                               bool *unsure, weft_error *err)
{
    if (ended != 0) {
        *unsure = ended > 128 || strstr(answer, "timed out");
        return refuse("sbatch", ended, answer, err);
    }
    answer[strcspn(answer, ";\n")] = '\0'; /* "17;cluster" */
    *unsure = !weft_slurm_is_job(answer);
    if (*unsure)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "sbatch should have printed the number of a job, found '%.64s'", answer);
    memcpy(job, answer, strlen(answer) + 1);
    return WEFT_OK;
}

static weft_status submit(const char *const *words, char job[WEFT_SLURM_JOB_CHARS], bool *unsure,
                          weft_error *err)
{
    char *answer;
    int ended;
    weft_status status = weft_slurm_ask(words, &ended, &answer, err);
    *unsure = ended != -1;
    WEFT_TRY(status);
    status = read_answer(ended, answer, job, unsure, err);
    free(answer);
    return status;
}

/* The message so far, and what to do. */
static weft_status warn(const char *folder, weft_error *err)
{
    weft_error why = *err;
    return weft_fail(err, WEFT_BAD_INPUT,
                     "%.300s; %.400s/job.sh may be in the queue all the same: `squeue --me` says "
                     "so, `scancel NUMBER` ends it; remove the folder if no job writes there",
                     why.text, folder);
}

static weft_status keep(const char *folder, const char *job, const weft_slurm_plan *plan,
                        bool *unsure, weft_error *err)
{
    weft_status status = weft_slurm_record_write(folder, job, plan, err);
    if (status == WEFT_OK)
        return WEFT_OK;
    weft_error why = *err;
    *unsure = true;
    return weft_fail(err, status,
                     "job %s was submitted, and cannot be recorded: %.300s; `scancel %s` ends it, "
                     "then remove the folder %.400s",
                     job, why.text, job, folder);
}

weft_status weft_slurm_submit(const char *folder, const char *const *options,
                              const weft_slurm_plan *plan, char job[WEFT_SLURM_JOB_CHARS],
                              bool *unsure, weft_error *err)
{
    size_t n_options = 0, used = 0;
    while (options && options[n_options])
        n_options++;
    char *log = log_option(folder), *script = weft_slurm_file(folder, "job.sh");
    const char **words = weft_alloc(sizeof *words * (n_options + 5));
    words[used++] = "sbatch";
    words[used++] = "--parsable";
    words[used++] = log;
    for (size_t i = 0; i < n_options; i++)
        words[used++] = options[i];
    words[used] = script;
    weft_status status = submit(words, job, unsure, err);
    if (status == WEFT_OK)
        status = keep(folder, job, plan, unsure, err);
    else if (*unsure)
        status = warn(folder, err);
    free(words);
    free(log);
    free(script);
    return status;
}

/* ---- looking ---- */

typedef struct task_view {
    bool queued, waits; /* in the queue; not running there */
    char state[32];     /* what its script said last; "": nothing */
    size_t done;        /* points in its part */
    double whole, elapsed_s;
} task_view;

/* The words of a small file of a task, cut at the first line's end. */
static void read_line(const char *folder, size_t task, const char *name, char line[STATE_MOST])
{
    weft_bytes bytes;
    weft_error ignored;
    char *path = weft_slurm_task_file(folder, task, name);
    line[0] = '\0';
    if (access(path, F_OK) == 0 &&
        weft_bytes_read(path, STATE_MOST - 1, "a state", &bytes, &ignored) == WEFT_OK) {
        memcpy(line, bytes.at, strlen(bytes.at) + 1);
        line[strcspn(line, "\n")] = '\0';
        free(bytes.at);
    }
    free(path);
}

static void read_files(const char *folder, size_t task, size_t n_points, task_view *view)
{
    char line[STATE_MOST];
    read_line(folder, task, ".state", line);
    (void)snprintf(view->state, sizeof view->state, "%.31s", line);
    read_line(folder, task, ".weft.progress", line);
    unsigned long done;
    if (sscanf(line, "%lu of %*u %lf %lf", &done, &view->whole, &view->elapsed_s) == 3 &&
        view->whole >= 0 && view->whole <= 1 && view->elapsed_s >= 0)
        view->done = done < n_points ? done : n_points;
    else
        view->whole = view->elapsed_s = 0;
    if (strcmp(view->state, "done") == 0)
        view->done = n_points;
}

/* "3|PENDING|Resources" */
static void read_queued(char *line, task_view *tasks, size_t n_tasks, weft_slurm_view *view)
{
    char *end, *rest = NULL;
    unsigned long task = strtoul(line, &end, 10);
    if (end == line || *end != '|' || task >= n_tasks)
        return;
    const char *state = strtok_r(end, "|", &rest), *reason = strtok_r(NULL, "|", &rest);
    if (!state)
        return;
    tasks[task].queued = true;
    tasks[task].waits = strcmp(state, "PENDING") == 0 || strncmp(state, "REQUEUE", 7) == 0 ||
                        strcmp(state, "SPECIAL_EXIT") == 0;
    if (tasks[task].waits && reason && !view->reason[0] && strcmp(reason, "None") != 0)
        (void)snprintf(view->reason, sizeof view->reason, "%s", reason);
}

static weft_status read_queue(const char *job, task_view *tasks, size_t n_tasks,
                              weft_slurm_view *view, weft_error *err)
{
    const char *words[] = {"squeue", "-h", "-r", "-j", job, "-o", "%K|%T|%r", NULL};
    char *answer, *rest = NULL;
    int ended;
    WEFT_TRY(weft_slurm_ask(words, &ended, &answer, err));
    weft_status status = WEFT_OK;
    if (ended == 0) {
        for (char *line = strtok_r(answer, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
            read_queued(line, tasks, n_tasks, view);
    } else if (!strstr(answer, "Invalid job id")) { /* what has ended is forgotten after a while */
        status = refuse("squeue", ended, answer, err);
    }
    free(answer);
    return status;
}

static weft_slurm_state judge(const task_view *task)
{
    if (strcmp(task->state, "done") == 0)
        return WEFT_SLURM_DONE;
    if (task->queued && strncmp(task->state, "failed", 6) != 0)
        return task->waits ? WEFT_SLURM_PENDING : WEFT_SLURM_RUNNING;
    return strcmp(task->state, "stopped") == 0 ? WEFT_SLURM_STOPPED : WEFT_SLURM_FAILED;
}

/* Seconds that all tasks take from now on: those that run as they say, those that wait as
 * estimated, corrected by what others have taken; as many at a time as now. */
static double left(const weft_slurm_record *record, const task_view *tasks)
{
    double estimated = 0, taken = 0, running = 0, waiting = 0, longest = 0;
    size_t n_running = 0, unknown = 0;
    for (size_t t = 0; t < record->n_tasks; t++) {
        const task_view *task = &tasks[t];
        weft_slurm_state state = judge(task);
        if (task->whole > 0) {
            estimated += task->whole * record->tasks[t].seconds;
            taken += task->elapsed_s;
        }
        if (state == WEFT_SLURM_PENDING)
            waiting += record->tasks[t].seconds;
        if (state != WEFT_SLURM_RUNNING)
            continue;
        n_running++;
        if (!(task->whole > 0.01)) {
            unknown++;
            waiting += record->tasks[t].seconds;
            continue;
        }
        double own = task->elapsed_s * (1 - task->whole) / task->whole;
        running += own;
        longest = own > longest ? own : longest;
    }
    double slow = estimated > 0 && taken > 0 ? taken / estimated : 1;
    double even = (running + waiting * slow) / (double)(n_running ? n_running : 1);
    return n_running == unknown && running == 0 && waiting == 0 ? -1
           : even > longest                                     ? even
                                                                : longest;
}

static void sum_up(const weft_slurm_record *record, const task_view *tasks, weft_slurm_view *view)
{
    bool failed = false;
    for (size_t t = 0; t < record->n_tasks; t++) {
        weft_slurm_state state = judge(&tasks[t]);
        view->count[state]++;
        view->n_points += record->tasks[t].n_points;
        view->done += tasks[t].done;
        if (state == WEFT_SLURM_FAILED && !failed) {
            failed = true;
            view->failed = t;
            if (sscanf(tasks[t].state, "failed %d", &view->ended) != 1)
                view->ended = 0;
        }
    }
    view->left_s = left(record, tasks);
}

weft_status weft_slurm_look(const char *folder, weft_slurm_view *view, bool *there, weft_error *err)
{
    weft_slurm_record record;
    *view = (weft_slurm_view){.left_s = -1};
    WEFT_TRY(weft_slurm_record_read(folder, &record, there, err));
    if (!*there)
        return WEFT_OK;
    task_view *tasks = weft_alloc(sizeof *tasks * record.n_tasks);
    weft_status status = read_queue(record.job, tasks, record.n_tasks, view, err);
    if (status == WEFT_OK) { /* files after the queue: they are never older than what it says */
        for (size_t t = 0; t < record.n_tasks; t++)
            read_files(folder, t, record.tasks[t].n_points, &tasks[t]);
        memcpy(view->job, record.job, sizeof view->job);
        view->n_tasks = record.n_tasks;
        char *cancelled = weft_slurm_file(folder, "cancelled");
        view->cancelled = access(cancelled, F_OK) == 0;
        free(cancelled);
        sum_up(&record, tasks, view);
    }
    free(tasks);
    weft_slurm_record_done(&record);
    return status;
}

/* ---- cancelling ---- */

/* A job that has ended meanwhile, or has no task in the wanted state, is no mistake; of the latter
 * scancel says nothing. */
static weft_status scancel(const char *const *words, weft_error *err)
{
    char *answer;
    int ended;
    WEFT_TRY(weft_slurm_ask(words, &ended, &answer, err));
    weft_status status = WEFT_OK;
    if (ended != 0 && answer[0] && !strstr(answer, "Invalid job id") &&
        !strstr(answer, "already completing"))
        status = refuse("scancel", ended, answer, err);
    free(answer);
    return status;
}

weft_status weft_slurm_stop(const char *folder, const char *job, weft_error *err)
{
    const char *waiting[] = {"scancel", "--quiet", "--state=PENDING", job, NULL};
    const char *running[] = {"scancel",         "--quiet", "--batch", "--signal=TERM",
                             "--state=RUNNING", job,       NULL};
    char *path = weft_slurm_file(folder, "cancelled");
    weft_status status = weft_bytes_write(path, "", 0, err);
    free(path);
    WEFT_TRY(status);
    WEFT_TRY(scancel(waiting, err));
    return scancel(running, err);
}

weft_status weft_slurm_kill(const char *job, weft_error *err)
{
    const char *words[] = {"scancel", "--quiet", job, NULL};
    return scancel(words, err);
}
