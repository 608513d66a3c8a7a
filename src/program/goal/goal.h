/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules in GOAL (Hoefler, Siebert and Lumsdaine), as text and as LogGOPSim's binary form.
 * Files are untrusted. */
#ifndef WEFT_PROGRAM_GOAL_GOAL_H
#define WEFT_PROGRAM_GOAL_GOAL_H

#include "base/file.h"
#include "program/program.h"

#include <stddef.h>

/* file: for messages. Text, or binary if it begins with the number of that form. */
WEFT_MUST_USE weft_status weft_goal_read(const char *file, const char *data, size_t length,
                                         weft_program *program, weft_error *err);
/* The binary form; free() its bytes. */
weft_bytes weft_goal_write(const weft_program *program);

#endif
