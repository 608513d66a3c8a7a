/* SPDX-License-Identifier: Apache-2.0 */
/* Which points of a study are being run, told to other processes by a small file beside the
 * results, <results>.running: the time, process and host, then a line "share key" for each. */
#ifndef WEFT_CLI_RUNNING_H
#define WEFT_CLI_RUNNING_H

#include "cli/command.h"

typedef struct weft_running_row {
    double share; /* 0 … 1 of it is done */
    char *key;
} weft_running_row;

typedef struct weft_running {
    weft_display display; /* the first member: callbacks of a display take this as well */
    char *path;           /* NULL: nothing is told */
    double last;
    weft_running_row *rows;
    size_t n_rows;
} weft_running;

void weft_running_init(weft_running *running, bool quiet, const char *results);
/* Removes the file. */
void weft_running_done(weft_running *running);
/* In place of those of the display. */
void weft_running_progress(void *running, const weft_progress *progress);
void weft_running_finished(void *running, const weft_point *point);

/* Reads what a process that is alive tells; false: there is none. The rows are to be freed by
 * weft_running_done; nothing is removed. */
bool weft_running_read(weft_running *running, const char *results);

#endif
