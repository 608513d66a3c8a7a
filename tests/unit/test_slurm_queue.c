/* SPDX-License-Identifier: Apache-2.0 */
/* Jobs in the queue, with stand-ins for Slurm's commands: what is made of every answer. */
#include "base/file.h"
#include "base/text.h"
#include "slurm/ask.h"
#include "slurm/partition.h"
#include "slurm/queue.h"
#include "test_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <cmocka.h>

static void put_file(const char *name, const char *text)
{
    weft_error err;
    assert_int_equal(weft_bytes_write(name, text, strlen(text), &err), WEFT_OK);
}

/* The command `name` notes its words and then does `body`. */
static void stand_in(const char *name, const char *body)
{
    char *text =
        weft_text_format("#!/bin/bash\necho \"${0##*/} $*\" >>%s/asked\n%s\n", folder, body);
    put_file(name, text);
    assert_int_equal(chmod(name, 0755), 0);
    free(text);
}

static void asked(const char *wanted)
{
    weft_bytes bytes;
    weft_error err;
    assert_int_equal(weft_bytes_read("asked", 1 << 20, "words", &bytes, &err), WEFT_OK);
    assert_string_equal(bytes.at, wanted);
    free(bytes.at);
    assert_int_equal(unlink("asked"), 0);
}

/* ---- looking ---- */

static void look(weft_slurm_view *view)
{
    weft_error err = {.text = ""};
    bool there = false;
    if (weft_slurm_look("f", view, &there, &err) != WEFT_OK)
        fail_msg("%s", err.text);
    assert_true(there);
}

static void tasks_are_what_queue_and_files_say(void **state)
{
    weft_slurm_view view;
    (void)state;
    put_file("f/job", "slurm 1\njob 17\ntask 4 100\ntask 3 50\ntask 1 10\ntask 2 10\ntask 2 10\n"
                      "task 2 10\n");
    /* lines that are none of ours are passed over */
    stand_in("squeue", "printf '0|RUNNING|None\\n1|PENDING|Resources\\n4|REQUEUED|None\\n"
                       "9|RUNNING|None\\nx\\n5\\n5|\\n'");
    put_file("f/0.weft.progress", "1 of 4 0.5 40\n");
    put_file("f/2.state", "done\n");
    put_file("f/3.state", "failed 3\n");
    put_file("f/5.state", "stopped\n");
    look(&view);
    asked("squeue -h -r -j 17 -o %K|%T|%r\n");
    assert_string_equal(view.job, "17");
    assert_int_equal(view.n_tasks, 6);
    assert_int_equal(view.count[WEFT_SLURM_RUNNING], 1);
    assert_int_equal(view.count[WEFT_SLURM_PENDING], 2);
    assert_int_equal(view.count[WEFT_SLURM_DONE], 1);
    assert_int_equal(view.count[WEFT_SLURM_FAILED], 1);
    assert_int_equal(view.count[WEFT_SLURM_STOPPED], 1);
    assert_string_equal(view.reason, "Resources");
    assert_true(view.failed == 3 && view.ended == 3 && !view.cancelled);
    assert_true(view.n_points == 14 && view.done == 2);
    /* task 0 takes 40 s more; it needed 0.8 of its estimate, and so 60 s of others take 48 */
    assert_true(view.left_s > 87.9 && view.left_s < 88.1);
    assert_true(weft_slurm_is_active(&view));
}

static void what_is_left_depends_on_what_runs(void **state)
{
    static const struct {
        const char *queue, *progress;
        double left;
    } cases[] = {
        {"0|RUNNING|None\\n1|RUNNING|None\\n", "", 30},               /* both unknown: 60 s / 2 */
        {"0|RUNNING|None\\n1|RUNNING|None\\n", "1 of 4 0.1 90", 810}, /* the longest */
        {"0|RUNNING|None\\n", "1 of 4 2 90", 50}, /* more than all: not believed */
        {"0|RUNNING|None\\n", "1 of 4 0.5 -1", 50},
        {"0|RUNNING|None\\n", "9 of 4 nan 1", 50},
        {"0|RUNNING|None\\n", "9 of 4 1 7", 0},
        {"0|SPECIAL_EXIT|None\\n1|COMPLETING|None\\n", "", 60},
        {"", "", -1},
    };
    weft_slurm_view view;
    (void)state;
    put_file("f/job", "slurm 1\njob 17\ntask 4 50\ntask 3 10\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *body = weft_text_format("printf '%s'", cases[i].queue);
        stand_in("squeue", body);
        put_file("f/0.weft.progress", cases[i].progress);
        look(&view);
        if (view.left_s < cases[i].left - 0.1 || view.left_s > cases[i].left + 0.1)
            fail_msg("case %zu: %g s", i, view.left_s);
        assert_true(view.done <= 4);
        free(body);
    }
    /* both have left the queue without a word */
    assert_true(view.count[WEFT_SLURM_FAILED] == 2 && view.failed == 0 && view.ended == 0);
}

static void refusals_of_the_queue_are_told(void **state)
{
    weft_slurm_view view;
    weft_error err = {.text = ""};
    bool there;
    (void)state;
    put_file("f/job", "slurm 1\njob 17\ntask 4 50\n");
    stand_in("squeue", "echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1");
    look(&view);
    assert_int_equal(view.count[WEFT_SLURM_FAILED], 1);
    stand_in("squeue", "printf 'no way\\nmore\\n' >&2; exit 3");
    assert_int_equal(weft_slurm_look("f", &view, &there, &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text, "squeue ended with status 3: no way");
    stand_in("squeue", "kill -9 $$");
    assert_int_equal(weft_slurm_look("f", &view, &there, &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text, "squeue ended with status 137: ");
    assert_int_equal(chmod("squeue", 0644), 0);
    const char *words[] = {"./squeue", NULL};
    char *answer;
    int ended;
    assert_int_equal(weft_slurm_ask(words, &ended, &answer, &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text, "cannot run ./squeue: Permission denied");
    words[0] = "./nothing";
    assert_int_equal(weft_slurm_ask(words, &ended, &answer, &err), WEFT_BAD_INPUT);
    assert_memory_equal(err.text, "there is no command ./nothing here: this needs Slurm", 52);
    /* without a job there is nothing to ask */
    assert_int_equal(unlink("f/job"), 0);
    assert_int_equal(weft_slurm_look("f", &view, &there, &err), WEFT_OK);
    assert_false(there);
    put_file("f/job.sh", "");
    assert_int_equal(weft_slurm_look("f", &view, &there, &err), WEFT_BAD_INPUT);
    assert_memory_equal(err.text,
                        "f/job.sh was to be submitted, and nobody knows whether it was: ", 63);
    (void)unlink("asked");
}

/* ---- submitting and cancelling ---- */

static void answers_of_sbatch_are_read(void **state)
{
    static const struct {
        const char *body, *sentence;
        bool unsure;
    } cases[] = {
        {"echo 'sbatch: error: no such partition' >&2; exit 1",
         "sbatch ended with status 1: sbatch: error: no such partition", false},
        {"echo 'sbatch: error: Socket timed out' >&2; exit 1",
         "sbatch ended with status 1: sbatch: error: Socket timed out; f/job.sh may be in the "
         "queue "
         "all the same: `squeue --me` says so, `scancel NUMBER` ends it; remove the folder if no "
         "job writes there",
         true},
        {"kill -9 $$",
         "sbatch ended with status 137: ; f/job.sh may be in the queue all the same: `squeue --me` "
         "says so, `scancel NUMBER` ends it; remove the folder if no job writes there",
         true},
        {"echo hello",
         "sbatch should have printed the number of a job, found 'hello'; f/job.sh may be in the "
         "queue all the same: `squeue --me` says so, `scancel NUMBER` ends it; remove the folder "
         "if no job writes there",
         true},
    };
    weft_slurm_item items[] = {{1, 100, 5}, {2, 10, 9}};
    weft_slurm_plan plan;
    weft_slurm_record record;
    weft_error err = {.text = ""};
    char job[WEFT_SLURM_JOB_CHARS];
    const char *const options[] = {"--partition=night", "--qos=a b", NULL};
    bool unsure = false, there;
    (void)state;
    weft_slurm_divide(items, 2, 2, &plan);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        stand_in("sbatch", cases[i].body);
        unsure = !cases[i].unsure;
        assert_int_equal(weft_slurm_submit("f", NULL, &plan, job, &unsure, &err), WEFT_BAD_INPUT);
        assert_string_equal(err.text, cases[i].sentence);
        assert_true(unsure == cases[i].unsure);
        asked("sbatch --parsable --output=f/%a.log f/job.sh\n");
    }
    stand_in("sbatch", "echo '18;cluster'");
    assert_int_equal(weft_slurm_submit("f", options, &plan, job, &unsure, &err), WEFT_OK);
    assert_string_equal(job, "18");
    asked("sbatch --parsable --output=f/%a.log --partition=night --qos=a b f/job.sh\n");
    assert_int_equal(weft_slurm_record_read("f", &record, &there, &err), WEFT_OK);
    assert_true(there && record.n_tasks == 2 && strcmp(record.job, "18") == 0);
    weft_slurm_record_done(&record);
    /* a folder that cannot be written into, with a sign that is sbatch's own */
    assert_int_equal(weft_slurm_submit("50%", NULL, &plan, job, &unsure, &err), WEFT_BAD_INPUT);
    asked("sbatch --parsable --output=50%%/%a.log 50%/job.sh\n");
    assert_true(unsure);
    assert_memory_equal(err.text, "job 18 was submitted, and cannot be recorded: ", 46);
    assert_non_null(strstr(err.text, "; `scancel 18` ends it, then remove the folder 50%"));
    weft_slurm_plan_done(&plan);
}

static void jobs_are_stopped_and_killed(void **state)
{
    weft_error err = {.text = ""};
    (void)state;
    stand_in("scancel", "exit 0");
    assert_int_equal(weft_slurm_stop("f", "17", &err), WEFT_OK);
    asked("scancel --quiet --state=PENDING 17\n"
          "scancel --quiet --batch --signal=TERM --state=RUNNING 17\n");
    assert_int_equal(access("f/cancelled", F_OK), 0);
    assert_int_equal(weft_slurm_kill("17", &err), WEFT_OK);
    asked("scancel --quiet 17\n");
    /* what has ended meanwhile, or has no such task, is no mistake */
    static const char *const good[] = {
        "exit 1", "echo 'scancel: error: Invalid job id 17' >&2; exit 1",
        "echo 'scancel: error: job id 17: Job/step already completing or completed' >&2; exit 1"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        stand_in("scancel", good[i]);
        assert_int_equal(weft_slurm_kill("17", &err), WEFT_OK);
    }
    stand_in("scancel", "echo 'scancel: error: Access denied' >&2; exit 1");
    assert_int_equal(weft_slurm_kill("17", &err), WEFT_BAD_INPUT);
    assert_string_equal(err.text, "scancel ended with status 1: scancel: error: Access denied");
    assert_int_equal(weft_slurm_stop("f", "17", &err), WEFT_BAD_INPUT);
    assert_int_equal(weft_slurm_stop("nowhere", "17", &err), WEFT_BAD_INPUT);
    assert_non_null(strstr(err.text, "nowhere/cancelled"));
    (void)unlink("asked");
}

/* ---- folders, limits, commands ---- */

static void folders_that_cannot_be_made_are_named(void **state)
{
    weft_error err = {.text = ""};
    (void)state;
    put_file("file", "");
    assert_int_equal(weft_slurm_folder_take("file/f", &err), WEFT_BAD_INPUT);
    assert_non_null(strstr(err.text, "file/f"));
    char *lock = weft_text_format("%s/nowhere/f", folder);
    assert_int_equal(weft_slurm_folder_make(lock, "", &(weft_slurm_plan){.n_tasks = 0}, &err),
                     WEFT_BAD_INPUT);
    assert_non_null(strstr(err.text, "nowhere/f: No such file or directory; --results FILE writes "
                                     "elsewhere"));
    free(lock);
}

static void limits_of_partitions_are_found(void **state)
{
    double seconds = 0;
    (void)state;
    stand_in("sinfo", "printf 'day*|infinite\\nnight|1-00:00:00\\nlong*|2:00:00\\nodd\\n'");
    assert_true(weft_slurm_limit("night", &seconds) && seconds == 86400);
    assert_true(weft_slurm_limit(NULL, &seconds) && seconds == 7200);
    assert_true(weft_slurm_limit("long", &seconds) && seconds == 7200);
    assert_false(weft_slurm_limit("nigh", &seconds));
    assert_false(weft_slurm_limit("odd", &seconds));
    stand_in("sinfo", "echo 'night|1:00'; exit 1");
    assert_false(weft_slurm_limit("night", &seconds));
    assert_int_equal(chmod("sinfo", 0644), 0); /* found first, and not run */
    char *before = strdup(getenv("PATH"));
    assert_int_equal(setenv("PATH", folder, 1), 0);
    assert_false(weft_slurm_limit("night", &seconds));
    assert_int_equal(setenv("PATH", before, 1), 0);
    free(before);
    (void)unlink("asked");
}

static void passed(int number)
{
    (void)number;
}

static void commands_need_files_and_bear_signals(void **state)
{
    const char *const words[] = {"bash", "-c",
                                 "echo 17; sleep 0.1; echo 18; exec >&- 2>&-; sleep 0.1", NULL};
    struct rlimit all, few;
    weft_error err = {.text = ""};
    char *answer;
    int ended;
    (void)state;
    int next = open("/dev/null", O_RDONLY | O_CLOEXEC);
    assert_true(next >= 0 && close(next) == 0);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &all), 0);
    for (rlim_t more = 0; more < 4; more += 2) {
        few = (struct rlimit){.rlim_cur = (rlim_t)next + more, .rlim_max = all.rlim_max};
        assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
        weft_status status = weft_slurm_ask(words, &ended, &answer, &err);
        assert_int_equal(setrlimit(RLIMIT_NOFILE, &all), 0);
        assert_int_equal(status, WEFT_BAD_INPUT);
        assert_string_equal(err.text, "cannot run bash: Too many open files");
        assert_int_equal(ended, -1);
    }
    struct sigaction action = {.sa_handler = passed}, before;
    struct itimerval often = {.it_interval = {.tv_usec = 20000}, .it_value = {.tv_usec = 20000}};
    assert_int_equal(sigaction(SIGALRM, &action, &before), 0);
    assert_int_equal(setitimer(ITIMER_REAL, &often, NULL), 0);
    weft_status status = weft_slurm_ask(words, &ended, &answer, &err);
    assert_int_equal(setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {0}}, NULL), 0);
    assert_int_equal(sigaction(SIGALRM, &before, NULL), 0);
    assert_int_equal(status, WEFT_OK);
    assert_int_equal(ended, 0);
    assert_string_equal(answer, "17\n18\n");
    free(answer);
}

/* ---- ---- */

static int enter(void **state)
{
    if (folder_enter(state) != 0 || mkdir("f", 0777) != 0)
        return -1;
    char *path = weft_text_format("%s:%s", folder, getenv("PATH"));
    int status = setenv("PATH", path, 1);
    free(path);
    return status;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tasks_are_what_queue_and_files_say),
        cmocka_unit_test(what_is_left_depends_on_what_runs),
        cmocka_unit_test(refusals_of_the_queue_are_told),
        cmocka_unit_test(answers_of_sbatch_are_read),
        cmocka_unit_test(jobs_are_stopped_and_killed),
        cmocka_unit_test(folders_that_cannot_be_made_are_named),
        cmocka_unit_test(limits_of_partitions_are_found),
        cmocka_unit_test(commands_need_files_and_bear_signals),
    };
    return cmocka_run_group_tests(tests, enter, folder_leave);
}
