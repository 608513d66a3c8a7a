/* SPDX-License-Identifier: Apache-2.0 */
/* A long program that is divided between processes while it is read. Every process reads all of it
 * once, as a stream, and keeps the operations of its own ranks: so nothing has to be sent, and all
 * of them find the same mistakes. What other ranks have to do with an own one is kept until the
 * partners are known.
 *
 * Whether sends and receives fit is known for every rank, from sums that each process has: over
 * the messages to a rank and its receives, of hashes of source and tag. */
#ifndef WEFT_PROGRAM_DIVIDE_H
#define WEFT_PROGRAM_DIVIDE_H

#include "program/match.h"
#include "program/program.h"

typedef struct weft_program_division {
    uint64_t most; /* operations up to which a program is not divided */
    bool answers;  /* sends have to know their partners too */
    /* Called once, if there are more: *kept gets a bit for every rank that is kept here, for
     * free(). */
    weft_status (*keep)(void *user, uint32_t n_ranks, uint64_t **kept, weft_error *err);
    /* Called with the operations of every rank, in order, of a program that is divided. */
    void (*visit)(void *user, uint32_t rank, const weft_operation *operations, uint32_t count);
    void *user;
    uint32_t unmatched; /* the first rank whose sends and receives do not fit, + 1 */
} weft_program_division;

typedef struct weft_dividing_end { /* of a message to or from an own rank, at the other rank */
    uint32_t rank, number;         /* of the other one */
    uint32_t tag;
    uint32_t size_low, size_high;
    uint32_t next; /* of the same own rank, + 1 */
} weft_dividing_end;

typedef struct weft_dividing {
    weft_program_division *by; /* NULL: the program is not divided */
    bool on;
    uint64_t *kept;
    weft_dividing_end *ends;
    size_t n_ends, room;
    uint32_t *head[2], *tail[2]; /* per rank, + 1: what is sent to it, what is received from it */
    uint64_t *balance;           /* per rank; 0: all fits */
} weft_dividing;

static inline bool weft_dividing_keeps(const weft_dividing *divide, uint32_t rank)
{
    return divide->kept[rank / 64] >> rank % 64 & 1;
}

/* From here on the program is divided; those of its ranks that are there already follow. */
WEFT_MUST_USE weft_status weft_dividing_begin(weft_dividing *divide, uint32_t n_ranks,
                                              weft_error *err);
/* Takes note of the operations of the next rank. */
WEFT_MUST_USE weft_status weft_dividing_rank(weft_dividing *divide, uint32_t rank,
                                             const weft_operation *operations, uint32_t count,
                                             weft_error *err);
/* Finds the partners of the operations that are kept. */
WEFT_MUST_USE weft_status weft_dividing_match(weft_dividing *divide, weft_program *program,
                                              const weft_program_origin *origin, weft_error *err);
void weft_dividing_done(weft_dividing *divide);

/* Divides a program that is there: it keeps the operations of some ranks. Does nothing where it
 * has no more than by->most. */
WEFT_MUST_USE weft_status weft_program_divide(weft_program *program, weft_program_division *by,
                                              const char *file, weft_error *err);

#endif
