/* SPDX-License-Identifier: Apache-2.0 */
/* Message-passing programs, from files or generated: their contents, and their time on hosts alone,
 * without a simulated network. Files are GOAL schedules, text or binary. Text results are malloc'ed
 * and the caller frees them. */
#ifndef INTERWEFT_PROGRAM_H
#define INTERWEFT_PROGRAM_H

#include "interweft/status.h"

#include <stdint.h>

/* Costs of a host and of the network between hosts, in ticks, as in LogGOPS. */
typedef struct weft_host_costs {
    uint64_t latency;           /* L: of the first byte */
    uint64_t overhead;          /* o: of the CPU for a message, at either end */
    uint64_t gap;               /* g: from one message to the next at a NIC … */
    uint64_t per_byte;          /* G: … and more for every further byte */
    uint64_t overhead_per_byte; /* O: of the CPU */
    uint64_t eager;             /* S: longer messages ask first, bytes */
} weft_host_costs;

/* Is told from time to time how far a replay has come. */
typedef struct weft_replay_observer {
    void (*progress)(void *user, double share); /* of the operations; NULL: none */
    void *user;
} weft_replay_observer;

/* A program: a file, or a collective operation. */
typedef struct weft_program_choice {
    const char *file;      /* or "allreduce/ring", if there is no such file */
    uint32_t ranks;        /* of a collective; 0: of a file */
    uint64_t bytes;        /* of its vector; of an all-to-all: what a rank sends */
    uint32_t segments;     /* of a chain */
    uint64_t sum_per_byte; /* ticks of the CPU for every byte that is added */
} weft_program_choice;

/* Lists the collective operations and their algorithms. */
WEFT_API char *weft_program_list(void);
/* Reads or generates a program, checks it, and describes it. */
WEFT_API WEFT_MUST_USE weft_status weft_program_show(const weft_program_choice *choice, char **text,
                                                     weft_error *err);
/* Replays a program on hosts alone; *finish: the tick at which each of *n_ranks ranks is done,
 * malloc'ed. */
WEFT_API WEFT_MUST_USE weft_status weft_program_time(const weft_program_choice *choice,
                                                     const weft_host_costs *costs,
                                                     const weft_replay_observer *observer,
                                                     uint64_t **finish, uint32_t *n_ranks,
                                                     weft_error *err);
/* Bytes on the busiest rank's link for each byte of the vector, the factor of nccl-tests' bus
 * bandwidth; 0: the choice is a file, or has none. */
WEFT_API double weft_program_bus_factor(const weft_program_choice *choice);

#endif
