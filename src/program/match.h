/* SPDX-License-Identifier: Apache-2.0 */
/* The partners of sends and receives (program.h has the rule). */
#ifndef WEFT_PROGRAM_MATCH_H
#define WEFT_PROGRAM_MATCH_H

#include "program/program.h"

/* Fills in the partners, which are all WEFT_PROGRAM_NONE; fails with a message that nobody takes
 * or a receive that nobody sends for. file: for messages. */
WEFT_MUST_USE weft_status weft_program_match(weft_program *program, const char *file,
                                             weft_error *err);

#endif
