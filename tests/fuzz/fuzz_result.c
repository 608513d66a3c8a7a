/* SPDX-License-Identifier: Apache-2.0 */
/* A results file of any bytes: opening, reading and exporting it never crashes, never takes more
 * memory than the size of the file allows, and always ends. */
#include "fuzz_file.h"
#include "interweft/result.h"

static weft_status nowhere(void *to, const char *bytes, size_t count, weft_error *err)
{
    (void)to, (void)bytes, (void)count, (void)err;
    return WEFT_OK;
}

/* The bytes as a file (SQLite wants one with a name); it also gets the header a results file must
 * have, so that the fuzzer need not find it. */
static const char *make_file(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size + 1);
    if (!copy)
        abort();
    if (size > 0)
        memcpy(copy, data, size);
    if (size >= 100) {
        memcpy(copy, "SQLite format 3", 16);
        memcpy(copy + 18, "\1\1", 2);
        memcpy(copy + 60, "\0\0\0\1", 4);
        memcpy(copy + 68, "Weft", 4);
    }
    const char *path = fuzz_file("results", copy, size);
    free(copy);
    return path;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = make_file(data, size);
    weft_result *result;
    weft_error err;
    if (weft_result_open(path, &result, &err) == WEFT_OK) {
        for (int format = WEFT_FORMAT_CANONICAL; format <= WEFT_FORMAT_JSON; format++)
            if (weft_result_export(result, (weft_format)format, nowhere, NULL, &err) != WEFT_OK)
                break;
        weft_result_close(result);
    }
    return 0;
}
