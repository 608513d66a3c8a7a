/* SPDX-License-Identifier: Apache-2.0 */
/* Log-linear histogram with fixed bins: exact below 128, then 64 bins per octave (1.6 % wide).
 * Counts are integers, so merging is exact in any order. */
#ifndef WEFT_STATS_HISTOGRAM_H
#define WEFT_STATS_HISTOGRAM_H

#include <stdint.h>

#define WEFT_HISTOGRAM_SUB  6  /* log2 of the bins per octave */
#define WEFT_HISTOGRAM_TOP  41 /* values of 2^TOP and more fall into the last bin */
#define WEFT_HISTOGRAM_BINS ((WEFT_HISTOGRAM_TOP - WEFT_HISTOGRAM_SUB + 1) << WEFT_HISTOGRAM_SUB)

typedef struct weft_histogram {
    uint64_t count[WEFT_HISTOGRAM_BINS];
} weft_histogram;

static inline uint32_t weft_histogram_bin(uint64_t value)
{
    if (value < (2u << WEFT_HISTOGRAM_SUB))
        return (uint32_t)value;
    unsigned octave = 63u - (unsigned)__builtin_clzll(value);
    if (octave >= WEFT_HISTOGRAM_TOP)
        return WEFT_HISTOGRAM_BINS - 1;
    unsigned shift = octave - WEFT_HISTOGRAM_SUB;
    return (shift << WEFT_HISTOGRAM_SUB) + (uint32_t)(value >> shift);
}

static inline void weft_histogram_add(weft_histogram *histogram, uint64_t value)
{
    histogram->count[weft_histogram_bin(value)]++;
}

/* Least value of a bin; edge(BINS) is the end of the last one. */
int64_t weft_histogram_edge(uint32_t bin);
void weft_histogram_merge(weft_histogram *into, const weft_histogram *from);
uint64_t weft_histogram_total(const weft_histogram *histogram);
/* The value below which a share p of the observations lies, interpolated inside its bin (exact
 * bins hold one integer and give it back); NaN without observations. */
double weft_histogram_quantile(const weft_histogram *histogram, double p);

#endif
