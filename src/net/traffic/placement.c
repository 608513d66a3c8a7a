/* SPDX-License-Identifier: Apache-2.0 */
#include "net/traffic/placement.h"

weft_status weft_placement_needs_square(const weft_topology *topology, const char *name,
                                        weft_error *err)
{
    const weft_lattice *lattice = &topology->lattice;
    bool square = lattice->dims == 2 && !lattice->full && lattice->size[0] == lattice->size[1] &&
                  lattice->wraps[0] && lattice->wraps[1] && lattice->size[0] >= 3;
    if (square && topology->concentration == 1)
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT,
                     "placement %s needs a torus of k × k routers, k at least 3, with one endpoint "
                     "each, as topology: {kind: torus, dims: [16, 16]}",
                     name);
}
