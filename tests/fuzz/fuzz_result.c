/* SPDX-License-Identifier: Apache-2.0 */
/* A results file of any bytes: opening, reading and exporting it never crashes, never takes more
 * memory than the size of the file allows, and always ends. */
#include "interweft/result.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static weft_status nowhere(void *to, const char *bytes, size_t count, weft_error *err)
{
    (void)to, (void)bytes, (void)count, (void)err;
    return WEFT_OK;
}

/* The bytes as a file (SQLite wants one with a name); it also gets the header a results file must
 * have, so that the fuzzer need not find it. */
static void make_file(const char *path, const uint8_t *data, size_t size)
{
    static const uint8_t ours[] = {0x57, 0x65, 0x66, 0x74}, format[] = {0, 0, 0, 1};
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    if (size >= 100 &&
        (pwrite(fd, "SQLite format 3", 16, 0) != 16 || pwrite(fd, "\1\1", 2, 18) != 2 ||
         pwrite(fd, format, 4, 60) != 4 || pwrite(fd, ours, 4, 68) != 4))
        abort();
    (void)close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/tmp/fuzz_result.%d", (int)getpid());
    make_file(path, data, size);
    weft_result *result;
    weft_error err;
    if (weft_result_open(path, &result, &err) == WEFT_OK) {
        for (int format = WEFT_FORMAT_CANONICAL; format <= WEFT_FORMAT_JSON; format++)
            if (weft_result_export(result, (weft_format)format, nowhere, NULL, &err) != WEFT_OK)
                break;
        weft_result_close(result);
    }
    (void)unlink(path);
    return 0;
}
