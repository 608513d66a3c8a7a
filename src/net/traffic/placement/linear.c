/* SPDX-License-Identifier: Apache-2.0 */
/* Placement in the order of the endpoints' numbers: along the last dimension, row by row. */
#include "net/traffic/placement.h"

static uint32_t same(const weft_topology *topology, const void *settings, uint32_t number)
{
    (void)topology;
    (void)settings;
    return number;
}

const weft_placement_kind weft_placement_linear = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_placement_kind),
             .name = "linear",
             .brief = "task t at endpoint t: row by row"},
    .endpoint = same,
    .task = same,
};
