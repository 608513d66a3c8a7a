/* SPDX-License-Identifier: Apache-2.0 */
#include "stats/hurst.h"

#include <assert.h>

#define DETAILS_MIN 8 /* of an octave in the fit */
#define OCTAVES_MIN 3 /* of a fit */
#define LN_2        0.6931471805599453
#define LEVEL_Z     1.6448536269514722 /* normal quantile .95: χ² test of a fit, 5 % */

void weft_hurst_add(weft_hurst *hurst, int64_t count)
{
    uint64_t at = hurst->fed++;
    for (uint32_t j = 0; j < WEFT_HURST_OCTAVES; j++, at >>= 1) {
        if (!(at & 1)) {
            hurst->pending[j] = count;
            return;
        }
        double detail = (double)(hurst->pending[j] - count), square = detail * detail;
        hurst->square[j] += square;
        hurst->fourth[j] += square * square;
        count += hurst->pending[j];
    }
}

/* The logarithm to base 2 of an octave's variance, per count, and the variance of that. */
typedef struct level {
    double log, variance;
} level;

/* With n normal details the logarithm has mean ψ(n / 2) − ln(n / 2) and variance ψ'(n / 2); the
 * first terms of their series do. */
static level level_of(const weft_hurst *hurst, uint32_t j, double n)
{
    double mean = hurst->square[j] / n, half = n / 2;
    double bias = -1 / (2 * half) - 1 / (12 * half * half);
    double normal = 1 / half + 1 / (2 * half * half) + 1 / (6 * half * half * half);
    double found = (hurst->fourth[j] / n / (mean * mean) - 1) / n;
    level of = {(weft_log(mean) - bias) / LN_2 - (j + 1.0),
                (found > normal ? found : normal) / (LN_2 * LN_2)};
    return of;
}

/* The octaves from `from` on as far as they have enough details that vary; their number. */
static uint32_t read_levels(const weft_hurst *hurst, level levels[WEFT_HURST_OCTAVES])
{
    uint32_t count = 0;
    for (uint32_t j = 0; j < WEFT_HURST_OCTAVES; j++) {
        uint64_t n = hurst->fed >> (j + 1);
        if (n < DETAILS_MIN || !(hurst->square[j] > 0))
            break;
        levels[count++] = level_of(hurst, j, (double)n);
    }
    return count;
}

typedef struct fit {
    double slope, variance, misfit; /* misfit: χ² with count − 2 degrees of freedom */
} fit;

static fit fit_line(const level *levels, uint32_t from, uint32_t count)
{
    double weight = 0, x = 0, y = 0, xx = 0, xy = 0, misfit = 0;
    for (uint32_t j = from; j < count; j++) {
        double w = 1 / levels[j].variance;
        weight += w;
        x += w * j;
        y += w * levels[j].log;
    }
    x /= weight;
    y /= weight;
    for (uint32_t j = from; j < count; j++) {
        xx += (j - x) * (j - x) / levels[j].variance;
        xy += (j - x) * (levels[j].log - y) / levels[j].variance;
    }
    double slope = xy / xx;
    for (uint32_t j = from; j < count; j++) {
        double off = levels[j].log - y - slope * (j - x);
        misfit += off * off / levels[j].variance;
    }
    return (fit){slope, 1 / xx, misfit};
}

/* χ² below its quantile .95, by the cube of Wilson & Hilferty. */
static bool agrees(double misfit, double freedom)
{
    double spread = 2 / (9 * freedom), root = 1 - spread + LEVEL_Z * weft_sqrt(spread);
    return misfit <= freedom * root * root * root;
}

weft_estimate weft_hurst_estimate(const weft_hurst *hurst, double confidence, uint32_t *octave)
{
    double none = __builtin_nan("");
    weft_estimate estimate = {.value = none, .lo = none, .hi = none, .stderr_ = none};
    level levels[WEFT_HURST_OCTAVES];
    uint32_t count = read_levels(hurst, levels), from = 0;
    *octave = 0;
    if (count < OCTAVES_MIN)
        return estimate;
    fit line = fit_line(levels, 0, count);
    while (from + OCTAVES_MIN < count && !agrees(line.misfit, count - from - 2.0))
        line = fit_line(levels, ++from, count);
    *octave = from + 1;
    estimate.value = (line.slope + 1) / 2;
    estimate.batches = count - from;
    if (!agrees(line.misfit, count - from - 2.0))
        return estimate;
    double excess = line.misfit / (count - from - 2.0); /* the line fits worse than it should */
    estimate.stderr_ = weft_sqrt(line.variance * (excess > 1 ? excess : 1)) / 2;
    double z = weft_normal_quantile(0.5 + 0.5 * confidence);
    estimate.lo = estimate.value - z * estimate.stderr_;
    estimate.hi = estimate.value + z * estimate.stderr_;
    return estimate;
}

void weft_hurst_save(const weft_hurst *hurst, weft_pack *pack)
{
    weft_pack_u64(pack, hurst->fed);
    for (uint32_t j = 0; j < WEFT_HURST_OCTAVES; j++) {
        weft_pack_i64(pack, hurst->pending[j]);
        weft_pack_double(pack, hurst->square[j]);
        weft_pack_double(pack, hurst->fourth[j]);
    }
}

void weft_hurst_load(weft_hurst *hurst, weft_unpack *from)
{
    hurst->fed = weft_unpack_u64(from);
    for (uint32_t j = 0; j < WEFT_HURST_OCTAVES; j++) {
        hurst->pending[j] = weft_unpack_count(from);
        hurst->square[j] = weft_unpack_double(from);
        hurst->fourth[j] = weft_unpack_double(from);
        if (hurst->pending[j] < 0 || hurst->pending[j] > INT64_MAX / 2 ||
            !(hurst->square[j] >= 0) || !(hurst->fourth[j] >= 0))
            weft_unpack_fail(from);
    }
}
