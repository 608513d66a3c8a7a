/* SPDX-License-Identifier: Apache-2.0 */
/* Distribution of packets after a number of hops: shares by (router, route header, class of the
 * last link). Equal states are merged, so that routes that meet again are followed once. */
#ifndef WEFT_ANALYSIS_BOUNDS_FRONTIER_H
#define WEFT_ANALYSIS_BOUNDS_FRONTIER_H

#include <stddef.h>
#include <stdint.h>

typedef struct weft_spot {
    uint32_t router, route, came;
    double share;
} weft_spot;

typedef struct weft_frontier { /* zeroed: empty */
    weft_spot *spots;
    size_t n_spots, room;
    uint32_t *slot; /* hash table of indices of spots, + 1; four times the room, a power of two */
} weft_frontier;

void weft_frontier_add(weft_frontier *frontier, weft_spot spot);
void weft_frontier_clear(weft_frontier *frontier);
void weft_frontier_done(weft_frontier *frontier);

#endif
