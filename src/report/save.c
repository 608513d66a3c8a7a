/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes go to "path.part", which takes the name path when all of them are on the disk: a crash of
 * the machine leaves no file that only looks complete. */
#include "report/save.h"

#include "base/file.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

weft_status weft_save_check(const char *path, weft_error *err)
{
    struct stat info;
    if (path && lstat(path, &info) == 0 && !S_ISREG(info.st_mode))
        return weft_fail(err, WEFT_BAD_INPUT, "cannot write %s: it is not a regular file", path);
    return WEFT_OK;
}

static weft_status failed(const weft_save *file, weft_error *err)
{
    return weft_fail(err, WEFT_BAD_INPUT, "cannot write %s: %s", file->path, strerror(errno));
}

weft_status weft_save_begin(weft_save *file, const char *path, weft_error *err)
{
    assert(path);
    int fd;
    *file = (weft_save){.path = path};
    WEFT_TRY(weft_bytes_begin(path, &file->part, &fd, err));
    file->out = fdopen(fd, "wb");
    if (file->out)
        return WEFT_OK;
    weft_status status = failed(file, err);
    (void)close(fd);
    free(file->part);
    return status;
}

weft_status weft_save_write(void *to, const char *bytes, size_t count, weft_error *err)
{
    const weft_save *file = to;
    if (fwrite(bytes, 1, count, file->out) != count)
        return failed(file, err);
    return WEFT_OK;
}

weft_status weft_save_end(weft_save *file, weft_status status, weft_error *err)
{
    if (status == WEFT_OK && ferror(file->out)) /* of a write whose end nobody looked at */
        status = weft_fail(err, WEFT_BAD_INPUT, "cannot write all of %s: no room, or an I/O error",
                           file->path);
    if (status == WEFT_OK && fflush(file->out) != 0)
        status = failed(file, err);
    if (status == WEFT_OK)
        status = weft_bytes_keep(file->path, file->part, fileno(file->out), err);
    if (status != WEFT_OK)
        (void)unlink(file->part);
    (void)fclose(file->out); /* what counts is on the disk */
    free(file->part);
    return status;
}
