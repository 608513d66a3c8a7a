/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules in GOAL (Hoefler, Siebert and Lumsdaine), as text and as LogGOPSim's binary form.
 * Files are untrusted. */
#ifndef WEFT_PROGRAM_GOAL_GOAL_H
#define WEFT_PROGRAM_GOAL_GOAL_H

#include "base/file.h"
#include "base/window.h"
#include "program/divide.h"

#include <stddef.h>

typedef struct weft_goal_source {
    const char *file;    /* for messages; with a window: its path */
    weft_window *window; /* at its beginning; NULL: all is in memory … */
    const char *data;    /* … here */
    size_t length;
    weft_program_division *division; /* NULL: the program is not divided */
} weft_goal_source;

/* Text, or binary if it begins with the number of that form. */
WEFT_MUST_USE weft_status weft_goal_read(const weft_goal_source *source, weft_program *program,
                                         weft_error *err);
/* The binary form; free() its bytes. */
weft_bytes weft_goal_write(const weft_program *program);

#endif
