/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks dealt to the ranks of a communicator: every rank gets a box of blocks, all boxes weigh
 * about the same and have little surface. */
#ifndef WEFT_SIM_DEAL_H
#define WEFT_SIM_DEAL_H

#include "sim/partition.h"

/* What the boxes of a partition of some size cost in an earlier part of this run. */
typedef struct weft_costs {
    uint32_t boxes; /* of weft_partition_init(…, boxes) */
    int64_t *cost;  /* per box, any unit */
} weft_costs;

/* owner[block] = rank, for all blocks. costs NULL: routers are all alike. */
void weft_rank_map_blocks(const weft_partition *partition, uint32_t ranks, const weft_costs *costs,
                          uint32_t *owner);

#endif
