/* SPDX-License-Identifier: Apache-2.0 */
/* The two forms of GOAL. */
#ifndef WEFT_PROGRAM_GOAL_READ_H
#define WEFT_PROGRAM_GOAL_READ_H

#include "program/build.h"
#include "program/goal/goal.h"

#include <stddef.h>
#include <stdio.h>

WEFT_MUST_USE weft_status weft_goal_read_text(const weft_goal_source *source, weft_program *program,
                                              weft_error *err);
WEFT_MUST_USE weft_status weft_goal_read_binary(const weft_goal_source *source,
                                                weft_program *program, weft_error *err);
bool weft_goal_is_binary(const char *data, size_t length);

#endif
