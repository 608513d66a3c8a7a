/* SPDX-License-Identifier: Apache-2.0 */
#include "base/file.h"

#include "base/memory.h"
#include "base/suggest.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

int weft_bytes_part(const char *part)
{
    (void)unlink(part);
    return open(part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
}

weft_status weft_bytes_write(const char *path, const void *data, size_t count, weft_error *err)
{
    struct stat info;
    if (lstat(path, &info) == 0 && !S_ISREG(info.st_mode))
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%.1024s is there already and no regular file: it is left alone", path);
    char *part = weft_text_format("%s.part", path), buffer[128];
    int fd = weft_bytes_part(part);
    bool good = fd >= 0 && write_all(fd, data, count) && fsync(fd) == 0;
    int code = errno;
    if (fd >= 0 && close(fd) != 0 && good) {
        good = false;
        code = errno;
    }
    if (good && rename(part, path) != 0) {
        good = false;
        code = errno;
    }
    if (!good && fd >= 0)
        (void)unlink(part);
    free(part);
    return good ? WEFT_OK
                : weft_fail(err, WEFT_BAD_INPUT, "%.1024s cannot be written: %s", path,
                            strerror_r(code, buffer, sizeof buffer));
}
