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

/* Starts "path.part". path must be a regular file or not exist: no device, pipe, link or directory
 * is replaced. */
WEFT_MUST_USE weft_status weft_save_begin(weft_save *file, const char *path, weft_error *err);
/* A weft_sink; to is the weft_save. */
WEFT_MUST_USE weft_status weft_save_write(void *to, const char *bytes, size_t count,
                                          weft_error *err);
/* Moves the file to its path if status is WEFT_OK, else removes the part; returns the overall
 * status. */
WEFT_MUST_USE weft_status weft_save_end(weft_save *file, weft_status status, weft_error *err);
/* Fails unless path is a regular file or does not exist. path may be NULL. */
WEFT_MUST_USE weft_status weft_save_check(const char *path, weft_error *err);

#endif
