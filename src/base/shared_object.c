/* SPDX-License-Identifier: Apache-2.0 */
#include "base/shared_object.h"

#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Does the file hold every part that is to be loaded? One that is no ELF file of this machine is
 * left to the loader. */
static bool is_whole(int fd, uint64_t size)
{
    ElfW(Ehdr) head;
    ElfW(Phdr) part;
    if (pread(fd, &head, sizeof head, 0) != (ssize_t)sizeof head ||
        memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_phentsize != sizeof part)
        return true;
    for (unsigned i = 0; i < head.e_phnum; i++) {
        uint64_t at = head.e_phoff + (uint64_t)i * sizeof part;
        if (at > size || pread(fd, &part, sizeof part, (off_t)at) != (ssize_t)sizeof part)
            return false;
        if (part.p_type == PT_LOAD &&
            (part.p_offset > size || part.p_filesz > size - part.p_offset))
            return false;
    }
    return true;
}

const char *weft_shared_object_flaw(const char *path)
{
    struct stat info;
    /* O_NONBLOCK: a FIFO must not hang the program before it is refused. */
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    const char *flaw = NULL;
    if (fd < 0)
        return NULL;
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))
        flaw = "it is not a regular file";
    else if (!is_whole(fd, (uint64_t)info.st_size))
        flaw = "it is cut short";
    (void)close(fd);
    return flaw;
}
