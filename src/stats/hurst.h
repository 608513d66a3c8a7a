/* SPDX-License-Identifier: Apache-2.0 */
/* The Hurst parameter of counts per interval, by the Haar wavelet estimator (Abry & Veitch, IEEE
 * Transactions on Information Theory 44, 1998; Veitch & Abry, ibid. 45, 1999).
 *
 * The detail of octave j is the difference of two neighbouring sums of 2^(j − 1) counts. For a
 * long-range dependent process its variance grows as 2^(2 H j), for one without memory as 2^j
 * (H = 0.5). H is the slope of the logarithm of the variance over j, fitted with weights. Sums are
 * fed one by one and only one pending sum is kept per octave, so memory does not grow. */
#ifndef WEFT_STATS_HURST_H
#define WEFT_STATS_HURST_H

#include "stats/series.h"

#define WEFT_HURST_OCTAVES 40

typedef struct weft_hurst {
    uint64_t fed;                        /* counts so far */
    int64_t pending[WEFT_HURST_OCTAVES]; /* [j]: a sum of 2^j counts … */
    double square[WEFT_HURST_OCTAVES], fourth[WEFT_HURST_OCTAVES]; /* of details [j + 1] */
} weft_hurst;

void weft_hurst_add(weft_hurst *hurst, int64_t count);

/* H with an interval. *octave is the first octave of the fit: the lowest from which on a straight
 * line agrees with the variances (χ², 5 %). The variances are taken to be as uncertain as those of
 * normal details, or more if the details' fourth moment says so. value is NaN with fewer than three
 * octaves of details that vary; lo and hi are NaN if no straight line agrees. */
weft_estimate weft_hurst_estimate(const weft_hurst *hurst, double confidence, uint32_t *octave);

void weft_hurst_save(const weft_hurst *hurst, weft_pack *pack);
void weft_hurst_load(weft_hurst *hurst, weft_unpack *from);

#endif
