/* SPDX-License-Identifier: Apache-2.0 */
/* A program while the reader of a trace makes it, with operations of any rank in any order. They
 * are numbered as they come; those of a rank keep their order. */
#ifndef WEFT_PROGRAM_LOOSE_H
#define WEFT_PROGRAM_LOOSE_H

#include "program/program.h"

#include <stddef.h>

typedef struct weft_loose_operation { /* 24 bytes */
    uint64_t size;
    uint32_t rank, peer, tag;
    uint8_t kind, cpu, nic, spare;
} weft_loose_operation;

typedef struct weft_loose_edge {
    uint32_t later, earlier; /* operations; `later` waits for the end of `earlier` */
} weft_loose_edge;

typedef struct weft_loose {
    weft_loose_operation *operations;
    weft_loose_edge *edges;
    size_t n_operations, n_edges, room, edge_room;
    size_t most;      /* operations, and dependencies, that it may have */
    const char *file; /* for messages */
} weft_loose;

/* A rank's course of actions: what its next operation waits for. */
typedef struct weft_course {
    uint32_t rank;
    uint8_t cpu; /* of its operations */
    uint32_t count, room;
    uint32_t *at; /* operations */
} weft_course;

void weft_loose_init(weft_loose *loose, const char *file, size_t most);
void weft_loose_done(weft_loose *loose);
/* Adds an operation; *number: its own. Its peer is a rank of the program. */
WEFT_MUST_USE weft_status weft_loose_add(weft_loose *loose, weft_loose_operation operation,
                                         uint32_t *number, weft_error *err);
/* Both are operations of one rank. */
WEFT_MUST_USE weft_status weft_loose_depend(weft_loose *loose, uint32_t later, uint32_t earlier,
                                            weft_error *err);
/* Hands over the program. */
WEFT_MUST_USE weft_status weft_loose_finish(weft_loose *loose, uint32_t n_ranks,
                                            weft_program *program, weft_error *err);

void weft_course_done(weft_course *course);
/* Adds an operation that starts when the course has come this far, and does not hold it up. */
WEFT_MUST_USE weft_status weft_course_beside(weft_course *course, weft_loose *loose,
                                             weft_loose_operation operation, uint32_t *number,
                                             weft_error *err);
/* Likewise, and the course goes on at its end. */
WEFT_MUST_USE weft_status weft_course_then(weft_course *course, weft_loose *loose,
                                           weft_loose_operation operation, weft_error *err);
/* The course waits for the end of an operation too. */
void weft_course_wait(weft_course *course, uint32_t operation);
/* Where it waits for several, an empty calculation joins them, so that not all that follow need as
 * many dependencies. */
WEFT_MUST_USE weft_status weft_course_join(weft_course *course, weft_loose *loose, weft_error *err);
/* The course goes on when these have ended, which began where it was. */
WEFT_MUST_USE weft_status weft_course_replace(weft_course *course, weft_loose *loose,
                                              const uint32_t *operations, uint32_t count,
                                              weft_error *err);

#endif
