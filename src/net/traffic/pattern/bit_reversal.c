/* SPDX-License-Identifier: Apache-2.0 */
/* Endpoint b(n−1) … b1 b0 sends to b0 b1 … b(n−1). On a square torus rows send to columns. */
#include "net/traffic/common/permutation.h"
#include "net/traffic/pattern.h"

static uint32_t map(const weft_pattern *pattern, uint32_t source)
{
    const weft_permutation *self = pattern->self;
    uint32_t to = 0;
    for (uint32_t b = 0; b < self->bits; b++)
        to |= ((source >> b) & 1) << (self->bits - 1 - b);
    return to;
}

static weft_status build(weft_pattern *pattern, const void *settings, weft_error *err)
{
    weft_permutation_self(pattern, settings);
    return weft_permutation_build_bits(pattern, map, false, err);
}

WEFT_PERMUTATION_KIND(bit_reversal, "bit-reversal",
                      "to the number with its bits reversed (of the whole number)", build);
