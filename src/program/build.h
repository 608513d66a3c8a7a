/* SPDX-License-Identifier: Apache-2.0 */
/* A program while a reader or a generator makes it: ranks in ascending order, each with its
 * operations and then what they depend on. */
#ifndef WEFT_PROGRAM_BUILD_H
#define WEFT_PROGRAM_BUILD_H

#include "program/divide.h"

typedef struct weft_program_edge {
    uint32_t later, earlier; /* operations of the rank, from 0 */
    bool start;              /* `later` waits for the start of `earlier`; else for its end */
} weft_program_edge;

typedef struct weft_program_build {
    weft_program program;
    const char *file;                                                 /* for messages */
    unsigned long (*line_of)(const void *reader, uint32_t operation); /* likewise, or NULL */
    const void *reader;
    uint32_t rank;        /* the one in hand */
    uint32_t n_here;      /* operations in the array, those of the rank in hand too … */
    uint32_t begin;       /* … which begin here */
    weft_dividing divide; /* divide.by is the caller's to set */
    size_t room, dependent_room, n_edges, edge_room;
    weft_program_edge *edges; /* of the rank in hand */
} weft_program_build;

/* n_ranks is at most WEFT_PROGRAM_RANKS_MAX. */
void weft_program_build_init(weft_program_build *build, const char *file, uint32_t n_ranks);
void weft_program_build_done(weft_program_build *build);
/* Adds an operation to the rank in hand; its number there is *number. Fails where it cannot be:
 * peers out of range, too many operations. */
WEFT_MUST_USE weft_status weft_program_build_add(weft_program_build *build,
                                                 weft_operation operation, uint64_t size,
                                                 uint32_t *number, weft_error *err);
WEFT_MUST_USE weft_status weft_program_build_depend(weft_program_build *build,
                                                    weft_program_edge edge, weft_error *err);
/* Ends the rank in hand; fails if its operations wait for each other. */
WEFT_MUST_USE weft_status weft_program_build_rank(weft_program_build *build, weft_error *err);
/* Finds the partners of all messages and hands over the program; fails with a send that nobody
 * receives or a receive that nobody sends. */
WEFT_MUST_USE weft_status weft_program_build_finish(weft_program_build *build,
                                                    weft_program *program, weft_error *err);

#endif
