/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes go to "path.part", which takes the name path when all of them are on their way to the
 * disk. */
#include "report/save.h"

#include "base/file.h"
#include "base/text.h"

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
    *file = (weft_save){.path = path};
    WEFT_TRY(weft_save_check(path, err));
    file->part = weft_text_format("%s.part", path);
    int fd = weft_bytes_part(file->part);
    file->out = fd < 0 ? NULL : fdopen(fd, "wb");
    if (file->out)
        return WEFT_OK;
    weft_status status = failed(file, err);
    if (fd >= 0)
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
    if (fclose(file->out) != 0 && status == WEFT_OK)
        status = failed(file, err);
    if (status == WEFT_OK && rename(file->part, file->path) != 0)
        status = failed(file, err);
    if (status != WEFT_OK)
        (void)unlink(file->part);
    free(file->part);
    return status;
}
