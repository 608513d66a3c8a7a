/* SPDX-License-Identifier: Apache-2.0 */
/* Mapping of blocks to the ranks of a communicator: every rank gets a box of blocks; boxes have
 * about the same weight and a small surface. */
#ifndef WEFT_SIM_RANK_MAP_H
#define WEFT_SIM_RANK_MAP_H

#include "sim/partition.h"

/* Costs of the boxes of a partition, measured before the run was resumed. */
typedef struct weft_costs {
    uint32_t boxes; /* of weft_partition_init(…, boxes) */
    int64_t *cost;  /* per box, any unit */
} weft_costs;

/* owner[block] = rank, for all blocks. costs NULL: all routers cost the same. */
void weft_rank_map_blocks(const weft_partition *partition, uint32_t ranks, const weft_costs *costs,
                          uint32_t *owner);

#endif
