/* SPDX-License-Identifier: Apache-2.0 */
/* Distances in a network with faults, found by walking its cables: kinds know only those of the
 * whole network. */
#ifndef WEFT_INTEROP_DISTANCES_H
#define WEFT_INTEROP_DISTANCES_H

#include "interop/cables.h"

typedef struct weft_distances {
    uint32_t most; /* between edge routers */
    double mean;   /* of all pairs of different edge routers */
    bool exact;    /* else of some routers to all others */
    bool cut;      /* there is no way from a router to another … */
    uint32_t from, to;
} weft_distances;

weft_distances weft_distances_walk(const weft_topology *topology, const weft_cables *cables);

#endif
