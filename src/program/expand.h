/* SPDX-License-Identifier: Apache-2.0 */
/* Collective operations within a program: the messages of one rank, after what it did before. */
#ifndef WEFT_PROGRAM_EXPAND_H
#define WEFT_PROGRAM_EXPAND_H

#include "program/loose.h"
#include "program/format.h"

typedef struct weft_expansion {
    weft_collective collective;
    const uint32_t *members; /* the ranks of the program that take part; NULL: all */
    uint32_t root;           /* its position among them */
    uint32_t tag;            /* chain c of the collective has c · WEFT_EXPAND_TAGS more */
} weft_expansion;

/* Collectives whose tags differ; algorithms have at most four chains. */
#define WEFT_EXPAND_TAGS (1u << 29)

/* The algorithm that was chosen, or that MPICH takes for so many ranks and bytes. */
const weft_collective_kind *weft_expand_choose(const weft_format_options *options,
                                               weft_collective_operation operation, uint32_t ranks,
                                               uint64_t bytes);
/* The part of the rank at a position; the course goes on when it is over. Fails if the algorithm
 * cannot have so many ranks or the loose has no room for what all of them do. */
WEFT_MUST_USE weft_status weft_expand(const weft_expansion *expansion, uint32_t position,
                                      weft_course *course, weft_loose *loose, weft_error *err);
/* Blocks of the vector from the root to every rank, all at once; it needs no algorithm. */
WEFT_MUST_USE weft_status weft_expand_scatter(const weft_expansion *expansion, uint32_t position,
                                              weft_course *course, weft_loose *loose,
                                              weft_error *err);

#endif
