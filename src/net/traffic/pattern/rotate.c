/* SPDX-License-Identifier: Apache-2.0 */
/* The inverse of the perfect shuffle. */
#include "net/traffic/common/permutation.h"
#include "net/traffic/pattern.h"

static uint32_t map(const weft_pattern *pattern, uint32_t source)
{
    uint32_t bits = ((const weft_permutation *)pattern->self)->bits;
    if (bits == 0)
        return source;
    return source >> 1 | (source & 1) << (bits - 1);
}

static weft_status build(weft_pattern *pattern, const void *settings, weft_error *err)
{
    weft_permutation_self(pattern, settings);
    return weft_permutation_build_bits(pattern, map, false, err);
}

WEFT_PERMUTATION_KIND(rotate, "rotate", "to the number with its bits rotated right by one", build);
