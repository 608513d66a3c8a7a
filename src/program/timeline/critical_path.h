/* SPDX-License-Identifier: Apache-2.0 */
/* The critical path of a job: the chain of operations and messages that decided when it ended. From
 * the last operation back to the start of the job, every step to what it waited for last; the times
 * of the steps add up to the time of the job. */
#ifndef WEFT_PROGRAM_CRITICAL_PATH_H
#define WEFT_PROGRAM_CRITICAL_PATH_H

#include "program/timeline/history.h"

typedef enum weft_path_part {
    WEFT_PATH_COMPUTE,   /* calculations */
    WEFT_PATH_OVERHEAD,  /* of the CPU for messages */
    WEFT_PATH_INJECTION, /* earlier bytes of the rank leave by its own link */
    WEFT_PATH_NETWORK,   /* a message is under way */
    WEFT_PATH_PARTS
} weft_path_part;

typedef struct weft_path_step {
    uint64_t from, until;
    weft_path_part part;
    uint32_t operation; /* place in the history; of a message: the operation that sent it */
    uint32_t to;        /* rank that a message goes to */
    uint64_t size;      /* bytes of the message; 0: a request or an answer */
} weft_path_step;

typedef struct weft_critical_path {
    size_t n_steps, room;
    weft_path_step *steps; /* in the order of time */
} weft_critical_path;

/* False: there are no operations, or the history contradicts itself. */
bool weft_critical_path_find(weft_critical_path *path, const weft_history *history);
void weft_critical_path_done(weft_critical_path *path);

#endif
