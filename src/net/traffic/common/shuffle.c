/* SPDX-License-Identifier: Apache-2.0 */
#include "net/traffic/common/shuffle.h"

#include <stdbool.h>

#define ROUNDS 4u

weft_shuffle weft_shuffle_make(uint64_t seed, uint32_t count)
{
    weft_shuffle shuffle = {.seed = seed, .count = count, .half = 1};
    while (shuffle.half < 16 && (uint64_t)1 << 2 * shuffle.half < count)
        shuffle.half++;
    return shuffle;
}

static uint32_t round_of(const weft_shuffle *self, uint32_t number, uint32_t value)
{
    uint64_t x = self->seed + ((uint64_t)value << 2 | number) * 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u; /* SplitMix64 */
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return (uint32_t)(x >> 40) & ((1u << self->half) - 1);
}

/* One pass over numbers of 2 × half bits; backwards undoes it. */
static uint32_t pass(const weft_shuffle *self, uint32_t number, bool backwards)
{
    uint32_t high = number >> self->half, low = number & ((1u << self->half) - 1), swap;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        if (backwards) {
            swap = high;
            high = low ^ round_of(self, ROUNDS - 1 - i, high);
            low = swap;
        } else {
            swap = low;
            low = high ^ round_of(self, i, low);
            high = swap;
        }
    }
    return high << self->half | low;
}

static uint32_t walk(const weft_shuffle *self, uint32_t number, bool backwards)
{
    do
        number = pass(self, number, backwards);
    while (number >= self->count);
    return number;
}

uint32_t weft_shuffle_at(const weft_shuffle *shuffle, uint32_t place)
{
    return walk(shuffle, place, false);
}

uint32_t weft_shuffle_place(const weft_shuffle *shuffle, uint32_t number)
{
    return walk(shuffle, number, true);
}
