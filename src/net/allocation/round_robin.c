/* SPDX-License-Identifier: Apache-2.0 */
/* The first endpoint of every router, then the second of each, … */
#include "base/memory.h"
#include "net/allocation.h"

#include <stdlib.h>
#include <string.h>

static weft_status order(weft_allocation *allocation, weft_error *err)
{
    const weft_topology *topology = allocation->topology;
    uint32_t *dealt = weft_alloc(sizeof *dealt * ((size_t)allocation->count + 1)), count = 0;
    (void)err;
    for (uint32_t host = 0; host < topology->concentration; host++)
        for (uint32_t i = 0; i < allocation->count; i++)
            if (weft_topology_host(topology, allocation->free[i]) == host)
                dealt[count++] = allocation->free[i];
    memcpy(allocation->free, dealt, sizeof *dealt * count);
    free(dealt);
    return WEFT_OK;
}

const weft_allocation_kind weft_allocation_round_robin = {.name = "round-robin", .order = order};
