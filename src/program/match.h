/* SPDX-License-Identifier: Apache-2.0 */
/* The partners of sends and receives (program.h has the rule). */
#ifndef WEFT_PROGRAM_MATCH_H
#define WEFT_PROGRAM_MATCH_H

#include "program/program.h"

typedef struct weft_program_origin { /* where a program comes from, for messages */
    const char *file;
    /* The line of an operation; 0: not known. NULL: of none. */
    unsigned long (*line_of)(const void *reader, uint32_t operation);
    const void *reader;
} weft_program_origin;

/* Fills in the partners, which are all WEFT_PROGRAM_NONE; fails with a message that nobody takes
 * or a receive that nobody sends for. */
WEFT_MUST_USE weft_status weft_program_match(weft_program *program,
                                             const weft_program_origin *origin, weft_error *err);

#endif
