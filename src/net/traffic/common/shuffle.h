/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers 0 … count − 1 in a random order that is never stored: a permutation by a Feistel
 * network of four rounds over the next even number of bits, iterated until its result is below
 * count (M. Luby and C. Rackoff, 1988; J. Black and P. Rogaway, 2002). */
#ifndef WEFT_NET_TRAFFIC_COMMON_SHUFFLE_H
#define WEFT_NET_TRAFFIC_COMMON_SHUFFLE_H

#include <stdint.h>

typedef struct weft_shuffle {
    uint64_t seed;
    uint32_t count;
    uint32_t half; /* bits of half a number */
} weft_shuffle;

weft_shuffle weft_shuffle_make(uint64_t seed, uint32_t count);
/* The number at a place, and the place of a number. */
uint32_t weft_shuffle_at(const weft_shuffle *shuffle, uint32_t place);
uint32_t weft_shuffle_place(const weft_shuffle *shuffle, uint32_t number);

#endif
