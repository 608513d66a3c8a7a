/* SPDX-License-Identifier: Apache-2.0 */
/* Every packet crosses the middle of every dimension. */
#include "net/traffic/common/permutation.h"
#include "net/traffic/pattern.h"

static uint32_t invert(const weft_pattern *pattern, uint32_t source)
{
    return ((1u << ((const weft_permutation *)pattern->self)->bits) - 1) ^ source;
}

/* Coordinate x goes to size − 1 − x, which is the last router's number minus this one's. */
static uint32_t mirror(const weft_pattern *pattern, uint32_t source)
{
    uint32_t hosts = pattern->topology->concentration;
    return (pattern->topology->routers - 1 - source / hosts) * hosts + source % hosts;
}

static weft_status build(weft_pattern *pattern, const void *settings, weft_error *err)
{
    return weft_permutation_build_by(pattern, settings, invert, false, mirror, err);
}

WEFT_PERMUTATION_BY_KIND(complement, "complement",
                         "to the number with every bit inverted, or the place opposite", build);
