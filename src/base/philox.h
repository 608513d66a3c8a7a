/* SPDX-License-Identifier: Apache-2.0 */
/* Philox4x32-10: the only file that uses Random123. With SSE2 a round is six instructions on four
 * words at once; the bits are those of Random123 (tests/unit/test_base.c). */
#ifndef WEFT_BASE_PHILOX_H
#define WEFT_BASE_PHILOX_H

#include <Random123/philox.h>
#include <stdint.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#if defined(__SSE2__)

/* x = (x0, x1, x2, x3) → (hi(M1 x2) ^ x1 ^ k0, lo(M1 x2), hi(M0 x0) ^ x3 ^ k1, lo(M0 x0)); the key
 * is (k0, 0, k1, 0). */
static inline __m128i weft_philox_round(__m128i x, __m128i key)
{
    const __m128i factors = _mm_set_epi32(0, (int)PHILOX_M4x32_1, 0, (int)PHILOX_M4x32_0);
    __m128i products = _mm_mul_epu32(x, factors); /* (lo0, hi0, lo1, hi1) */
    return _mm_xor_si128(_mm_xor_si128(_mm_srli_epi64(x, 32), key),
                         _mm_shuffle_epi32(products, _MM_SHUFFLE(0, 1, 2, 3)));
}

static inline __m128i weft_philox_rounds(__m128i k, __m128i x)
{
    const __m128i step = _mm_set_epi32(0, (int)PHILOX_W32_1, 0, (int)PHILOX_W32_0);
    x = weft_philox_round(x, k); /* ten rounds */
    x = weft_philox_round(x, k = _mm_add_epi32(k, step));
    x = weft_philox_round(x, k = _mm_add_epi32(k, step));
    x = weft_philox_round(x, k = _mm_add_epi32(k, step));
    x = weft_philox_round(x, k = _mm_add_epi32(k, step));
    x = weft_philox_round(x, k = _mm_add_epi32(k, step));
    x = weft_philox_round(x, k = _mm_add_epi32(k, step));
    x = weft_philox_round(x, k = _mm_add_epi32(k, step));
    x = weft_philox_round(x, k = _mm_add_epi32(k, step));
    return weft_philox_round(x, _mm_add_epi32(k, step));
}

/* Key and counter may be in registers. */
static inline philox4x32_ctr_t weft_philox(const uint32_t key[2], const uint32_t counter[4])
{
    philox4x32_ctr_t out;
    __m128i k = _mm_set_epi32(0, (int)key[1], 0, (int)key[0]);
    __m128i x = _mm_set_epi32((int)counter[3], (int)counter[2], (int)counter[1], (int)counter[0]);
    _mm_storeu_si128((__m128i *)(void *)out.v, weft_philox_rounds(k, x));
    return out;
}

/* The same of key and counter in memory, the last word first. */
static inline void weft_philox_back(const uint32_t key[2], const uint32_t counter[4],
                                    uint32_t word[4])
{
    __m128i k = _mm_unpacklo_epi32(_mm_loadl_epi64((const __m128i *)(const void *)key),
                                   _mm_setzero_si128());
    __m128i x = weft_philox_rounds(k, _mm_loadu_si128((const __m128i *)(const void *)counter));
    _mm_storeu_si128((__m128i *)(void *)word, _mm_shuffle_epi32(x, _MM_SHUFFLE(0, 1, 2, 3)));
}

#else

static inline philox4x32_ctr_t weft_philox(const uint32_t key[2], const uint32_t counter[4])
{
    philox4x32_key_t k = {{key[0], key[1]}};
    philox4x32_ctr_t c = {{counter[0], counter[1], counter[2], counter[3]}};
    return philox4x32(c, k);
}

static inline void weft_philox_back(const uint32_t key[2], const uint32_t counter[4],
                                    uint32_t word[4])
{
    philox4x32_ctr_t out = weft_philox(key, counter);
    for (int i = 0; i < 4; i++)
        word[i] = out.v[3 - i];
}

#endif

#endif
