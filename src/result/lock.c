/* SPDX-License-Identifier: Apache-2.0 */
/* O_EXCL is the one exclusive operation that every network file system keeps. Only a process of
 * this host can be known to be gone: there is no such pid, or it started at another time than the
 * lock says. A stale lock is rewritten in place under flock, which orders those who find it at the
 * same time; they all run on this host. */
#include "result/lock.h"

#include "base/text.h"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define LOCK_TEXT     512
#define ATTEMPTS      200
#define WAIT          5000000L  /* nanoseconds between them … */
#define EMPTY_WAIT    60000000L /* … and where the lock is empty: 12 s in all */
#define EMPTY_SECONDS 10 /* an empty lock this old was left by a process that died making it */

typedef struct owner {
    char host[256];
    long long pid;
    unsigned long long start; /* clock ticks after boot, /proc/PID/stat */
} owner;

/* When did the process start? False if it is gone (or dead and not yet reaped). */
static bool process_start(long long pid, unsigned long long *start)
{
    char file[64], text[1024];
    (void)snprintf(file, sizeof file, "/proc/%lld/stat", pid);
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t length = read(fd, text, sizeof text - 1);
    (void)close(fd);
    if (length <= 0)
        return false;
    text[length] = '\0';
    char *at = strrchr(text, ')'); /* the name before it may hold anything */
    if (!at || !at[1])
        return false;
    if (at[2] == 'Z' || at[2] == 'X')
        return false;
    for (int field = 2; field < 22 && at; field++)
        at = strchr(at + 1, ' ');
    if (!at)
        return false;
    *start = strtoull(at + 1, NULL, 10);
    return true;
}

static owner self(void)
{
    owner me = {.pid = getpid()};
    if (gethostname(me.host, sizeof me.host - 1) != 0 || !me.host[0])
        strcpy(me.host, "unknown");
    for (char *c = me.host; *c; c++)
        if (*c == ' ' || *c == '\n')
            *c = '_';
    if (!process_start(me.pid, &me.start))
        me.start = 0;
    return me;
}

static bool parse(const char *text, owner *who)
{
    char end = 0;
    return sscanf(text, "%255s %lld %llu%c", who->host, &who->pid, &who->start, &end) == 4 &&
           end == '\n' && who->pid > 0;
}

static bool is_gone(const owner *who, const owner *me)
{
    if (strcmp(who->host, me->host) != 0)
        return false;
    unsigned long long start;
    return !process_start(who->pid, &start) || start != who->start;
}

static char *lock_name(const char *path)
{
    return weft_text_format("%s.lock", path);
}

static bool write_owner(int fd, const owner *me)
{
    char text[LOCK_TEXT];
    int length = snprintf(text, sizeof text, "%s %lld %llu\n", me->host, me->pid, me->start);
    assert(length > 0 && (size_t)length < sizeof text);
    for (int at = 0; at < length;) {
        ssize_t put = pwrite(fd, text + at, (size_t)(length - at), at);
        if (put <= 0)
            return false;
        at += (int)put;
    }
    return ftruncate(fd, length) == 0 && fsync(fd) == 0;
}

static bool read_text(int fd, char text[LOCK_TEXT])
{
    ssize_t length = pread(fd, text, LOCK_TEXT - 1, 0);
    text[length > 0 ? length : 0] = '\0';
    return length >= 0;
}

static weft_status refuse(const char *name, const char *path, const owner *who, weft_error *err)
{
    return weft_fail(err, WEFT_BAD_INPUT,
                     "%s is being written by process %lld on host %s; wait until it has finished\n"
                     "(or remove the lock file %s if that process no longer exists)",
                     path, who->pid, who->host, name);
}

/* The lock file exists and fd is flocked: ours now, or somebody's. */
static weft_status judge(int fd, const char *name, const char *path, const owner *me, bool *empty,
                         weft_error *err)
{
    char text[LOCK_TEXT];
    struct stat info;
    owner who;
    if (!read_text(fd, text) || fstat(fd, &info) != 0)
        return weft_fail(err, WEFT_BAD_INPUT, "%s: cannot read the lock file: %s", name,
                         strerror(errno));
    bool young = llabs((long long)(time(NULL) - info.st_mtime)) < EMPTY_SECONDS;
    if (parse(text, &who)) {
        if (!is_gone(&who, me))
            return refuse(name, path, &who, err);
    } else if (text[0] || young) {
        *empty = !text[0];
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%s is locked, but its lock file %s does not say by whom; remove it if "
                         "nobody writes there",
                         path, name);
    }
    if (!write_owner(fd, me))
        return weft_fail(err, WEFT_BAD_INPUT, "%s: cannot write the lock file: %s", name,
                         strerror(errno));
    return WEFT_OK;
}

/* Looks at an existing lock file; *again: it changed meanwhile, or is empty and young, so that it
 * is worth a look after *wait nanoseconds. */
static weft_status examine(const char *name, const char *path, const owner *me, bool *again,
                           long *wait, weft_error *err)
{
    *again = false;
    *wait = WAIT;
    int fd = open(name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) {
        *again = errno == ENOENT;
        return weft_fail(err, WEFT_BAD_INPUT, "%s: cannot open the lock file: %s", name,
                         strerror(errno));
    }
    struct stat mine, now;
    bool busy = flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    weft_status status = WEFT_BAD_INPUT;
    if (busy || fstat(fd, &mine) != 0 || stat(name, &now) != 0 || mine.st_ino != now.st_ino) {
        *again = true;
        (void)weft_fail(err, status, "%s: the lock file changes all the time; try again", name);
    } else {
        status = judge(fd, name, path, me, again, err);
        *wait = *again ? EMPTY_WAIT : *wait;
    }
    (void)close(fd);
    return status;
}

static weft_status make(int fd, const char *name, const owner *me, weft_error *err)
{
    bool written = write_owner(fd, me);
    int why = errno;
    (void)close(fd);
    if (written)
        return WEFT_OK;
    (void)unlink(name);
    return weft_fail(err, WEFT_BAD_INPUT, "%s: cannot write the lock file: %s", name,
                     strerror(why));
}

weft_status weft_lock_take(const char *path, weft_error *err)
{
    char *name = lock_name(path);
    owner me = self();
    weft_status status = WEFT_BAD_INPUT;
    bool again = true;
    for (int i = 0; i < ATTEMPTS && again; i++) {
        int fd = open(name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
        if (fd >= 0) {
            status = make(fd, name, &me, err);
            break;
        }
        if (errno != EEXIST) {
            status =
                weft_fail(err, WEFT_BAD_INPUT,
                          "%s: cannot create the lock file: %s; --results FILE writes elsewhere",
                          name, strerror(errno));
            break;
        }
        long wait;
        status = examine(name, path, &me, &again, &wait, err);
        if (again)
            (void)nanosleep(&(struct timespec){.tv_nsec = wait}, NULL);
    }
    free(name);
    return status;
}

void weft_lock_release(const char *path)
{
    char *name = lock_name(path);
    char text[LOCK_TEXT];
    owner who, me = self();
    int fd = open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd >= 0) {
        if (read_text(fd, text) && parse(text, &who) && who.pid == me.pid &&
            who.start == me.start && strcmp(who.host, me.host) == 0)
            (void)unlink(name);
        (void)close(fd);
    }
    free(name);
}
