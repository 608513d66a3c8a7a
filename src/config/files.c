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
#define WHOLE ((off_t)1 << 32)  /* bytes of a file that are all summed up; of a longer one … */
#define END   ((off_t)1 << 26)  /* … with holes so many at its beginning and at its end */
#define OWN   0x48674bc7u       /* of any file that ends with its own checksum, as fabrics do */

/* Adds up to `most` bytes from here on to a checksum; false: they cannot be read. */
static bool sum_on(int fd, off_t most, char *piece, uint32_t *crc)
{
    ptrdiff_t came;
    do {
        size_t wanted = most < (off_t)PIECE ? (size_t)most : PIECE;
        came = weft_bytes_fill(fd, piece, wanted);
        if (came > 0)
            *crc = weft_crc32c(*crc, piece, (size_t)came);
        most -= came;
    } while (came == (ptrdiff_t)PIECE && most > 0);
    return came >= 0;
}

/* Is the file far larger than what the disk holds of it? */
static bool is_hollow(const struct stat *info)
{
    return info->st_size > WHOLE && (off_t)info->st_blocks < info->st_size / 1024;
}

/* The checksum of a regular file; false: it cannot be read. */
static bool sum_up(int fd, const struct stat *info, uint32_t *crc)
{
    char *piece = weft_alloc(PIECE);
    *crc = 0;
    bool good = !is_hollow(info) ? sum_on(fd, INT64_MAX, piece, crc)
                                 : sum_on(fd, END, piece, crc) && lseek(fd, -END, SEEK_END) >= 0 &&
                                       sum_on(fd, END, piece, crc);
    if (good && *crc == OWN && info->st_size > (off_t)sizeof *crc) {
        *crc = 0;
        good = lseek(fd, 0, SEEK_SET) == 0 &&
               sum_on(fd, info->st_size - (off_t)sizeof *crc, piece, crc);
    }
    free(piece);
    return good;
}

void weft_files_add(weft_text *text, const weft_file *file)
{
    /* O_NONBLOCK: a FIFO must not hang the program before it is refused. */
    int fd = open(file->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    struct stat info;
    uint32_t crc;
    if (fd < 0)
        return;
    bool good = fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && sum_up(fd, &info, &crc);
    if (good && is_hollow(&info))
        weft_text_add(text, WEFT_FILES_LINE "%s bytes %lld ends crc32c %08x\n", file->text,
                      (long long)info.st_size, (unsigned)crc);
    else if (good)
        weft_text_add(text, WEFT_FILES_LINE "%s crc32c %08x\n", file->text, (unsigned)crc);
    (void)close(fd);
}
