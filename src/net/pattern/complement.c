/* SPDX-License-Identifier: Apache-2.0 */
/* Every packet crosses the middle of every dimension. */
#include "net/pattern.h"
#include "net/permutation.h"

static uint32_t map(const weft_pattern *pattern, uint32_t source)
{
    return ((1u << ((const weft_permutation *)pattern->self)->bits) - 1) ^ source;
}

static weft_status build(weft_pattern *pattern, const void *settings, weft_error *err)
{
    (void)settings;
    return weft_permutation_build_bits(pattern, map, false, err);
}

WEFT_PERMUTATION_KIND(complement, "complement", "to the number with every bit inverted", build);
