/* SPDX-License-Identifier: Apache-2.0 */
/* Algorithms of collective operations, as pure functions of rank and step: nothing is stored. A
 * step is at most one send and one receive. Steps have rounds: all of a round wait for those of
 * the round before, on the same rank. A rank's steps may be several chains of rounds that do not
 * wait for each other, one behind the other in the numbers of steps.
 *
 * Data are blocks. Block b is a part of the vector; of an all-to-all, block d of a rank is what it
 * sends to rank d. */
#ifndef WEFT_PROGRAM_COLLECTIVE_H
#define WEFT_PROGRAM_COLLECTIVE_H

#include "program/program.h"

typedef struct weft_collective {
    const struct weft_collective_kind *kind;
    uint32_t ranks;
    /* The whole vector; of an all-to-all: what a rank sends, its own block included;
     * of a halo exchange: what it sends to each neighbour. */
    uint64_t bytes;
    uint32_t segments; /* of a chain */
    uint32_t group;    /* ranks of a group of a hierarchical one; 0: 8 */
} weft_collective;

typedef struct weft_blocks { /* a cyclic range */
    uint32_t first, count;
} weft_blocks;

typedef struct weft_collective_step {
    uint32_t round;
    uint32_t chain;    /* rounds wait for those of their own chain only */
    uint32_t to, from; /* ranks; WEFT_PROGRAM_NONE: nothing is sent, received */
    weft_blocks sent, received;
    uint64_t send, receive; /* bytes */
    bool sums;              /* what is received is added to the rank's own; else stored */
} weft_collective_step;

/* The closed form of an algorithm, rounds · α + bytes · β (Thakur, Rabenseifner and Gropp 2005):
 * messages that follow each other at least, and their bytes together. Blocks count with the bytes
 * that all of them have, and of trees over ranks that are no power of two those of the greatest
 * one within. So it is a bound, and exact where these are no roundings. */
typedef struct weft_collective_cost {
    uint64_t rounds, bytes;
    bool repeats; /* no rank begins again before all of that has happened */
} weft_collective_cost;

typedef enum weft_collective_operation {
    WEFT_COLLECTIVE_ALLREDUCE,
    WEFT_COLLECTIVE_REDUCE_SCATTER,
    WEFT_COLLECTIVE_ALLGATHER,
    WEFT_COLLECTIVE_ALL_TO_ALL,
    WEFT_COLLECTIVE_BROADCAST, /* from rank 0 … */
    WEFT_COLLECTIVE_REDUCE,    /* … or to it */
    WEFT_COLLECTIVE_GATHER,
    WEFT_COLLECTIVE_BARRIER,
    WEFT_COLLECTIVE_HALO, /* with the neighbours of a grid */
    WEFT_COLLECTIVE_OPERATIONS
} weft_collective_operation;

typedef struct weft_collective_kind {
    weft_collective_operation operation;
    const char *algorithm, *brief;
    bool powers; /* ranks must be a power of two */
    /* Blocks of the vector; NULL: as many as ranks. */
    uint32_t (*blocks)(const weft_collective *collective);
    uint32_t (*steps)(const weft_collective *collective, uint32_t rank);
    /* Fills in a step that sends and receives nothing. The bytes follow from the blocks, but for
     * an all-to-all. */
    void (*step)(const weft_collective *collective, uint32_t rank, uint32_t k,
                 weft_collective_step *step);
    /* The step in which the receiver takes the message of step k; NULL: in its step k. */
    uint32_t (*received_in)(const weft_collective *collective, uint32_t rank, uint32_t k);
    weft_collective_cost (*cost)(const weft_collective *collective); /* NULL: it has no form */
    uint32_t chains;                                                 /* of steps; 0: one */
    /* The first step of a chain, where there are several. */
    uint32_t (*chain_first)(const weft_collective *collective, uint32_t rank, uint32_t chain);
    /* Of an all-to-all: true if step k of a rank sends the block from `source` to `destination`,
     * provided that it is there. */
    bool (*carries)(const weft_collective *collective, uint32_t rank, uint32_t k, uint32_t source,
                    uint32_t destination);
} weft_collective_kind;

/* The greatest k with 2^k ≤ n, and the least with 2^k ≥ n; n > 0. */
static inline uint32_t weft_collective_log(uint32_t n)
{
    return 31 - (uint32_t)__builtin_clz(n);
}

static inline uint32_t weft_collective_log_up(uint32_t n)
{
    return n > 1 ? 1 + weft_collective_log(n - 1) : 0;
}

/* (rank + offset) mod ranks; |offset| ≤ ranks. */
static inline uint32_t weft_collective_shift(const weft_collective *collective, uint32_t rank,
                                             int64_t offset)
{
    return (uint32_t)(((int64_t)rank + offset + collective->ranks) % collective->ranks);
}

uint32_t weft_collective_blocks(const weft_collective *collective);
/* Bytes of a range: of n bytes in b blocks the first n mod b have one more. */
uint64_t weft_collective_bytes(const weft_collective *collective, weft_blocks range);
/* A whole step. */
void weft_collective_step_find(const weft_collective *collective, uint32_t rank, uint32_t k,
                               weft_collective_step *step);
weft_collective_step weft_collective_step_of(const weft_collective *collective, uint32_t rank,
                                             uint32_t k);

/* Fails for numbers of ranks with which the algorithm does not work. */
WEFT_MUST_USE weft_status weft_collective_check(const weft_collective *collective, weft_error *err);
/* The step in which its receiver takes what step k of a rank sends; and the step in which step k of
 * a rank receives was sent by `from`. The first is the same number for most algorithms. */
uint32_t weft_collective_received_in(const weft_collective *collective, uint32_t rank, uint32_t k);
uint32_t weft_collective_sent_in(const weft_collective *collective, uint32_t rank, uint32_t k,
                                 uint32_t from);
/* Chains of a rank's steps, and the first step of each; of the last one + 1: all steps. */
static inline uint32_t weft_collective_chains(const weft_collective *collective)
{
    return collective->kind->chains ? collective->kind->chains : 1;
}
uint32_t weft_collective_chain_first(const weft_collective *collective, uint32_t rank,
                                     uint32_t chain);
/* The chain in which its receiver takes what step k of a rank sends; 0 if it sends nothing. */
uint32_t weft_collective_chain_to(const weft_collective *collective, uint32_t rank, uint32_t k,
                                  const weft_collective_step *step);

/* The algorithms that are built in, and the list of them, which ends with NULL. */
#define KIND(name) extern const weft_collective_kind weft_collective_##name;
#include "program/list.def"
#undef KIND
extern const weft_collective_kind *const weft_collective_kinds[];
const char *weft_collective_operation_name(weft_collective_operation operation);
/* By "allreduce" and "ring"; NULL: there is none. */
const weft_collective_kind *weft_collective_find(const char *operation, const char *algorithm);

#endif
