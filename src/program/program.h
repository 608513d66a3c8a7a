/* SPDX-License-Identifier: Apache-2.0 */
/* A message-passing program: the operations of every rank and what they depend on. A rank here is a
 * process of the program that is modelled, as in MPI. There is no order but that of dependencies.
 *
 * A send and the receive that takes its message are partners, fixed when the program is read: the
 * k-th send from a to b with tag t, in the order of the file, belongs to the k-th receive at b from
 * a with tag t (MPI's rule that messages do not overtake). Only a rank with a receive from any
 * source, or with messages or receives of any tag, matches its messages as they come. */
#ifndef WEFT_PROGRAM_PROGRAM_H
#define WEFT_PROGRAM_PROGRAM_H

#include "base/text.h"
#include "interweft/status.h"

#include <stdbool.h>
#include <stdint.h>

#define WEFT_PROGRAM_ANY       UINT32_MAX          /* source or tag */
#define WEFT_PROGRAM_NONE      UINT32_MAX          /* no operation */
#define WEFT_PROGRAM_RANKS_MAX (1u << 28)          /* ranks */
#define WEFT_PROGRAM_OPS_MAX   (UINT32_MAX - 1)    /* operations, and dependencies */
#define WEFT_PROGRAM_SIZE_MAX  ((uint64_t)1 << 48) /* bytes or ticks of an operation */

typedef enum weft_operation_kind {
    WEFT_OPERATION_CALC,
    WEFT_OPERATION_SEND,
    WEFT_OPERATION_RECV
} weft_operation_kind;

/* 24 bytes: a trace has millions. */
typedef struct weft_operation {
    uint32_t size_low, size_high; /* bytes; of a calc: ticks */
    uint32_t peer, tag;           /* of a message */
    /* Where those begin that wait for its end, and then those that wait for its start; they end
     * where those of the next operation begin. */
    uint32_t dependents;
    uint8_t kind, cpu, nic;
    uint8_t leads; /* 1: some wait for its start */
} weft_operation;

#define WEFT_PROGRAM_ON_START ((uint32_t)1 << 31)         /* of a dependent: it waits for a start */
#define WEFT_PROGRAM_RANK_MAX (WEFT_PROGRAM_ON_START - 1) /* operations of a rank */

/* All operations, or in a long program that is divided those of some ranks: then nothing is known
 * of others but how many operations they have. A receive of a divided program has the size of what
 * is sent to it, and no operation has a tag: in its place is the number of its partner in the
 * peer's rank. Each of its ranks knows its partners. */
typedef struct weft_program {
    uint32_t n_ranks, n_operations; /* of all ranks */
    uint32_t n_dependents;          /* here */
    uint32_t n_cpus, n_nics;        /* the greatest number of each, + 1 */
    uint32_t *first;                /* operation of every rank; of n_ranks: all operations */
    uint32_t *at;                   /* where those of a rank are; WEFT_PROGRAM_NONE: not here */
    weft_operation *operations;     /* and one that ends the last one's dependents */
    uint32_t *dependents;           /* numbers in their rank */
    uint32_t *partners; /* per operation; WEFT_PROGRAM_NONE: calc, or matched as messages come */
    uint64_t *wild;     /* a bit per rank: it matches messages as they come */
    bool divided;       /* without partners; else `at` is `first` */
} weft_program;

static inline uint64_t weft_operation_size(const weft_operation *operation)
{
    return (uint64_t)operation->size_high << 32 | operation->size_low;
}

static inline bool weft_program_wild(const weft_program *program, uint32_t rank)
{
    return program->wild[rank / 64] >> rank % 64 & 1;
}

/* The rank of an operation. Of a program that is not divided, as all of these. */
uint32_t weft_program_rank_of(const weft_program *program, uint32_t operation);
/* "recv 512 B from rank 1 with tag 7 (operation 3 of rank 0)". */
void weft_program_name(const weft_program *program, uint32_t operation, weft_text *text);
/* The same of an operation by its number in its rank, from 0; without its tag if it has none. */
void weft_operation_name(const weft_operation *operation, uint32_t number, uint32_t rank,
                         bool tagged, weft_text *text);
/* Bytes of the program that are here. */
uint64_t weft_program_bytes(const weft_program *program);
/* A few lines about a program: operations, bytes, sizes of messages, pairs. */
void weft_program_describe(const weft_program *program, weft_text *text);
/* The first operations of the first ranks, and what they wait for. */
void weft_program_steps(const weft_program *program, uint32_t steps, weft_text *text);
/* Gives back room that the arrays do not need: so many operations are here. */
void weft_program_trim(weft_program *program, uint32_t n_here);
void weft_program_done(weft_program *program);

#endif
