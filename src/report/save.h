/* SPDX-License-Identifier: Apache-2.0 */
/* Files that appear only once they are complete. */
#ifndef WEFT_REPORT_SAVE_H
#define WEFT_REPORT_SAVE_H

#include "interweft/result.h"

#include <stdio.h>

typedef struct weft_save {
    const char *path; /* borrowed */
    char *part;
    FILE *out;
} weft_save;

/* Starts "path.part". What stands at path must be a regular file or nothing: no device, pipe, link
 * or directory is replaced. */
WEFT_MUST_USE weft_status weft_save_begin(weft_save *file, const char *path, weft_error *err);
/* A weft_sink; to is the weft_save. */
WEFT_MUST_USE weft_status weft_save_write(void *to, const char *bytes, size_t count,
                                          weft_error *err);
/* Puts the file in its place if status is WEFT_OK, else removes the part; the status of it all. */
WEFT_MUST_USE weft_status weft_save_end(weft_save *file, weft_status status, weft_error *err);
/* Is there nothing but a regular file, if anything, at path? NULL is fine. */
WEFT_MUST_USE weft_status weft_save_check(const char *path, weft_error *err);

#endif
