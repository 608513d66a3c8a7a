/* SPDX-License-Identifier: Apache-2.0 */
/* Round robin over sets stored as bit words: the first member from a pointer on, cyclically,
 * without a loop over members. The caller keeps the pointers, 0 … n − 1. */
#ifndef WEFT_SCHED_ROUND_ROBIN_H
#define WEFT_SCHED_ROUND_ROBIN_H

#include <assert.h>
#include <stdint.h>

/* Loops over the members of a word: for (left = word; left; left &= left − 1) weft_lowest(left). */
static inline uint32_t weft_lowest(uint64_t word)
{
    assert(word);
    return (uint32_t)__builtin_ctzll(word);
}

static inline uint64_t weft_bit(uint32_t member)
{
    assert(member < 64);
    return (uint64_t)1 << member;
}

/* The members from `from` on. */
static inline uint64_t weft_onward(uint64_t word, uint32_t from)
{
    assert(from < 64);
    return word >> from << from;
}

static inline uint32_t weft_round_robin(uint64_t word, uint32_t from)
{
    uint64_t onward = weft_onward(word, from);
    return weft_lowest(onward ? onward : word);
}

/* The same over several words, at least one of them not empty. */
static inline uint32_t weft_round_robin_wide(const uint64_t *set, uint32_t words, uint32_t from)
{
    assert(from < words * 64);
    uint32_t at = from / 64;
    uint64_t word = weft_onward(set[at], from % 64);
    while (!word) { /* the first word is seen twice: its low part comes last */
        at = at + 1 == words ? 0 : at + 1;
        word = set[at];
        assert(word || at != from / 64);
    }
    return at * 64 + weft_lowest(word);
}

/* The pointer after a grant: one past the winner. */
static inline uint32_t weft_past(uint32_t winner, uint32_t n)
{
    assert(winner < n);
    return winner + 1 == n ? 0 : winner + 1;
}

#endif
