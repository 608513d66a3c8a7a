/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes in and out of one file of a checkpoint. Failures of writing are WEFT_STOPPED (the
 * checkpoint before is still there to resume from), wrong files WEFT_BAD_INPUT. */
#include "kernel/checkpoint_file.h"

#include "base/crc32c.h"
#include "base/pack.h"
#include "base/text.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

weft_checkpoint_part_name weft_checkpoint_part_name_of(uint32_t part)
{
    weft_checkpoint_part_name name;
    (void)snprintf(name.text, sizeof name.text, "part-%05" PRIu32, part);
    return name;
}

char *weft_checkpoint_path(const char *folder, uint64_t generation, bool fresh)
{
    return weft_text_format("%s/%" PRIu64 "%s", folder, generation, fresh ? ".new" : "");
}

static char *file_path(const char *folder, uint64_t generation, bool fresh, const char *name)
{
    return weft_text_format("%s/%" PRIu64 "%s/%s", folder, generation, fresh ? ".new" : "", name);
}

/* ---- writing ---- */

weft_status weft_file_create(const char *folder, uint64_t generation, const char *name,
                             weft_checkpoint_file *file, weft_error *err)
{
    *file = (weft_checkpoint_file){.path = file_path(folder, generation, true, name)};
    file->fd = open(file->path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file->fd >= 0)
        return WEFT_OK;
    (void)weft_fail(err, WEFT_STOPPED, "%s: cannot create: %s", file->path, strerror(errno));
    free(file->path);
    return WEFT_STOPPED;
}

static weft_status cannot_write(const weft_checkpoint_file *file, int why, weft_error *err)
{
    static const char *const unit[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    double amount = (double)file->length;
    unsigned i = 0;
    for (; amount >= 1024 && i < 4; i++)
        amount /= 1024;
    return weft_fail(err, WEFT_STOPPED, "%s: cannot write: %s (wrote %.*f %s of this file)",
                     file->path, strerror(why), i > 0, amount, unit[i]);
}

weft_status weft_file_write(weft_checkpoint_file *file, const void *data, size_t bytes,
                            weft_error *err)
{
    const unsigned char *at = data;
    while (bytes > 0) {
        ssize_t written = write(file->fd, at, bytes);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return cannot_write(file, written < 0 ? errno : EIO, err);
        at += written;
        bytes -= (size_t)written;
        file->length += (uint64_t)written;
    }
    return WEFT_OK;
}

weft_status weft_file_finish(weft_checkpoint_file *file, weft_error *err)
{
    int why = fsync(file->fd) == 0 ? 0 : errno;
    if (close(file->fd) != 0 && why == 0) /* a network file system may say it only now */
        why = errno;
    weft_status status = why == 0 ? WEFT_OK : cannot_write(file, why, err);
    free(file->path);
    return status;
}

weft_status weft_folder_sync(const char *path, weft_error *err)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int why = fd >= 0 && fsync(fd) == 0 ? 0 : errno;
    if (fd >= 0)
        (void)close(fd);
    if (why == 0 || why == EINVAL || why == ENOTSUP) /* some file systems do it by themselves */
        return WEFT_OK;
    char *whole = realpath(path, NULL); /* "." says little */
    weft_status status = weft_fail(err, WEFT_STOPPED, "%s: cannot bring the folder to the disk: %s",
                                   whole ? whole : path, strerror(why));
    free(whole);
    return status;
}

/* ---- reading ---- */

/* O_NONBLOCK: a named pipe would make us wait for its writer. */
static int open_in(const char *folder, uint64_t generation, bool fresh, const char *name)
{
    char *path = weft_checkpoint_path(folder, generation, fresh);
    int fd = -1, in = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    free(path);
    if (in >= 0) {
        fd = openat(in, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        int why = errno;
        (void)close(in);
        errno = why;
    }
    return fd;
}

weft_status weft_file_open(const char *folder, uint64_t generation, bool fresh, const char *name,
                           weft_checkpoint_file *file, weft_error *err)
{
    *file = (weft_checkpoint_file){.path = file_path(folder, generation, fresh, name)};
    file->fd = open_in(folder, generation, fresh, name);
    struct stat info;
    if (file->fd < 0 || fstat(file->fd, &info) != 0)
        (void)weft_fail(err, WEFT_BAD_INPUT, "%s: cannot open: %s", file->path,
                        errno == ELOOP ? "it is a symbolic link" : strerror(errno));
    else if (!S_ISREG(info.st_mode))
        (void)weft_fail(err, WEFT_BAD_INPUT, "%s: not a regular file", file->path);
    else {
        file->length = (uint64_t)info.st_size;
        return WEFT_OK;
    }
    weft_file_close(file);
    return WEFT_BAD_INPUT;
}

weft_status weft_file_read(const weft_checkpoint_file *file, uint64_t offset, void *data,
                           size_t bytes, weft_error *err)
{
    assert(offset <= INT64_MAX && bytes <= INT64_MAX - offset);
    unsigned char *at = data;
    while (bytes > 0) {
        ssize_t got = pread(file->fd, at, bytes, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return weft_fail(err, WEFT_BAD_INPUT, "%s: cannot read: %s", file->path,
                             strerror(errno));
        if (got == 0)
            return weft_fail(err, WEFT_BAD_INPUT, "%s: became shorter while it was read",
                             file->path);
        at += got;
        bytes -= (size_t)got;
        offset += (uint64_t)got;
    }
    return WEFT_OK;
}

void weft_file_close(weft_checkpoint_file *file)
{
    if (file->fd >= 0)
        (void)close(file->fd);
    free(file->path);
    *file = (weft_checkpoint_file){.fd = -1};
}

weft_status weft_file_recognise(const weft_checkpoint_file *file, const unsigned char *header,
                                const char *magic, const char *what, weft_error *err)
{
    if (memcmp(header, magic, WEFT_MAGIC_BYTES) != 0)
        return weft_fail(err, WEFT_BAD_INPUT, "%s: not a %s", file->path, what);
    uint32_t format = weft_get_u32(header + WEFT_MAGIC_BYTES);
    if (format != WEFT_CHECKPOINT_FORMAT)
        return weft_fail(err, WEFT_BAD_INPUT, "%s: format %" PRIu32 ", this program reads %u",
                         file->path, format, WEFT_CHECKPOINT_FORMAT);
    return WEFT_OK;
}

/* The last four bytes of header and trailer are the CRC of the others. */
static weft_status check_crc(const weft_checkpoint_file *file, const unsigned char *data,
                             size_t bytes, const char *what, weft_error *err)
{
    uint32_t found = weft_crc32c(0, data, bytes - WEFT_CRC_BYTES);
    uint32_t expected = weft_get_u32(data + bytes - WEFT_CRC_BYTES);
    if (found == expected)
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT,
                     "%s: its %s is damaged (checksum %08" PRIx32 ", expected %08" PRIx32 ")",
                     file->path, what, found, expected);
}

static weft_status look_at_header(const weft_checkpoint_file *file, uint64_t generation,
                                  uint32_t part, weft_error *err)
{
    unsigned char header[WEFT_PART_HEADER];
    WEFT_TRY(weft_file_read(file, 0, header, sizeof header, err));
    WEFT_TRY(weft_file_recognise(file, header, WEFT_PART_MAGIC, "part of a checkpoint", err));
    WEFT_TRY(check_crc(file, header, sizeof header, "header", err));
    uint32_t its_part = weft_get_u32(header + 12);
    uint64_t its_generation = weft_get_u64(header + 16);
    if (its_part != part || its_generation != generation)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%s: is part %" PRIu32 " of generation %" PRIu64 ", expected part %" PRIu32
                         " of generation %" PRIu64,
                         file->path, its_part, its_generation, part, generation);
    return WEFT_OK;
}

weft_status weft_checkpoint_part_look(const weft_checkpoint_file *file, uint64_t generation,
                                      uint32_t part, weft_checkpoint_part_end *end, weft_error *err)
{
    const uint64_t least = WEFT_PART_HEADER + WEFT_PART_TRAILER;
    if (file->length < least)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%s: too short to be a part of a checkpoint (%" PRIu64 " bytes)",
                         file->path, file->length);
    WEFT_TRY(look_at_header(file, generation, part, err));
    unsigned char trailer[WEFT_PART_TRAILER];
    WEFT_TRY(weft_file_read(file, file->length - sizeof trailer, trailer, sizeof trailer, err));
    WEFT_TRY(check_crc(file, trailer, sizeof trailer, "trailer", err));
    *end = (weft_checkpoint_part_end){weft_get_u64(trailer), weft_get_u64(trailer + 8),
                                      weft_get_u32(trailer + 16)};
    if (end->chunks > (file->length - least) / WEFT_PART_ENTRY ||
        end->index_at != file->length - WEFT_PART_TRAILER - end->chunks * (uint64_t)WEFT_PART_ENTRY)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%s: an index of %" PRIu64 " chunks at byte %" PRIu64
                         " does not fit its %" PRIu64 " bytes",
                         file->path, end->chunks, end->index_at, file->length);
    return WEFT_OK;
}
