/* SPDX-License-Identifier: Apache-2.0 */
#include "random/trial.h"

#include "interweft/study.h"
#include "random/laws.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define FREE     "none possible" /* what the check says where no deadlock can be */
#define LOG_MOST 20000           /* bytes of what a process said that are shown */

/* Seconds of a core and of a clock that a scenario may take: a busy machine is no finding. */
enum { CORE_SECONDS_MOST = 240, SECONDS_MOST = 3600 };

/* Ends the process if memory was not given back, and is not asked again when it ends. */
void __lsan_do_leak_check(void) __attribute__((weak)); /* NOLINT: its name is not ours */

/* Where the leak sanitizer is there. Asked while there is one thread: it does not get on with those
 * that OpenMP keeps. */
static void look_for_leaks(const trial *it)
{
    if (!it->context && __lsan_do_leak_check)
        __lsan_do_leak_check();
}

typedef struct outcome { /* of a run */
    weft_status status;
    weft_error err;
    weft_text bytes;    /* canonical */
    weft_text unlawful; /* which law does not hold */
    uint64_t asked;     /* how often it was asked whether it should stop: at every sampling time */
    weft_error passed;  /* what was said of a checkpoint that was not gone on with */
} outcome;

typedef struct stopper {
    uint64_t asked, at; /* at: the time at which it says so; 0: never */
    weft_error passed;
} stopper;

static weft_request ask(void *user)
{
    stopper *it = user;
    return ++it->asked == it->at ? WEFT_REQUEST_STOP : WEFT_REQUEST_NONE;
}

static void hear(void *user, const char *text)
{
    stopper *it = user;
    if (strstr(text, "going on from before it"))
        (void)weft_fail(&it->passed, WEFT_OK, "%s", text);
}

static weft_status keep_bytes(void *to, const char *bytes, size_t count, weft_error *err)
{
    (void)err;
    weft_text_append(to, bytes, count);
    return WEFT_OK;
}

/* The bytes of the results, and what the laws say of them. */
static weft_status judge(const trial *it, weft_result *result, outcome *run)
{
    const weft_point *point;
    WEFT_TRY(weft_result_export(result, WEFT_FORMAT_CANONICAL, keep_bytes, &run->bytes, &run->err));
    WEFT_TRY(weft_result_read(result, 0, &point, &run->err));
    (void)laws_hold(point, it->light, &run->unlawful);
    return WEFT_OK;
}

static weft_status read_results(const trial *it, const char *path, outcome *run)
{
    weft_result *result;
    WEFT_TRY(weft_result_open(path, &result, &run->err));
    weft_status status = judge(it, result, run);
    weft_result_close(result);
    return status;
}

/* Is there a line and a column behind the file's name? */
static bool has_place(const trial *it, const char *text)
{
    size_t length = strlen(it->file);
    int used = 0;
    unsigned line, column;
    return strncmp(text, it->file, length) == 0 &&
           sscanf(text + length, ":%u:%u: %n", &line, &column, &used) == 2 && used > 0 &&
           isgraph((unsigned char)text[length + (size_t)used]);
}

static bool is_deadlock(const outcome *run)
{
    return run->status == WEFT_BROKEN && strncmp(run->err.text, "deadlock at tick ", 17) == 0;
}

static void begin(outcome *run)
{
    *run = (outcome){.err = {""}, .passed = {""}};
    weft_text_init(&run->bytes);
    weft_text_init(&run->unlawful);
}

static void forget(outcome *run)
{
    weft_text_done(&run->bytes);
    weft_text_done(&run->unlawful);
}

/* Runs to the end, or until it is told to stop. Results in memory are judged at once. */
static weft_status run_leg(const trial *it, const weft_catalog *catalog,
                           weft_study_options *options, stopper *by, outcome *run)
{
    weft_study *study = NULL;
    options->request = ask;
    options->notice = hear;
    options->user = by;
    weft_status status = weft_study_open(options, catalog, &study, &run->err);
    if (status == WEFT_OK)
        status = weft_study_run(study, &run->err);
    weft_result *kept = status == WEFT_OK ? weft_study_result(study) : NULL;
    if (kept)
        status = judge(it, kept, run);
    weft_study_close(study);
    run->passed = by->passed;
    return status;
}

/* Runs it into a file of this name. */
static void run_first(const trial *it, const weft_catalog *catalog, const char *path, outcome *run)
{
    weft_study_options options = {
        .file = it->file, .results = path, .fresh = true, .blocks = 1, .threads = 1, .jobs = 1};
    stopper by = {0};
    begin(run);
    run->status = run_leg(it, catalog, &options, &by, run);
    run->asked = by.asked;
}

/* In several blocks, threads and processes; asked: how often the first run was. What was stopped
 * goes on in other blocks. */
static void run_second(const trial *it, const weft_catalog *catalog, const char *path,
                       uint64_t asked, outcome *run)
{
    weft_study_options options = {.file = it->file,
                                  .results = path,
                                  .fresh = true,
                                  .blocks = it->blocks,
                                  .threads = it->threads,
                                  .context = it->context,
                                  .ranks = it->context ? weft_context_size(it->context) : 0};
    stopper by = {.at = it->stop && asked ? 1 + it->stop % asked : 0};
    begin(run);
    run->status = run_leg(it, catalog, &options, &by, run);
    if (run->status == WEFT_STOPPED && by.at) {
        options.fresh = false;
        options.blocks = 1 + it->blocks % 7;
        by = (stopper){0};
        run->status = run_leg(it, catalog, &options, &by, run);
    }
}

static weft_status check(const trial *it, const weft_catalog *catalog, char **text, weft_error *err)
{
    weft_study *study;
    *text = NULL;
    WEFT_TRY(weft_study_open(&(weft_study_options){.file = it->file, .results = "unused.weft"},
                             catalog, &study, err));
    weft_status status = weft_study_check(study, text, err);
    weft_study_close(study);
    return status;
}

static trial_end find(weft_text *said, const char *what, const char *more)
{
    weft_text_add(said, "%s%s%s\n", what, *more ? ": " : "", more);
    return TRIAL_FINDING;
}

/* What two runs say together. */
static trial_end compare(const trial *it, const outcome *a, const outcome *b, const char *checked,
                         weft_text *said)
{
    const char *verdict = strstr(checked, "\ndeadlock ");
    bool ruled_out = verdict && strstr(verdict, FREE) &&
                     strstr(verdict, FREE) < verdict + strcspn(verdict + 1, "\n");
    if (it->context && weft_context_rank(it->context) > 0)
        return a->status == WEFT_OK ? TRIAL_RAN : TRIAL_DEADLOCKED;
    if (*b->passed.text)
        return find(said, "a checkpoint is passed over", b->passed.text);
    if (a->status != b->status)
        return find(said, "one run ends otherwise than the other",
                    *a->err.text ? a->err.text : b->err.text);
    if (is_deadlock(a) && ruled_out)
        return find(said, "a deadlock that the check had ruled out", a->err.text);
    if (is_deadlock(a))
        return strcmp(a->err.text, b->err.text) == 0
                   ? TRIAL_DEADLOCKED
                   : find(said, "two runs find different deadlocks", b->err.text);
    if (a->status != WEFT_OK)
        return find(said, "the check had nothing against it, but", a->err.text);
    if (a->unlawful.length > 0)
        return find(said, "a law does not hold", a->unlawful.at);
    if (a->bytes.length != b->bytes.length ||
        memcmp(a->bytes.at, b->bytes.at, a->bytes.length) != 0)
        return find(said, "the result bytes differ", "");
    return TRIAL_RAN;
}

/* The two runs, into files. */
static trial_end run_both(const trial *it, const weft_catalog *catalog, const char *checked,
                          weft_text *said)
{
    outcome a, b;
    char *first = weft_text_format("%s/first.weft", it->folder);
    char *second = weft_text_format("%s/second.weft", it->shared ? it->shared : it->folder);
    bool reads = !it->context || weft_context_rank(it->context) == 0;
    run_first(it, catalog, first, &a);
    if (a.status == WEFT_OK && reads)
        a.status = read_results(it, first, &a);
    look_for_leaks(it);
    run_second(it, catalog, second, a.asked, &b);
    if (b.status == WEFT_OK && reads)
        b.status = read_results(it, second, &b);
    trial_end end = compare(it, &a, &b, checked, said);
    forget(&a);
    forget(&b);
    free(first);
    free(second);
    return end;
}

static trial_end run_alone(const trial *it, const weft_catalog *catalog, const char *checked,
                           weft_text *said)
{
    outcome a;
    run_first(it, catalog, WEFT_IN_MEMORY, &a);
    trial_end end = compare(it, &a, &a, checked, said);
    forget(&a);
    return end;
}

static trial_end try_here(const trial *it, weft_text *said,
                          trial_end (*run)(const trial *, const weft_catalog *, const char *,
                                           weft_text *))
{
    weft_error err = {""};
    weft_catalog *catalog = weft_catalog_create();
    char *checked;
    weft_status status = check(it, catalog, &checked, &err);
    trial_end end = TRIAL_REFUSED;
    if (status == WEFT_OK) {
        end = run(it, catalog, checked, said);
    } else if (status == WEFT_BAD_INPUT && has_place(it, err.text)) {
        look_for_leaks(it);
        weft_text_add(said, "%s\n", err.text);
    } else {
        end = find(said, "refused without a place", err.text);
    }
    free(checked);
    weft_catalog_destroy(catalog);
    return end;
}

trial_end trial_here(const trial *it, weft_text *said)
{
    return try_here(it, said, run_both);
}

trial_end trial_once(const trial *it, weft_text *said)
{
    return try_here(it, said, run_alone);
}

static void add_file(weft_text *text, const char *path)
{
    char bytes[4096];
    FILE *file = fopen(path, "rb");
    size_t count;
    while (file && text->length < LOG_MOST && (count = fread(bytes, 1, sizeof bytes, file)) > 0)
        weft_text_append(text, bytes, count);
    if (file)
        (void)fclose(file);
}

/* The child: whatever it says goes into the log. */
static void try_and_exit(const trial *it, const char *log)
{
    weft_text said;
    weft_text_init(&said);
    if (!freopen(log, "w", stderr) || dup2(fileno(stderr), STDOUT_FILENO) < 0)
        _exit(TRIAL_ENDS);
    const struct rlimit limit = {CORE_SECONDS_MOST, CORE_SECONDS_MOST};
    (void)setrlimit(RLIMIT_CPU, &limit);
    (void)alarm(SECONDS_MOST);
    trial_end end = trial_here(it, &said);
    (void)fprintf(stderr, "%s", said.at ? said.at : "");
    weft_text_done(&said);
    exit(100 + (int)end); /* not _exit: OpenMP has to clear up */
}

trial_end trial_apart(const trial *it, weft_text *said)
{
    char *log = weft_text_format("%s/log", it->folder);
    int status = 0;
    (void)fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        try_and_exit(it, log);
    bool ended = child > 0 && waitpid(child, &status, 0) == child;
    int code = ended && WIFEXITED(status) ? WEXITSTATUS(status) - 100 : -1;
    if (ended && WIFSIGNALED(status))
        weft_text_add(said, "ended by signal %d (%s)\n", WTERMSIG(status),
                      strsignal(WTERMSIG(status)));
    add_file(said, log);
    free(log);
    return code >= 0 && code < TRIAL_ENDS ? (trial_end)code : TRIAL_FINDING;
}
