/* SPDX-License-Identifier: Apache-2.0 */
#include "base/window.h"

#include "base/file.h"
#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PIECE ((size_t)1 << 18) /* bytes read at a time */

static void make_room(weft_window *window, size_t bytes)
{
    if (bytes < window->room)
        return;
    window->room = bytes + bytes / 2 + 1;
    window->at = weft_realloc(window->at, window->room, 1);
}

/* Reads on behind what is there. */
static bool read_on(weft_window *window)
{
    make_room(window, window->count + PIECE);
    ptrdiff_t came = weft_bytes_fill(window->fd, window->at + window->count, PIECE);
    window->failed = window->failed || came < 0;
    window->count += came > 0 ? (size_t)came : 0;
    window->at[window->count] = '\0';
    return came > 0;
}

weft_status weft_window_open(const char *path, uint64_t most, const char *what, weft_window *window,
                             weft_error *err)
{
    *window = (weft_window){.fd = -1};
    WEFT_TRY(weft_bytes_open(path, most, what, &window->fd, &window->size, err));
    (void)read_on(window);
    return WEFT_OK;
}

void weft_window_close(weft_window *window)
{
    if (window->fd >= 0)
        (void)close(window->fd);
    free(window->at);
    *window = (weft_window){.fd = -1};
}

bool weft_window_move(weft_window *window, size_t used)
{
    memmove(window->at, window->at + used, window->count - used);
    window->count -= used;
    return read_on(window);
}

const char *weft_window_part(weft_window *window, uint64_t offset, size_t count)
{
    make_room(window, count);
    for (window->count = 0; window->count < count;) {
        ssize_t got = pread(window->fd, window->at + window->count, count - window->count,
                            (off_t)(offset + window->count));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            window->failed = true;
            return NULL;
        }
        window->count += (size_t)got;
    }
    return window->at;
}

weft_status weft_window_status(const weft_window *window, const char *path, weft_status status,
                               weft_error *err)
{
    if (!window->failed)
        return status;
    return weft_fail(err, WEFT_BAD_INPUT,
                     "%.1024s cannot be read to its end: an I/O error, or it became shorter", path);
}
