/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of ports as arrays of words, for matching in wide crossbars. A rule written with these
 * functions and inlined for one word compiles to the same code as on plain words, so both forms of
 * a kind can share it. */
#ifndef WEFT_SCHED_SET_H
#define WEFT_SCHED_SET_H

#include "interweft/random.h"
#include "sched/round_robin.h"

#include <stdbool.h>
#include <string.h>

/* For functions whose number of words must be a constant for the compiler. */
#define WEFT_RULE static inline __attribute__((always_inline))

static inline uint32_t weft_set_words(uint32_t ports)
{
    return (ports + 63) / 64;
}

/* The word of a member; no computation if there is only one word. */
WEFT_RULE uint32_t weft_set_word(uint32_t words, uint32_t member)
{
    return words == 1 ? 0 : member / 64;
}

WEFT_RULE bool weft_set_has(uint32_t words, const uint64_t *set, uint32_t member)
{
    return set[weft_set_word(words, member)] >> member % 64 & 1;
}

WEFT_RULE void weft_set_add(uint32_t words, uint64_t *set, uint32_t member)
{
    set[weft_set_word(words, member)] |= weft_bit(member % 64);
}

WEFT_RULE void weft_set_remove(uint32_t words, uint64_t *set, uint32_t member)
{
    set[weft_set_word(words, member)] &= ~weft_bit(member % 64);
}

WEFT_RULE void weft_set_clear(uint32_t words, uint64_t *set)
{
    for (uint32_t w = 0; w < words; w++)
        set[w] = 0;
}

/* Sets members 0 … members − 1. */
static inline void weft_set_fill(uint64_t *set, uint32_t members)
{
    for (uint32_t w = 0; w < members / 64; w++)
        set[w] = UINT64_MAX;
    if (members % 64)
        set[members / 64] = weft_bit(members % 64) - 1;
}

WEFT_RULE bool weft_set_any(uint32_t words, const uint64_t *set)
{
    uint64_t all = 0;
    for (uint32_t w = 0; w < words; w++)
        all |= set[w];
    return all != 0;
}

/* The intersection; true if it is not empty. */
WEFT_RULE bool weft_set_both(uint32_t words, const uint64_t *a, const uint64_t *b, uint64_t *both)
{
    uint64_t all = 0;
    for (uint32_t w = 0; w < words; w++)
        all |= both[w] = a[w] & b[w];
    return all != 0;
}

WEFT_RULE void weft_set_join(uint32_t words, uint64_t *set, const uint64_t *more)
{
    for (uint32_t w = 0; w < words; w++)
        set[w] |= more[w];
}

WEFT_RULE void weft_set_take_away(uint32_t words, uint64_t *set, const uint64_t *less)
{
    for (uint32_t w = 0; w < words; w++)
        set[w] &= ~less[w];
}

WEFT_RULE uint32_t weft_set_count(uint32_t words, const uint64_t *set)
{
    uint32_t count = 0;
    for (uint32_t w = 0; w < words; w++)
        count += (uint32_t)__builtin_popcountll(set[w]);
    return count;
}

/* The first member from `from` on, 64 × words if there is none. Loops over members:
 * for (x = weft_set_next(words, set, 0); x < 64 * words; x = weft_set_next(words, set, x + 1)). */
WEFT_RULE uint32_t weft_set_next(uint32_t words, const uint64_t *set, uint32_t from)
{
    uint32_t w = from / 64;
    if (w >= words)
        return 64 * words;
    uint64_t left = weft_onward(set[w], from % 64);
    while (!left && ++w < words)
        left = set[w];
    return left ? 64 * w + weft_lowest(left) : 64 * words;
}

/* Draws one of the members, all equally likely; the set must not be empty. */
WEFT_RULE uint32_t weft_set_draw(uint32_t words, const uint64_t *set, weft_random *random)
{
    uint32_t count = weft_set_count(words, set), w = 0;
    uint32_t skip = count > 1 ? weft_random_below(random, count) : 0;
    for (uint32_t here; words > 1 && skip >= (here = weft_set_count(1, set + w)); w++)
        skip -= here;
    uint64_t left = set[w];
    for (; skip; skip--)
        left &= left - 1;
    return 64 * w + weft_lowest(left);
}

#endif
