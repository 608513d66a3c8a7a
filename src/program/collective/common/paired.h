/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of ranks that are no power of two. With p = 2^m + r, of the first 2r ranks the even ones
 * give their vector to the next rank, which adds it, and get the result from it; the others,
 * renumbered, are a power of two. */
#ifndef WEFT_PROGRAM_COLLECTIVE_COMMON_PAIRED_H
#define WEFT_PROGRAM_COLLECTIVE_COMMON_PAIRED_H

#include "program/collective.h"

static inline uint32_t weft_paired_rest(const weft_collective *collective)
{
    return collective->ranks - (1u << weft_collective_log(collective->ranks));
}

/* True if the rank takes part in the fold. */
static inline bool weft_paired_folds(const weft_collective *collective, uint32_t rank)
{
    return rank < 2 * weft_paired_rest(collective);
}

/* The number of a rank that is left, and back. */
static inline uint32_t weft_paired_inside(const weft_collective *collective, uint32_t rank)
{
    return weft_paired_folds(collective, rank) ? rank / 2 : rank - weft_paired_rest(collective);
}

static inline uint32_t weft_paired_outside(const weft_collective *collective, uint32_t inside)
{
    uint32_t rest = weft_paired_rest(collective);
    return inside < rest ? 2 * inside + 1 : inside + rest;
}

/* Steps of a rank, with `inner` of those that are left. */
static inline uint32_t weft_paired_steps(const weft_collective *collective, uint32_t rank,
                                         uint32_t inner)
{
    if (!weft_paired_folds(collective, rank))
        return inner;
    return rank % 2 ? inner + 2 : 2;
}

/* True if step *k is one of the fold, which it fills in but for the blocks; else *k becomes the
 * number of the inner step. */
static inline bool weft_paired_step(const weft_collective *collective, uint32_t rank,
                                    uint32_t inner, uint32_t *k, weft_collective_step *step)
{
    if (!weft_paired_folds(collective, rank))
        return false;
    bool gives = rank % 2 == 0, first = *k == 0;
    if (!first && (gives ? *k != 1 : *k != inner + 1)) {
        --*k;
        return false;
    }
    *(gives == first ? &step->to : &step->from) = gives ? rank + 1 : rank - 1;
    step->sums = !gives && first;
    return true;
}

/* Where the message of step k is received: at the partner's end of the fold, or in the same inner
 * step. */
static inline uint32_t weft_paired_received_in(const weft_collective *collective, uint32_t rank,
                                               uint32_t inner, uint32_t k)
{
    weft_collective_step step = {.to = WEFT_PROGRAM_NONE};
    uint32_t at = k;
    if (weft_paired_step(collective, rank, inner, &at, &step))
        return rank % 2 ? 1 : 0;
    collective->kind->step(collective, rank, k, &step);
    return at + weft_paired_folds(collective, step.to);
}

#endif
