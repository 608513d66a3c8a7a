/* SPDX-License-Identifier: Apache-2.0 */
/* Placement along the first Hamiltonian cycle of a k×k torus: consecutive tasks are neighbours on a
 * cycle that routing hamiltonian uses (Rexford & Shin, section 5.3: communicating tasks near each
 * other on a cycle). */
#include "net/topology/common/hamiltonian.h"
#include "net/traffic/placement.h"

static weft_status check(const weft_topology *topology, weft_error *err)
{
    return weft_placement_needs_square(topology, "hamiltonian", err);
}

static uint32_t endpoint(const weft_topology *topology, const void *settings, uint32_t task)
{
    (void)settings;
    return weft_cycle_router(topology->lattice.size[0], 0, task);
}

static uint32_t task(const weft_topology *topology, const void *settings, uint32_t at)
{
    (void)settings;
    return weft_cycle_place(topology->lattice.size[0], 0, at);
}

const weft_placement_kind weft_placement_hamiltonian = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_placement_kind),
             .name = "hamiltonian",
             .brief = "task after task along a Hamiltonian cycle of a k×k torus"},
    .check = check,
    .endpoint = endpoint,
    .task = task,
};
