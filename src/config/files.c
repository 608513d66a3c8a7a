/* SPDX-License-Identifier: Apache-2.0 */
#include "config/files.h"

#include "base/crc32c.h"
#include "base/file.h"
#include "base/memory.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECE ((size_t)1 << 18) /* bytes read at a time */

/* The checksum of a regular file; false: it cannot be read. */
static bool sum_up(int fd, uint32_t *crc)
{
    struct stat info;
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))
        return false;
    char *piece = weft_alloc(PIECE);
    ptrdiff_t came;
    *crc = 0;
    do {
        came = weft_bytes_fill(fd, piece, PIECE);
        if (came > 0)
            *crc = weft_crc32c(*crc, piece, (size_t)came);
    } while (came == (ptrdiff_t)PIECE);
    free(piece);
    return came >= 0;
}

void weft_files_add(weft_text *text, const weft_file *file)
{
    /* O_NONBLOCK: a FIFO must not hang the program before it is refused. */
    int fd = open(file->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    uint32_t crc;
    if (fd < 0)
        return;
    if (sum_up(fd, &crc))
        weft_text_add(text, WEFT_FILES_LINE "%s crc32c %08x\n", file->text, (unsigned)crc);
    (void)close(fd);
}
