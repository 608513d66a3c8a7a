/* SPDX-License-Identifier: Apache-2.0 */
/* A large file of which only a part is in memory at a time: a window that moves forward, or parts
 * by their place. Regular files only, up to a limit. */
#ifndef WEFT_BASE_WINDOW_H
#define WEFT_BASE_WINDOW_H

#include "interweft/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct weft_window {
    int fd;
    uint64_t size; /* of the file */
    char *at;      /* what is in memory: count bytes, and a \0 */
    size_t count, room;
    bool failed; /* it could not be read to its end */
} weft_window;

/* what: the expected content, for error messages. Its beginning is in memory then. */
WEFT_MUST_USE weft_status weft_window_open(const char *path, uint64_t most, const char *what,
                                           weft_window *window, weft_error *err);
void weft_window_close(weft_window *window);
/* Forgets the first `used` bytes and reads more behind the others, which move to the front. False:
 * there are no more. */
bool weft_window_move(weft_window *window, size_t used);
/* Bytes of the file, which are there until the next call; NULL: they cannot be read. */
const char *weft_window_part(weft_window *window, uint64_t offset, size_t count);
/* "… cannot be read" if it has failed, else the status as it is. */
weft_status weft_window_status(const weft_window *window, const char *path, weft_status status,
                               weft_error *err);

#endif
