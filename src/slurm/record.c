/* SPDX-License-Identifier: Apache-2.0 */
/* The record is lines of words: "slurm 1", "job 17", then "task POINTS SECONDS" for each. */
#include "slurm/record.h"

#include "base/digits.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "result/lock.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define RECORD_MOST ((size_t)1 << 20)

char *weft_slurm_folder(const char *results)
{
    return weft_text_format("%s.slurm", results);
}

char *weft_slurm_file(const char *folder, const char *name)
{
    return weft_text_format("%s/%s", folder, name);
}

char *weft_slurm_task_file(const char *folder, size_t task, const char *name)
{
    return weft_text_format("%s/%zu%s", folder, task, name);
}

/* Files that a job leaves: those named in slurm/script.h, and no others. */
static bool is_ours(const char *name)
{
    static const char *const whole[] = {"job", "job.sh", "points", "cancelled"};
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        if (strcmp(name, whole[i]) == 0)
            return true;
    size_t digits = strspn(name, "0123456789");
    static const char *const ends[] = {
        ".weft",          ".weft-journal", ".weft.lock", ".weft.running", ".weft.running.part",
        ".weft.progress", ".weft.stopped", ".state",     ".state.new",    ".log"};
    for (size_t i = 0; digits && i < sizeof ends / sizeof *ends; i++)
        if (strcmp(name + digits, ends[i]) == 0)
            return true;
    return false;
}

void weft_slurm_folder_remove(const char *folder)
{
    DIR *opened = opendir(folder);
    if (!opened)
        return;
    for (const struct dirent *entry; (entry = readdir(opened));)
        if (is_ours(entry->d_name))
            (void)unlinkat(dirfd(opened), entry->d_name, 0);
    (void)closedir(opened);
    (void)rmdir(folder);
}

static weft_status make_folder(const char *folder, weft_error *err)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "cannot make the folder %.512s: %s; --results FILE writes elsewhere",
                         folder, strerror(errno));
    return WEFT_OK;
}

weft_status weft_slurm_folder_take(const char *folder, weft_error *err)
{
    WEFT_TRY(weft_lock_take(folder, err));
    weft_status status = make_folder(folder, err);
    if (status != WEFT_OK)
        weft_lock_release(folder);
    return status;
}

void weft_slurm_folder_release(const char *folder)
{
    (void)rmdir(folder); /* says no if it is not empty */
    weft_lock_release(folder);
}

static weft_status write_text(const char *folder, const char *name, const char *text,
                              weft_error *err)
{
    char *path = weft_slurm_file(folder, name);
    weft_status status = weft_bytes_write(path, text, strlen(text), err);
    free(path);
    return status;
}

weft_status weft_slurm_folder_make(const char *folder, const char *script,
                                   const weft_slurm_plan *plan, weft_error *err)
{
    weft_text points;
    weft_slurm_folder_remove(folder);
    WEFT_TRY(make_folder(folder, err));
    weft_text_init(&points);
    for (size_t t = 0; t < plan->n_tasks; t++)
        weft_text_add(&points, "%s\n", plan->tasks[t].points);
    weft_status status = write_text(folder, "points", points.at, err);
    if (status == WEFT_OK)
        status = write_text(folder, "job.sh", script, err);
    weft_text_done(&points);
    return status;
}

bool weft_slurm_is_job(const char *text)
{
    size_t digits = strspn(text, "0123456789");
    return digits > 0 && digits < WEFT_SLURM_JOB_CHARS && !text[digits];
}

weft_status weft_slurm_record_write(const char *folder, const char *job,
                                    const weft_slurm_plan *plan, weft_error *err)
{
    weft_text text;
    weft_text_init(&text);
    weft_text_add(&text, "slurm 1\njob %s\n", job);
    for (size_t t = 0; t < plan->n_tasks; t++)
        weft_text_add(&text, "task %zu %.3f\n", plan->tasks[t].n_points, plan->tasks[t].seconds);
    weft_status status = write_text(folder, "job", text.at, err);
    weft_text_done(&text);
    return status;
}

/* "task POINTS SECONDS" */
static bool read_task(const char *line, struct weft_slurm_record_task *task)
{
    char *end;
    if (strncmp(line, "task ", 5) != 0)
        return false;
    task->n_points = strtoul(line + 5, &end, 10);
    task->seconds = weft_digits_read(end, &end);
    return !*end && task->n_points > 0 && task->n_points < 1u << 30 && task->seconds >= 0 &&
           task->seconds < 1e12;
}

static bool parse(char *text, weft_slurm_record *record)
{
    char *rest = NULL, *line = strtok_r(text, "\n", &rest);
    if (!line || strcmp(line, "slurm 1") != 0)
        return false;
    line = strtok_r(NULL, "\n", &rest);
    if (!line || strncmp(line, "job ", 4) != 0 || !weft_slurm_is_job(line + 4))
        return false;
    memcpy(record->job, line + 4, strlen(line + 4) + 1);
    record->tasks = weft_alloc(sizeof *record->tasks * WEFT_SLURM_TASKS_MOST);
    while ((line = strtok_r(NULL, "\n", &rest)))
        if (record->n_tasks == WEFT_SLURM_TASKS_MOST ||
            !read_task(line, &record->tasks[record->n_tasks++]))
            return false;
    return record->n_tasks > 0;
}

/* A script without a record: whoever was to submit it was killed, or heard nothing. */
static weft_status check_script(const char *folder, weft_error *err)
{
    char *path = weft_slurm_file(folder, "job.sh");
    bool there = access(path, F_OK) == 0;
    free(path);
    if (!there)
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT,
                     "%.512s/job.sh was to be submitted, and nobody knows whether it was: "
                     "`squeue --me` says so, `scancel NUMBER` ends it; remove the folder if no job "
                     "writes there",
                     folder);
}

weft_status weft_slurm_record_read(const char *folder, weft_slurm_record *record, bool *there,
                                   weft_error *err)
{
    weft_bytes bytes;
    char *path = weft_slurm_file(folder, "job");
    *record = (weft_slurm_record){.n_tasks = 0};
    *there = access(path, F_OK) == 0;
    weft_status status = *there ? WEFT_OK : check_script(folder, err);
    if (*there)
        status = weft_bytes_read(path, RECORD_MOST, "the record of a job", &bytes, err);
    if (*there && status == WEFT_OK) {
        if (!parse(bytes.at, record)) {
            weft_slurm_record_done(record);
            status = weft_fail(err, WEFT_BAD_INPUT,
                               "%.512s is not the record of a job that weft has submitted; remove "
                               "the folder %.512s if no job writes there",
                               path, folder);
        }
        free(bytes.at);
    }
    free(path);
    return status;
}

void weft_slurm_record_done(weft_slurm_record *record)
{
    free(record->tasks);
    *record = (weft_slurm_record){.n_tasks = 0};
}
