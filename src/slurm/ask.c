/* SPDX-License-Identifier: Apache-2.0 */
/* Clients of Slurm wait for minutes where its controller is down, so each has a limit here. They
 * have process groups of their own: Ctrl-C is for the one who follows a job. */
#include "slurm/ask.h"

#include "base/clock.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define WAIT_S      30
#define ANSWER_MOST ((size_t)16 << 20)

extern char **environ;

typedef struct conversation {
    pid_t pid;
    int from[2]; /* its standard output and error */
    weft_text text[2];
} conversation;

static int spawn(const char *const *words, int out, int wrong, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, wrong, STDERR_FILENO);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    int why =
        posix_spawnp(pid, words[0], &actions, &attributes, (char *const *)(void *)words, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return why;
}

static weft_status begin(const char *const *words, conversation *c, weft_error *err)
{
    int pipes[2][2];
    if (pipe2(pipes[0], O_CLOEXEC) != 0)
        return weft_fail(err, WEFT_BAD_INPUT, "cannot run %s: %s", words[0], strerror(errno));
    if (pipe2(pipes[1], O_CLOEXEC) != 0) {
        (void)close(pipes[0][0]);
        (void)close(pipes[0][1]);
        return weft_fail(err, WEFT_BAD_INPUT, "cannot run %s: %s", words[0], strerror(errno));
    }
    int why = spawn(words, pipes[0][1], pipes[1][1], &c->pid);
    for (int k = 0; k < 2; k++) {
        (void)close(pipes[k][1]);
        c->from[k] = pipes[k][0];
        if (why)
            (void)close(pipes[k][0]);
    }
    if (why == ENOENT)
        return weft_fail(
            err, WEFT_BAD_INPUT,
            "there is no command %s here: this needs Slurm (Debian: slurm-client) on a "
            "machine that may submit jobs",
            words[0]);
    if (why)
        return weft_fail(err, WEFT_BAD_INPUT, "cannot run %s: %s", words[0], strerror(why));
    return WEFT_OK;
}

/* Reads until both are closed; false: that takes too long. */
static bool listen_to(conversation *c)
{
    double until = weft_clock() + WAIT_S;
    char buffer[4096];
    while (c->from[0] >= 0 || c->from[1] >= 0) {
        struct pollfd polled[2] = {{.fd = c->from[0], .events = POLLIN},
                                   {.fd = c->from[1], .events = POLLIN}};
        double left = until - weft_clock();
        int ready = left > 0 ? poll(polled, 2, (int)(1000 * left) + 1) : 0;
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready <= 0)
            return false;
        for (int k = 0; k < 2; k++) {
            if (c->from[k] < 0 || !polled[k].revents)
                continue;
            ssize_t got = read(c->from[k], buffer, sizeof buffer);
            if (got > 0 && c->text[k].length < ANSWER_MOST)
                weft_text_append(&c->text[k], buffer, (size_t)got);
            if (got == 0 || (got < 0 && errno != EINTR)) {
                (void)close(c->from[k]);
                c->from[k] = -1;
            }
        }
    }
    return true;
}

weft_status weft_slurm_ask(const char *const *words, int *ended, char **answer, weft_error *err)
{
    conversation c;
    int status = 0; /* as of a child that somebody else has waited for */
    *answer = NULL;
    *ended = -1;
    WEFT_TRY(begin(words, &c, err));
    weft_text_init(&c.text[0]);
    weft_text_init(&c.text[1]);
    bool heard = listen_to(&c);
    if (!heard)
        (void)kill(c.pid, SIGKILL);
    while (waitpid(c.pid, &status, 0) < 0 && errno == EINTR)
        continue;
    for (int k = 0; k < 2; k++)
        if (c.from[k] >= 0)
            (void)close(c.from[k]);
    *ended = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    *answer = weft_text_take(&c.text[*ended != 0]);
    weft_text_done(&c.text[*ended == 0]);
    if (heard)
        return WEFT_OK;
    free(*answer);
    *answer = NULL;
    return weft_fail(err, WEFT_BAD_INPUT, "%s has not answered for %d s; is Slurm's controller up?",
                     words[0], WAIT_S);
}
