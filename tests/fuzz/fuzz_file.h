/* SPDX-License-Identifier: Apache-2.0 */
/* What fuzz targets share: the reader they are for, and files in memory for readers that take a
 * path. The files lie in a folder of the process in /dev/shm, or where TMPDIR says. */
#ifndef WEFT_FUZZ_FILE_H
#define WEFT_FUZZ_FILE_H

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Is this the reader that WEFT_READER names? Without it every reader is. */
static inline bool fuzz_wants(const char *reader)
{
    const char *only = getenv("WEFT_READER");
    return !only || !*only || strcmp(only, reader) == 0;
}

/* The folder of this process. */
static inline const char *fuzz_folder(void)
{
    static char folder[256];
    const char *above = getenv("TMPDIR");
    if (!*folder) {
        (void)snprintf(folder, sizeof folder, "%s/fuzz.%d", above ? above : "/dev/shm",
                       (int)getpid());
        if (mkdir(folder, 0700) != 0 && access(folder, W_OK) != 0)
            abort();
    }
    return folder;
}

/* These bytes as the file of a name in that folder; the path holds until the next call. */
static inline const char *fuzz_file(const char *name, const void *data, size_t size)
{
    static char path[512];
    (void)snprintf(path, sizeof path, "%s/%s", fuzz_folder(), name);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    (void)close(fd);
    return path;
}

/* Lines as words, at most `most`, in a copy that free(words[0]) ends; NULL behind the last. */
static inline size_t fuzz_words(const uint8_t *data, size_t size, char **words, size_t most)
{
    char *text = calloc(1, size + 1);
    size_t count = 0;
    if (!text)
        abort();
    if (size > 0)
        memcpy(text, data, size);
    for (char *rest = text; rest && count < most;)
        words[count++] = strsep(&rest, "\n");
    words[count] = NULL;
    return count;
}

#endif
