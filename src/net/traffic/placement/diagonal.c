/* SPDX-License-Identifier: Apache-2.0 */
/* Placement down the diagonals of a k×k torus: consecutive tasks are one step apart in both
 * dimensions, so that adaptive packets between them have two minimal ports for as long as possible
 * (Rexford & Shin, section 6: few border nodes). Task t is at (t mod k, t mod k + t div k). */
#include "net/traffic/placement.h"

static weft_status check(const weft_topology *topology, weft_error *err)
{
    return weft_placement_needs_square(topology, "diagonal", err);
}

static uint32_t endpoint(const weft_topology *topology, const void *settings, uint32_t task)
{
    uint32_t k = topology->lattice.size[0], row = task % k, shift = task / k;
    (void)settings;
    return row * k + (row + shift) % k;
}

static uint32_t task(const weft_topology *topology, const void *settings, uint32_t at)
{
    uint32_t k = topology->lattice.size[0], row = at / k, column = at % k;
    (void)settings;
    return (column + k - row) % k * k + row;
}

const weft_placement_kind weft_placement_diagonal = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_placement_kind),
             .name = "diagonal",
             .brief = "task after task down the diagonals of a k×k torus: few border nodes"},
    .check = check,
    .endpoint = endpoint,
    .task = task,
};
