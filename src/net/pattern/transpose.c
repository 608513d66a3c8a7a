/* SPDX-License-Identifier: Apache-2.0 */
/* Swaps the upper and the lower half of the number's bits: a matrix transposed. */
#include "net/pattern.h"
#include "net/permutation.h"

static uint32_t map(const weft_pattern *pattern, uint32_t source)
{
    uint32_t half = ((const weft_permutation *)pattern->self)->bits / 2;
    return source >> half | (source & ((1u << half) - 1)) << half;
}

static weft_status build(weft_pattern *pattern, const void *settings, weft_error *err)
{
    (void)settings;
    return weft_permutation_build_bits(pattern, map, true, err);
}

WEFT_PERMUTATION_KIND(transpose, "transpose",
                      "to the number with its two halves swapped: (x, y) to (y, x)", build);
