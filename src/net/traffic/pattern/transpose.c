/* SPDX-License-Identifier: Apache-2.0 */
/* Swaps the upper and the lower half of the number's bits, or reverses the order of the
 * coordinates: a matrix transposed. */
#include "net/traffic/common/permutation.h"
#include "net/traffic/pattern.h"

static uint32_t swap(const weft_pattern *pattern, uint32_t source)
{
    uint32_t half = ((const weft_permutation *)pattern->self)->bits / 2;
    return source >> half | (source & ((1u << half) - 1)) << half;
}

/* (x, y, z) to (z, y, x). */
static uint32_t reverse(const weft_pattern *pattern, uint32_t source)
{
    const weft_lattice *lattice = &pattern->topology->lattice;
    uint32_t hosts = pattern->topology->concentration, router = source / hosts, to = 0;
    for (uint32_t d = lattice->dims; d-- > 0; router /= lattice->size[d])
        to = to * lattice->size[d] + router % lattice->size[d];
    return to * hosts + source % hosts;
}

static weft_status build(weft_pattern *pattern, const void *settings, weft_error *err)
{
    const weft_lattice *lattice = &pattern->topology->lattice;
    bool number = ((const weft_permutation_settings *)settings)->by != WEFT_BY_COORDINATES;
    for (uint32_t d = 0; d < lattice->dims && !number; d++)
        if (lattice->size[d] != lattice->size[lattice->dims - 1 - d])
            return weft_fail(
                err, WEFT_BAD_INPUT,
                "pattern transpose by coordinates needs dimensions of the same sizes in "
                "reverse, this network has %u along the first and %u along the last",
                lattice->size[d], lattice->size[lattice->dims - 1 - d]);
    return weft_permutation_build_by(pattern, settings, swap, true, reverse, err);
}

WEFT_PERMUTATION_BY_KIND(transpose, "transpose",
                         "to the number with its two halves swapped: (x, y) to (y, x)", build);
