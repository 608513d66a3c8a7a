/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/ownership.h"

#include "base/memory.h"
#include "net/topology.h"
#include "sim/rank_map.h"

#include <stdlib.h>

uint32_t weft_ownership_blocks(const weft_topology *topology, uint32_t ranks, uint32_t threads,
                               uint32_t wanted)
{
    uint32_t blocks = wanted ? wanted : weft_partition_default(topology, ranks, threads);
    return weft_partition_fit(topology, blocks > ranks ? blocks : ranks);
}

void weft_ownership_find(const weft_job_part *part, const weft_topology *topology, bool *own)
{
    weft_partition partition;
    uint32_t endpoints = weft_topology_endpoints(topology);
    weft_partition_init(&partition, topology,
                        weft_ownership_blocks(topology, part->ranks, part->threads, part->blocks));
    uint32_t *owner = weft_alloc(sizeof *owner * partition.blocks);
    weft_rank_map_blocks(&partition, part->ranks, NULL, owner);
    for (uint32_t e = 0; e < endpoints; e++) {
        uint32_t router = weft_topology_home(topology, e);
        own[e] = owner[weft_partition_place(&partition, router).block] == part->rank;
    }
    free(owner);
    weft_partition_done(&partition);
}
