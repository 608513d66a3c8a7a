/* SPDX-License-Identifier: Apache-2.0 */
/* Whole files as bytes: read from regular files only and up to a limit, written so that they
 * appear only once complete. */
#ifndef WEFT_BASE_FILE_H
#define WEFT_BASE_FILE_H

#include "interweft/status.h"

#include <stddef.h>
#include <stdint.h>

typedef struct weft_bytes {
    char *at; /* a \0 follows them; free() it */
    size_t count;
} weft_bytes;

/* Reads at most `room` bytes from an open file; returns their number, or −1 with errno. */
ptrdiff_t weft_bytes_fill(int fd, char *into, size_t room);
/* What comes after the last slash of a path. */
const char *weft_bytes_name(const char *path);
/* The path of the file that a path stands for, symbolic links to it followed, whether it exists or
 * not; malloc'ed. */
char *weft_bytes_follow(const char *path);
#define WEFT_NEAREST_CHARS 96
/* "; did you mean 'torus.yaml'?": the file of the same folder whose name is nearest that of a
 * missing one; "" if none is near. */
const char *weft_bytes_nearest(const char *path, char text[WEFT_NEAREST_CHARS]);
/* Opens a regular file of at most `most` bytes. what: the expected content, for error messages
 * ("an edge list"). */
WEFT_MUST_USE weft_status weft_bytes_open(const char *path, uint64_t most, const char *what,
                                          int *fd, uint64_t *size, weft_error *err);
/* The bytes of such a file. */
WEFT_MUST_USE weft_status weft_bytes_read(const char *path, size_t most, const char *what,
                                          weft_bytes *bytes, weft_error *err);

/* Opens "path.part", empty and for this process alone, to be kept by the next call or unlinked
 * before it is closed; *part is to be freed. Fails if another process writes it, or if there is
 * something at path that is no regular file. */
WEFT_MUST_USE weft_status weft_bytes_begin(const char *path, char **part, int *fd, weft_error *err);
/* Brings it to the disk and then gives it its name. */
WEFT_MUST_USE weft_status weft_bytes_keep(const char *path, const char *part, int fd,
                                          weft_error *err);
/* A whole file or none, by these. */
WEFT_MUST_USE weft_status weft_bytes_write(const char *path, const void *data, size_t count,
                                           weft_error *err);

#endif
