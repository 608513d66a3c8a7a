/* SPDX-License-Identifier: Apache-2.0 */
/* Message-passing programs, from files or generated: their contents, and their time on hosts alone,
 * without a simulated network. Files are GOAL schedules, text or binary, time-independent traces of
 * SimGrid, Chakra execution traces, and lists of flows; docs/reference/programs.md has the formats.
 * Text results are malloc'ed and the caller frees them. */
#ifndef INTERWEFT_PROGRAM_H
#define INTERWEFT_PROGRAM_H

#include "interweft/status.h"

#include <stdint.h>

WEFT_DECLARATIONS

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
    const char *file; /* or "allreduce/ring", if there is no such file */
    uint32_t ranks;   /* of a collective; 0: of a file */
    uint64_t
        bytes; /* of its vector; what a rank sends in an all-to-all, or a neighbour in a halo */
    uint32_t segments;     /* of a chain; of each tree of a double tree */
    uint32_t group;        /* ranks of a group of a hierarchical allreduce; 0: 8 */
    uint64_t sum_per_byte; /* ticks of the CPU for every byte that is added */
    /* Of traces of other programs: */
    uint64_t ticks_per_second; /* 0: 10^9 */
    uint64_t flops_per_second; /* of a CPU; 0: 10^9 */
    /* "allreduce=ring" …: algorithms of their collectives, ended by NULL; those that are not named,
     * or all if it is NULL, are MPICH's, which depend on ranks and bytes. */
    const char *const *algorithms;
    const char *groups; /* a file of process groups, of Chakra; NULL: none */
    uint32_t steps;     /* of every rank to be shown */
} weft_program_choice;

/* Lists the collective operations and their algorithms. */
WEFT_API char *weft_program_list(void);
/* Reads or generates a program, checks it, and describes it. */
WEFT_API WEFT_MUST_USE weft_status weft_program_show(const weft_program_choice *choice, char **text,
                                                     weft_error *err);
/* Likewise, and also says what its file is, and sees to it that the program can end; WEFT_BROKEN,
 * with the ranks that wait for each other, if it cannot. out: where to write it as binary GOAL;
 * NULL: nowhere. */
WEFT_API WEFT_MUST_USE weft_status weft_program_import(const weft_program_choice *choice,
                                                       const char *out, char **text,
                                                       weft_error *err);
/* Lists the formats of files that are read. */
WEFT_API char *weft_program_formats(void);
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

WEFT_DECLARATIONS_END

#endif
