/* SPDX-License-Identifier: Apache-2.0 */
/* The partners of sends and receives (program.h has the rule). */
#ifndef WEFT_PROGRAM_MATCH_H
#define WEFT_PROGRAM_MATCH_H

#include "program/program.h"

#include <stddef.h>

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

typedef struct weft_match_end { /* of a message: the send or the receive */
    uint32_t source, tag, number;
} weft_match_end;

typedef struct weft_match_ends { /* of messages to a rank, or from one */
    weft_match_end *sends, *receives;
    size_t n_sends, n_receives;
} weft_match_ends;

/* Sorts both, and joins those that belong together by their numbers. False: one is left; it is
 * *send or *receive, the other one is NULL. */
bool weft_match_all(weft_match_ends *ends,
                    void (*join)(void *user, uint32_t send, uint32_t receive), void *user,
                    const weft_match_end **send, const weft_match_end **receive);
/* The sentence about one that is left: operation `number` of a rank, which is number `among` those
 * of all ranks. */
weft_status weft_match_complain(const weft_program_origin *origin, const weft_operation *operation,
                                uint32_t number, uint32_t rank, uint32_t among, weft_error *err);

#endif
