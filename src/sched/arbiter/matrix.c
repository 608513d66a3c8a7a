/* SPDX-License-Identifier: Apache-2.0 */
/* Grants the least recently served input. As in hardware, the order is a matrix of bits: row i has
 * the inputs with priority over i. The winner has no requesting input in its row; after its grant
 * all have priority over it. Rows are words of 8, 16, 32 or 64 bits, several of 64 for more than 64
 * inputs.
 * W. J. Dally, B. Towles, Principles and Practices of Interconnection Networks, section 18.5. */
#include "interweft/scheduler.h"
#include "sched/kinds.h"

#include "sched/round_robin.h"

/* Bytes of a word of a row. */
static size_t width(uint32_t n)
{
    assert(n > 0 && n <= WEFT_CANDIDATES_MAX);
    return n <= 8 ? 1 : n <= 16 ? 2 : n <= 32 ? 4 : 8;
}

static uint32_t words(uint32_t n)
{
    return (n + 63) / 64;
}

static size_t bytes(const void *settings, uint32_t n)
{
    (void)settings;
    return n * words(n) * width(n);
}

static uint64_t get(const void *state, uint32_t n, size_t at)
{
    switch (width(n)) {
    case 1:
        return ((const uint8_t *)state)[at];
    case 2:
        return ((const uint16_t *)state)[at];
    case 4:
        return ((const uint32_t *)state)[at];
    default:
        return ((const uint64_t *)state)[at];
    }
}

static void put(void *state, uint32_t n, size_t at, uint64_t word)
{
    switch (width(n)) {
    case 1:
        ((uint8_t *)state)[at] = (uint8_t)word;
        break;
    case 2:
        ((uint16_t *)state)[at] = (uint16_t)word;
        break;
    case 4:
        ((uint32_t *)state)[at] = (uint32_t)word;
        break;
    default:
        ((uint64_t *)state)[at] = word;
    }
}

/* Word w of the set 0 … count−1. */
static uint64_t below(uint32_t count, uint32_t w)
{
    if (count <= w * 64)
        return 0;
    return count - w * 64 >= 64 ? UINT64_MAX : weft_bit(count - w * 64) - 1;
}

static void reset(const void *settings, uint32_t n, void *state)
{
    (void)settings;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t w = 0; w < words(n); w++)
            put(state, n, (size_t)i * words(n) + w, below(i, w));
}

/* Does nobody in the set go before i? */
static bool leads(uint32_t n, const void *state, const uint64_t *set, uint32_t i)
{
    uint64_t before = 0;
    for (uint32_t w = 0; w < words(n); w++)
        before |= set[w] & get(state, n, (size_t)i * words(n) + w);
    return before == 0;
}

static uint32_t pick(const void *settings, uint32_t n, const void *state,
                     const weft_arbiter_input *arbiter_input)
{
    (void)settings;
    for (uint32_t w = 0; w < words(n); w++)
        for (uint64_t left = arbiter_input->asking[w]; left; left &= left - 1)
            if (leads(n, state, arbiter_input->asking, w * 64 + weft_lowest(left)))
                return w * 64 + weft_lowest(left);
    assert(0 && "the rows are an order");
    return 0;
}

static void granted(const void *settings, uint32_t n, void *state, uint32_t winner)
{
    (void)settings;
    assert(winner < n);
    uint32_t own = winner / 64;
    for (uint32_t i = 0; i < n; i++) {
        size_t at = (size_t)i * words(n) + own;
        put(state, n, at, get(state, n, at) & ~weft_bit(winner % 64));
    }
    for (uint32_t w = 0; w < words(n); w++)
        put(state, n, (size_t)winner * words(n) + w,
            below(n, w) & ~(w == own ? weft_bit(winner % 64) : 0));
}

static uint32_t size_of_row(uint32_t n, const void *state, uint32_t i)
{
    int members = 0;
    for (uint32_t w = 0; w < words(n); w++)
        members += __builtin_popcountll(get(state, n, (size_t)i * words(n) + w));
    return (uint32_t)members;
}

/* An order: there is one row of each size, and the row of size k holds the k whose rows are
 * smaller. */
static bool sound(const void *settings, uint32_t n, const void *state)
{
    (void)settings;
    uint16_t at_rank[WEFT_CANDIDATES_MAX];
    uint64_t ranked[WEFT_CANDIDATES_MAX / 64] = {0};
    for (uint32_t k = 0; k < n; k++)
        at_rank[k] = UINT16_MAX;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t rank = size_of_row(n, state, i);
        if (rank >= n || at_rank[rank] != UINT16_MAX)
            return false;
        at_rank[rank] = (uint16_t)i;
    }
    for (uint32_t k = 0; k < n; k++) {
        for (uint32_t w = 0; w < words(n); w++)
            if (get(state, n, (size_t)at_rank[k] * words(n) + w) != ranked[w])
                return false;
        ranked[at_rank[k] / 64] |= weft_bit(at_rank[k] % 64);
    }
    return true;
}

const weft_arbiter_kind weft_arbiter_matrix = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_arbiter_kind),
             .name = "matrix",
             .brief = "the one that was granted longest ago"},
    .bytes = bytes,
    .reset = reset,
    .pick = pick,
    .granted = granted,
    .sound = sound,
};
