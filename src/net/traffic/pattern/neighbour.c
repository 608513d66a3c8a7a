/* SPDX-License-Identifier: Apache-2.0 */
/* Coordinate x goes to x + 1 in every dimension. */
#include "net/traffic/common/permutation.h"
#include "net/traffic/pattern.h"

static uint32_t step(uint32_t size)
{
    (void)size;
    return 1;
}

static uint32_t map(const weft_pattern *pattern, uint32_t source)
{
    return weft_permutation_shift(pattern, source, step);
}

static weft_status build(weft_pattern *pattern, const void *settings, weft_error *err)
{
    weft_permutation_self(pattern, settings);
    return weft_permutation_build_lattice(pattern, map, err);
}

WEFT_SHIFT_KIND(neighbour, "neighbour", "one step along every dimension", build);
