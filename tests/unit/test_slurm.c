/* SPDX-License-Identifier: Apache-2.0 */
/* The array job without Slurm: how points are divided, what a shell makes of the script, which
 * records are refused. */
#include "base/file.h"
#include "base/text.h"
#include "slurm/ask.h"
#include "slurm/partition.h"
#include "slurm/queue.h"
#include "slurm/script.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void tasks_have_even_work(void **state)
{
    weft_slurm_item items[] = {{1, 100, 5}, {2, 10, 9}, {3, 10, 5}, {4, 80, 5}, {7, 10, 5}};
    weft_slurm_plan plan;
    (void)state;
    weft_slurm_divide(items, 5, 2, &plan);
    assert_int_equal(plan.n_tasks, 2);
    assert_string_equal(plan.tasks[0].points, "1,7"); /* 100 + 10 */
    assert_string_equal(plan.tasks[1].points, "2-4"); /* 80 + 10 + 10 */
    assert_true(plan.longest == 110 && plan.bytes == 9);
    weft_slurm_plan_done(&plan);
    weft_slurm_divide(items, 5, 0, &plan); /* 210 s: three tasks of a minute */
    assert_int_equal(plan.n_tasks, 3);
    weft_slurm_plan_done(&plan);
    weft_slurm_divide(items, 5, 900, &plan); /* none is without a point */
    assert_int_equal(plan.n_tasks, 5);
    for (size_t t = 0; t < 5; t++)
        assert_int_equal(plan.tasks[t].n_points, 1);
    weft_slurm_plan_done(&plan);
    weft_slurm_divide(items + 1, 2, 0, &plan); /* 20 s: one, with a range of points */
    assert_int_equal(plan.n_tasks, 1);
    assert_string_equal(plan.tasks[0].points, "2-3");
    weft_slurm_plan_done(&plan);
}

/* Every point once, in lists that a command can be given as one argument (128 KiB). */
static void check_lists(const weft_slurm_item *items, size_t n_items, const weft_slurm_plan *plan)
{
    char *seen = calloc(n_items + 1, 1);
    double all = 0;
    assert_non_null(seen);
    for (size_t t = 0; t < plan->n_tasks; t++) {
        const char *at = plan->tasks[t].points;
        size_t count = 0;
        assert_true(strlen(at) > 0 && strlen(at) < 56 << 10);
        while (*at) {
            char *end;
            unsigned long from = strtoul(at, &end, 10), to = from;
            if (*end == '-')
                to = strtoul(end + 1, &end, 10);
            assert_true(from > 0 && from <= to && to <= n_items);
            for (; from <= to; from++, count++)
                assert_int_equal(seen[from]++, 0);
            at = end + (*end == ',');
        }
        assert_int_equal(count, plan->tasks[t].n_points);
        all += plan->tasks[t].seconds;
    }
    for (size_t i = 0; i < n_items; i++)
        assert_int_equal(seen[items[i].point], 1);
    assert_true(plan->longest < 1.001 * all / (double)plan->n_tasks);
    free(seen);
}

static void lists_of_many_points_are_short(void **state)
{
    const size_t count = 100000;
    weft_slurm_item *items = calloc(count, sizeof *items);
    weft_slurm_plan plan;
    (void)state;
    assert_non_null(items);
    for (size_t i = 0; i < count; i++)
        items[i] = (weft_slurm_item){.point = i + 1, .seconds = 1.7, .bytes = 1};
    weft_slurm_divide(items, count, 4, &plan); /* all alike */
    check_lists(items, count, &plan);
    for (size_t t = 0; t < 4; t++)
        assert_int_equal(plan.tasks[t].n_points, count / 4);
    weft_slurm_plan_done(&plan);
    for (size_t i = 0; i < count; i++)
        items[i].seconds = 1 + (double)(i * 7919 % count) / 1000; /* no two alike, in no order */
    weft_slurm_divide(items, count, 4, &plan);
    check_lists(items, count, &plan);
    weft_slurm_plan_done(&plan);
    free(items);
}

/* Runs a script as task 1, with stand-ins for Slurm's commands; returns what it printed. */
static char *run_script(const char *text, const char *folder, int wanted)
{
    weft_error err;
    int ended;
    char *answer, *path = weft_text_format("%s/job.sh", folder);
    assert_int_equal(weft_bytes_write(path, text, strlen(text), &err), WEFT_OK);
    assert_int_equal(setenv("SLURM_ARRAY_TASK_ID", "1", 1), 0);
    assert_int_equal(setenv("SLURM_ARRAY_JOB_ID", "7", 1), 0);
    assert_int_equal(setenv("SLURM_JOB_ID", "7", 1), 0); /* as the last task of an array has it */
    const char *words[] = {"bash", path, NULL};
    assert_int_equal(weft_slurm_ask(words, &ended, &answer, &err), WEFT_OK);
    assert_int_equal(ended, wanted);
    free(path);
    return answer;
}

/* The words of a small file in a folder. */
static char *read_words(const char *folder, const char *name)
{
    weft_error err;
    weft_bytes bytes;
    char *path = weft_text_format("%s/%s", folder, name);
    assert_int_equal(weft_bytes_read(path, 100, "words", &bytes, &err), WEFT_OK);
    free(path);
    return bytes.at;
}

static void no_name_reaches_the_shell_unquoted(void **state)
{
    (void)state;
    char base[] = "/tmp/weft-test-XXXXXX";
    weft_error err;
    assert_non_null(mkdtemp(base));
    char *folder = weft_text_format("%s/it's $(touch broken) \"`id`\";\\", base);
    weft_slurm_item items[] = {{1, 1, 1}, {2, 1, 1}};
    weft_slurm_plan plan;
    weft_slurm_divide(items, 2, 2, &plan);
    const char *odd = "a'b \"$HOME\" `id` $(id) ; & | > < * ? \\ \n#x";
    const char *const words[] = {"printf", "<%s>", odd, "-n", NULL};
    weft_slurm_script script = {.name = "x\n#SBATCH --uid=0 $(id)",
                                .folder = folder,
                                .words = words,
                                .n_tasks = 2,
                                .ranks = 1,
                                .threads = 1,
                                .bytes = 1 << 28,
                                .limit_s = 61};
    char *text = weft_slurm_script_write(&script);
    assert_non_null(strstr(text, "#SBATCH --job-name=x--SBATCH---uid-0---id-\n"));
    assert_non_null(strstr(text, "--mem-per-cpu=257M --time=2\n"));
    assert_non_null(strstr(text, "--signal=B:TERM@30 --requeue"));
    assert_int_equal(weft_slurm_folder_make(folder, text, &plan, &err), WEFT_OK);
    char *said = run_script(text, folder, 0);
    char *wanted = weft_text_format("<%s><-n><--points><2><--part><%s/1.weft>", odd, folder);
    assert_string_equal(said, wanted);
    char *words_said = read_words(folder, "1.state");
    assert_string_equal(words_said, "done\n");
    free(words_said);
    free(said);
    free(wanted);
    free(text);
    weft_slurm_plan_done(&plan);
    weft_slurm_folder_remove(folder);
    assert_int_not_equal(access(folder, F_OK), 0);
    free(folder);
    assert_int_equal(rmdir(base), 0);
}

/* A command in a folder that is looked into first. */
static void make_stand_in(const char *folder, const char *name, const char *text)
{
    weft_error err;
    char *path = weft_text_format("%s/%s", folder, name);
    assert_int_equal(weft_bytes_write(path, text, strlen(text), &err), WEFT_OK);
    assert_int_equal(chmod(path, 0755), 0);
    free(path);
}

/* What task 1 of two says and asks for after a command of the shell. */
static void check_task(const char *command, int wanted, const char *state, const char *asked)
{
    char folder[] = "/tmp/weft-test-XXXXXX";
    assert_non_null(mkdtemp(folder));
    char *path = weft_text_format("%s:%s", folder, getenv("PATH")),
         *before = strdup(getenv("PATH"));
    /* of an array as a whole there is more than one line */
    make_stand_in(folder, "squeue",
                  "#!/bin/bash\necho RUNNING\n[[ $* == *' 7_1 '* ]] || echo PENDING\n");
    char *scontrol = weft_text_format("#!/bin/bash\necho \"$*\" >%s/asked\n", folder);
    make_stand_in(folder, "scontrol", scontrol);
    make_stand_in(folder, "asked", "");
    /* with EARLY the signal comes while the script says that it runs */
    make_stand_in(folder, "mv",
                  "#!/bin/bash\n/bin/mv \"$@\"\n[[ -z $EARLY ]] || kill -TERM $PPID\n");
    assert_int_equal(setenv("PATH", path, 1), 0);
    const char *const words[] = {"bash", "-c", command, NULL};
    char *text = weft_slurm_script_write(&(weft_slurm_script){.name = "x",
                                                              .folder = folder,
                                                              .words = words,
                                                              .n_tasks = 2,
                                                              .ranks = 1,
                                                              .threads = 1,
                                                              .bytes = 1,
                                                              .limit_s = 60});
    char *said = run_script(text, folder, wanted);
    char *of_state = read_words(folder, "1.state"), *of_asked = read_words(folder, "asked");
    assert_string_equal(of_state, state);
    assert_string_equal(of_asked, asked);
    assert_int_equal(setenv("PATH", before, 1), 0);
    char *remove = weft_text_format("rm -r %s", folder);
    const char *const shell[] = {"bash", "-c", remove, NULL};
    weft_error err;
    char *answer;
    int ended;
    assert_int_equal(weft_slurm_ask(shell, &ended, &answer, &err), WEFT_OK);
    free(answer);
    free(remove);
    free(of_state);
    free(of_asked);
    free(said);
    free(text);
    free(scontrol);
    free(path);
    free(before);
}

#define ASKED "trap 'exit 4' TERM; kill -TERM $PPID; while :; do sleep 0.02; done"

static void a_task_that_was_asked_to_stop_requeues_itself_alone(void **state)
{
    (void)state;
    check_task(ASKED, 0, "waiting\n", "requeue 7_1\n");
    char *text =
        weft_slurm_script_write(&(weft_slurm_script){.name = "x",
                                                     .folder = "x",
                                                     .words = (const char *const[]){"true", NULL},
                                                     .n_tasks = 1,
                                                     .ranks = 2,
                                                     .mpi = "pmix",
                                                     .threads = 1});
    assert_non_null(strstr(text, "scancel --signal=TERM \"$task\""));
    assert_null(strstr(text, "SLURM_JOB_ID"));
    free(text);
}

static void a_task_that_was_asked_before_it_began_is_told(void **state)
{
    (void)state;
    assert_int_equal(setenv("EARLY", "1", 1), 0);
    check_task("trap 'exit 4' TERM; for i in {1..500}; do sleep 0.02; done", 0, "waiting\n",
               "requeue 7_1\n");
    assert_int_equal(unsetenv("EARLY"), 0);
}

static void a_stop_that_nobody_asked_for_is_a_failure(void **state)
{
    (void)state;
    check_task("exit 4", 4, "failed 4\n", "");
    check_task("exit 143", 143, "failed 143\n", "");
    /* the program was asked, as it says itself */
    check_task(">\"$3.stopped\"; exit 4", 0, "waiting\n", "requeue 7_1\n");
}

static void records_are_not_trusted(void **state)
{
    static const char *const wrong[] = {"",
                                        "slurm 2\njob 1\ntask 1 1\n",
                                        "slurm 1\njob 1 --all\ntask 1 1\n",
                                        "slurm 1\njob -u\ntask 1 1\n",
                                        "slurm 1\njob 1\n",
                                        "slurm 1\njob 1\ntask 0 1\n",
                                        "slurm 1\njob 1\ntask 1 -1\n",
                                        "slurm 1\njob 1\ntask 1 nan\n",
                                        "slurm 1\njob 1\ntask 1 1 1\n",
                                        "slurm 1\njob 123456789012345678901234567890\ntask 1 1\n"};
    char folder[] = "/tmp/weft-test-XXXXXX";
    weft_error err;
    weft_slurm_record record;
    bool there;
    (void)state;
    assert_non_null(mkdtemp(folder));
    assert_int_equal(weft_slurm_record_read(folder, &record, &there, &err), WEFT_OK);
    assert_false(there);
    char *path = weft_slurm_file(folder, "job");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(weft_bytes_write(path, wrong[i], strlen(wrong[i]), &err), WEFT_OK);
        assert_int_equal(weft_slurm_record_read(folder, &record, &there, &err), WEFT_BAD_INPUT);
        assert_non_null(strstr(err.text, "is not the record of a job"));
    }
    const char *right = "slurm 1\njob 17\ntask 2 1.5\ntask 1 0\n";
    assert_int_equal(weft_bytes_write(path, right, strlen(right), &err), WEFT_OK);
    assert_int_equal(weft_slurm_record_read(folder, &record, &there, &err), WEFT_OK);
    assert_true(there && record.n_tasks == 2 && record.tasks[0].n_points == 2);
    assert_string_equal(record.job, "17");
    weft_slurm_record_done(&record);
    free(path);
    weft_slurm_folder_remove(folder);
}

static void times_are_read_as_slurm_writes_them(void **state)
{
    static const struct {
        const char *text;
        double seconds;
    } right[] = {{"30", 1800},     {"5:30", 330},         {"1:00:00", 3600},
                 {"2-12", 216000}, {"1-01:01:01", 90061}, {"1-00:01", 86460}};
    static const char *const wrong[] = {
        "",   "infinite", "UNLIMITED", "1:",   ":1",  "1-",
        "-1", "1:2:3:4",  "1-2-3",     "0:00", "n/a", "99999999999999999999"};
    double seconds;
    (void)state;
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        assert_true(weft_slurm_time(right[i].text, &seconds));
        assert_true(seconds == right[i].seconds);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(weft_slurm_time(wrong[i], &seconds));
}

static void a_missing_command_is_named(void **state)
{
    const char *words[] = {"weft-no-such-command", NULL};
    weft_error err;
    int ended;
    char *answer;
    (void)state;
    assert_int_equal(weft_slurm_ask(words, &ended, &answer, &err), WEFT_BAD_INPUT);
    assert_non_null(strstr(err.text, "there is no command weft-no-such-command here"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tasks_have_even_work),
        cmocka_unit_test(lists_of_many_points_are_short),
        cmocka_unit_test(no_name_reaches_the_shell_unquoted),
        cmocka_unit_test(a_task_that_was_asked_to_stop_requeues_itself_alone),
        cmocka_unit_test(a_task_that_was_asked_before_it_began_is_told),
        cmocka_unit_test(a_stop_that_nobody_asked_for_is_a_failure),
        cmocka_unit_test(records_are_not_trusted),
        cmocka_unit_test(times_are_read_as_slurm_writes_them),
        cmocka_unit_test(a_missing_command_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
