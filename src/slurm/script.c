/* SPDX-License-Identifier: Apache-2.0 */
/* Slurm tells the shell of the script some time before the limit (--signal=B:TERM@…), and so does
 * weft cancel. The shell passes it on: to the process it has started, or by scancel to the ranks,
 * since srun itself, told to terminate, kills them. They write checkpoints and end with status 4,
 * upon which the task is requeued and goes on.
 *
 * 1. A task that is being cancelled, by anybody, is not requeued: its state is no longer RUNNING.
 * 2. The lock of a part is removed first: nobody but this task writes the part, and whoever left
 *    the lock was killed, on a machine that may be another one.
 * 3. scancel tries for long where a job is ending by itself (preemption), so nobody
 *    waits for it, and it is ended: it must not find the same job when that has begun again.
 * 4. A signal that comes before the program listens ends it with 143, which is as good as 4.
 * 5. Neither is a stop if nobody asked for it: a full disk ends with 4 too, and would for ever.
 *    Slurm may ask the ranks alone (GraceTime of a preemption); then they leave N.weft.stopped.
 * 6. The last task of an array has the number of the whole array as its SLURM_JOB_ID. */
#include "slurm/script.h"

#include "base/text.h"

#include <assert.h>
#include <string.h>

#define NAME_MOST     48
#define RESTARTS_MOST 1000 /* of a task that never comes to an end */

/* In single quotes, which nothing ends but another one. */
static void add_quoted(weft_text *to, const char *word)
{
    weft_text_add(to, "'");
    for (const char *c = word; *c; c++)
        if (*c == '\'')
            weft_text_add(to, "'\\''");
        else
            weft_text_append(to, c, 1);
    weft_text_add(to, "'");
}

static void add_name(weft_text *to, const char *name)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";
    for (size_t i = 0; i < NAME_MOST && name[i]; i++)
        weft_text_add(to, "%c", strchr(plain, name[i]) ? name[i] : '-');
}

/* Whole minutes, at least one; Slurm knows no less. */
static long minutes(double seconds)
{
    long whole = (long)(seconds / 60);
    return (double)whole * 60 < seconds || whole == 0 ? whole + 1 : whole;
}

/* Seconds before the limit at which a task is told to stop. */
static long notice_s(double limit_s)
{
    return limit_s / 4 < 120 ? (long)(limit_s / 4) : 120;
}

static void add_directives(weft_text *to, const weft_slurm_script *script)
{
    int64_t mib = script->bytes / script->threads / (1 << 20) + 1;
    double limit_s = 60 * (double)minutes(script->limit_s);
    weft_text_add(to, "#SBATCH --job-name=");
    add_name(to, script->name);
    weft_text_add(to, "\n#SBATCH --array=0-%zu\n", script->n_tasks - 1);
    weft_text_add(to, "#SBATCH --ntasks=%u --cpus-per-task=%u\n", script->ranks, script->threads);
    weft_text_add(to, "#SBATCH --mem-per-cpu=%lldM --time=%ld\n", (long long)mib,
                  minutes(script->limit_s));
    weft_text_add(to, "#SBATCH --signal=B:TERM@%ld --requeue --open-mode=append\n",
                  notice_s(limit_s));
}

static void add_start(weft_text *to, const weft_slurm_script *script)
{
    weft_text_add(to, "folder=");
    add_quoted(to, script->folder);
    weft_text_add(
        to, "\npart=$folder/$SLURM_ARRAY_TASK_ID\n"
            "points=$(sed -n \"$((SLURM_ARRAY_TASK_ID + 1))p\" \"$folder/points\")\n"
            "say() { printf '%%s\\n' \"$*\" >\"$part.state.new\" && mv -f \"$part.state.new\" "
            "\"$part.state\"; }\n"
            "fail() { say \"failed $status\"; exit \"$status\"; }\n"
            "if [[ -e $folder/cancelled ]]; then say stopped; exit 0; fi\n"
            "# of a process that was killed, or of the last time: only this task writes here\n"
            "rm -f \"$part.weft.lock\" \"$part.weft.stopped\"\n"
            "task=${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID\n"
            "told=0 asked= pid= teller=\n"
            "stop() {\n"
            "    told=$((told + 1)) asked=1\n");
    weft_text_add(to,
                  script->ranks > 1
                      ? "    timeout 20 scancel --signal=TERM \"$task\" & # the ranks, not srun\n"
                        "    teller=$!\n"
                      : "    [[ -z $pid ]] || kill -TERM \"$pid\"\n");
    weft_text_add(to, "}\n"
                      "trap stop TERM\n"
                      "say running\n");
}

static void add_launcher(weft_text *to, const char *mpi)
{
    weft_text_add(to, "srun --mpi=");
    add_quoted(to, mpi);
    weft_text_add(to, " ");
}

static void add_command(weft_text *to, const weft_slurm_script *script)
{
    if (script->ranks > 1)
        add_launcher(to, script->mpi);
    for (const char *const *word = script->words; *word; word++) {
        add_quoted(to, *word);
        weft_text_add(to, " ");
    }
    weft_text_add(to, "--points \"$points\" --part \"$part.weft\" &\n"
                      "pid=$!\n"
                      "[[ -z $asked ]] || kill -TERM \"$pid\" # asked before it had begun\n");
}

static void add_end(weft_text *to)
{
    weft_text_add(
        to,
        "wait \"$pid\"\n"
        "status=$?\n"
        "while [[ $status -gt 128 && $told -gt 0 ]]; do # it was the signal that ended the wait\n"
        "    told=$((told - 1))\n"
        "    wait \"$pid\"\n"
        "    status=$?\n"
        "done\n"
        "trap '' TERM\n"
        "[[ -z $teller ]] || kill \"$teller\" 2>/dev/null\n"
        "case $status in\n"
        "0) say done ;;\n"
        "4 | 143) # stopped, with a checkpoint\n"
        "    [[ $asked || -e $part.weft.stopped ]] || fail\n"
        "    say stopped\n"
        "    if [[ ! -e $folder/cancelled && ${SLURM_RESTART_COUNT:-0} -lt %d &&\n"
        "        $(squeue -h -j \"$task\" -o %%T) == RUNNING ]]; then\n"
        "        say waiting\n"
        "        scontrol requeue \"$task\" || say stopped\n"
        "    fi\n"
        "    ;;\n"
        "*) fail ;;\n"
        "esac\n",
        RESTARTS_MOST);
}

char *weft_slurm_script_write(const weft_slurm_script *script)
{
    assert(script->n_tasks > 0 && script->ranks > 0 && script->threads > 0);
    weft_text text;
    weft_text_init(&text);
    weft_text_add(&text, "#!/bin/bash\n"
                         "# Runs the points that line N + 1 of the file `points` names, N the "
                         "number of the task.\n");
    add_directives(&text, script);
    add_start(&text, script);
    add_command(&text, script);
    add_end(&text);
    return weft_text_take(&text);
}
