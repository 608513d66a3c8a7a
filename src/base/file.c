/* SPDX-License-Identifier: Apache-2.0 */
#include "base/file.h"

#include "base/memory.h"
#include "base/suggest.h"
#include "base/text.h"

#include <dirent.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A process that was killed may have left gnuplot behind, which writes for another moment. */
#define ATTEMPTS   100
#define PATIENCE   20000000 /* ns between two attempts */
#define LINKS_MOST 40       /* that lead from one to the next, as Linux has it */

static weft_status unreadable(const char *path, weft_error *err)
{
    char buffer[128];
    return weft_fail(err, WEFT_BAD_INPUT, "%.1024s cannot be read: %s", path,
                     strerror_r(errno, buffer, sizeof buffer));
}

const char *weft_bytes_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

char *weft_bytes_follow(const char *path)
{
    char *at = weft_text_copy(path), target[4096];
    for (int i = 0; i < LINKS_MOST; i++) {
        ssize_t length = readlink(at, target, sizeof target);
        if (length <= 0 || length == (ssize_t)sizeof target)
            return at;
        const char *name = weft_bytes_name(at);
        char *next = *target == '/'
                         ? weft_text_copy_part(target, (size_t)length)
                         : weft_text_format("%.*s%.*s", (int)(name - at), at, (int)length, target);
        free(at);
        at = next;
    }
    free(at); /* a circle: whoever opens it is told */
    return weft_text_copy(path);
}

const char *weft_bytes_nearest(const char *path, char text[WEFT_NEAREST_CHARS])
{
    const char *name = weft_bytes_name(path);
    char folder[4096], found[256] = "";
    weft_suggest suggest = {.word = name};
    text[0] = '\0';
    (void)snprintf(folder, sizeof folder, "%.*s", (int)(name - path), path);
    DIR *dir = opendir(*folder ? folder : ".");
    if (!dir)
        return text;
    for (struct dirent *item; (item = readdir(dir));) {
        if (item->d_name[0] == '.')
            continue;
        weft_suggest_offer(&suggest, item->d_name);
        if (suggest.best == item->d_name) { /* its memory is readdir's */
            (void)snprintf(found, sizeof found, "%s", item->d_name);
            suggest.best = found;
        }
    }
    (void)closedir(dir);
    /* endings are alike, so they do not count */
    if (2 * suggest.distance < strcspn(name, "."))
        (void)snprintf(text, WEFT_NEAREST_CHARS, "%s", weft_suggest_text(&suggest));
    return text;
}

ptrdiff_t weft_bytes_fill(int fd, char *into, size_t room)
{
    size_t have = 0;
    while (have < room) {
        ssize_t got = read(fd, into + have, room - have);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        have += (size_t)got;
    }
    return (ptrdiff_t)have;
}

static weft_status check_open(int fd, const char *path, uint64_t most, const char *what,
                              uint64_t *size, weft_error *err)
{
    struct stat info;
    if (fstat(fd, &info) != 0)
        return unreadable(path, err);
    if (!S_ISREG(info.st_mode))
        return weft_fail(err, WEFT_BAD_INPUT, "%.1024s is not a regular file; %s is one", path,
                         what);
    if ((uint64_t)info.st_size > most)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%.1024s has %.0f MiB, more than the %.0f MiB that %s may have", path,
                         (double)info.st_size * 0x1p-20, (double)most * 0x1p-20, what);
    *size = (uint64_t)info.st_size;
    return WEFT_OK;
}

weft_status weft_bytes_open(const char *path, uint64_t most, const char *what, int *fd,
                            uint64_t *size, weft_error *err)
{
    /* O_NONBLOCK: a FIFO must not hang the program before it is refused. */
    *fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (*fd < 0)
        return unreadable(path, err);
    weft_status status = check_open(*fd, path, most, what, size, err);
    if (status != WEFT_OK) {
        (void)close(*fd);
        *fd = -1;
    }
    return status;
}

weft_status weft_bytes_read(const char *path, size_t most, const char *what, weft_bytes *bytes,
                            weft_error *err)
{
    int fd = -1;
    uint64_t size = 0;
    *bytes = (weft_bytes){0};
    WEFT_TRY(weft_bytes_open(path, most, what, &fd, &size, err));
    bytes->at = weft_alloc((size_t)size + 1);
    ptrdiff_t count = weft_bytes_fill(fd, bytes->at, (size_t)size);
    weft_status status = count < 0 ? unreadable(path, err) : WEFT_OK;
    (void)close(fd);
    if (count >= 0) {
        bytes->count = (size_t)count;
        return WEFT_OK;
    }
    free(bytes->at);
    bytes->at = NULL;
    return status;
}

/* ---- writing: a file appears once it is complete ---- */

static bool write_all(int fd, const char *data, size_t count)
{
    while (count > 0) {
        ssize_t put = write(fd, data, count);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        data += put;
        count -= (size_t)put;
    }
    return true;
}

/* What an open file is to the name it was opened by. */
typedef enum part_state {
    PART_OWN,   /* ours, and nobody else's */
    PART_MOVED, /* it has its final name by now, or was removed: the name is free or another's */
    PART_LAID,  /* somebody has laid it there, to have it written over */
} part_state;

static part_state look_at(int fd, const char *name)
{
    struct stat open_one, named;
    if (fstat(fd, &open_one) != 0 || lstat(name, &named) != 0 || open_one.st_ino != named.st_ino ||
        open_one.st_dev != named.st_dev)
        return PART_MOVED;
    bool own = S_ISREG(named.st_mode) && named.st_nlink == 1 && named.st_uid == geteuid();
    return own ? PART_OWN : PART_LAID;
}

/* Opens a part, empty and locked; −1 with the reason, EBUSY if what was in the way is gone now. A
 * name whose file has moved is left alone: the part there, if any, is another writer's. */
static int take(const char *part, int *why)
{
    int fd = open(part, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    part_state state = fd < 0 && errno == ELOOP ? PART_LAID : PART_MOVED;
    /* some file systems cannot lock */
    if (fd >= 0 && (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)) {
        state = look_at(fd, part);
        if (state == PART_OWN && ftruncate(fd, 0) == 0)
            return fd;
        *why = state == PART_OWN ? errno : EBUSY;
    } else {
        *why = state == PART_LAID ? EBUSY : errno;
    }
    if (state != PART_MOVED)
        (void)unlink(part);
    if (fd >= 0)
        (void)close(fd);
    return -1;
}

/* Results begin with these bytes: no page, picture or table takes their place. */
static bool is_database(const char *path)
{
    static const char magic[16] = "SQLite format 3";
    char head[sizeof magic];
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    bool same = fd >= 0 && pread(fd, head, sizeof head, 0) == (ssize_t)sizeof head &&
                memcmp(head, magic, sizeof head) == 0;
    if (fd >= 0)
        (void)close(fd);
    return same;
}

weft_status weft_bytes_begin(const char *path, char **part, int *fd, weft_error *err)
{
    struct stat info;
    char buffer[128];
    *fd = -1;
    *part = NULL;
    if (lstat(path, &info) == 0 && !S_ISREG(info.st_mode))
        return weft_fail(err, WEFT_BAD_INPUT, "cannot write %.1024s: it is not a regular file",
                         path);
    if (is_database(path))
        return weft_fail(err, WEFT_BAD_INPUT,
                         "cannot write %.1024s: it is a results file; remove it, or name another",
                         path);
    *part = weft_text_format("%s.part", path);
    int why = EBUSY;
    for (int i = 0; i < ATTEMPTS && (*fd = take(*part, &why)) < 0; i++) {
        if (why == EWOULDBLOCK)
            (void)nanosleep(&(struct timespec){.tv_nsec = PATIENCE}, NULL);
        else if (why != EBUSY)
            break;
    }
    if (*fd >= 0)
        return WEFT_OK;
    free(*part);
    *part = NULL;
    return why == EWOULDBLOCK
               ? weft_fail(err, WEFT_BAD_INPUT,
                           "cannot write %.1024s: another process writes it; try again when that "
                           "has ended",
                           path)
               : weft_fail(err, WEFT_BAD_INPUT, "cannot write %.1024s: %s", path,
                           strerror_r(why, buffer, sizeof buffer));
}

weft_status weft_bytes_keep(const char *path, const char *part, int fd, weft_error *err)
{
    char buffer[128];
    if (fsync(fd) == 0 && rename(part, path) == 0)
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT, "cannot write %.1024s: %s", path,
                     strerror_r(errno, buffer, sizeof buffer));
}

weft_status weft_bytes_write(const char *path, const void *data, size_t count, weft_error *err)
{
    char *part, buffer[128];
    int fd;
    WEFT_TRY(weft_bytes_begin(path, &part, &fd, err));
    assert(part);
    weft_status status = write_all(fd, data, count)
                             ? weft_bytes_keep(path, part, fd, err)
                             : weft_fail(err, WEFT_BAD_INPUT, "cannot write %.1024s: %s", path,
                                         strerror_r(errno, buffer, sizeof buffer));
    if (status != WEFT_OK)
        (void)unlink(part);
    (void)close(fd);
    free(part);
    return status;
}
