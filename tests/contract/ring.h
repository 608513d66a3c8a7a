/* SPDX-License-Identifier: Apache-2.0 */
/* A ring of ten routers that says nothing of coordinates: for what must also work without them. */
#ifndef WEFT_TEST_RING_H
#define WEFT_TEST_RING_H

#include "interweft/topology.h"

#define RING_SIZE 10u

static weft_status ring_build(weft_topology *topology, const void *settings, weft_error *err)
{
    (void)settings, (void)err;
    topology->routers = RING_SIZE;
    topology->concentration = 1;
    topology->ports = 2;
    topology->links = 2 * RING_SIZE;
    return WEFT_OK;
}

static weft_end ring_peer(const weft_topology *topology, uint32_t router, uint32_t port)
{
    uint32_t step = port == 0 ? 1 : topology->routers - 1;
    return (weft_end){.router = (router + step) % topology->routers, .port = 1 - port};
}

static uint32_t ring_distance(const weft_topology *topology, uint32_t from, uint32_t to)
{
    uint32_t up = (to + topology->routers - from) % topology->routers;
    return up <= topology->routers / 2 ? up : topology->routers - up;
}

/* 25 = 2 (1 + 2 + 3 + 4) + 5 hops to the 9 others */
static double ring_mean(const weft_topology *topology)
{
    (void)topology;
    return 25.0 / 9;
}

/* The route header: hops that are left × 2 + direction. */
static uint32_t ring_aim(const weft_topology *topology, uint32_t from, uint32_t to,
                         weft_random *tie)
{
    (void)tie;
    uint32_t up = (to + topology->routers - from) % topology->routers;
    uint32_t hops = ring_distance(topology, from, to);
    return hops ? 2 * hops + (up != hops) : 0;
}

static unsigned ring_ways(const weft_topology *topology, uint32_t router, uint32_t route,
                          unsigned most, weft_minimal_port *out)
{
    (void)topology, (void)router, (void)most;
    if (route == 0)
        return 0;
    *out = (weft_minimal_port){.port = (uint16_t)(route & 1),
                               .hops = (uint16_t)(route / 2),
                               .next_header = route > 3 ? route - 2 : 0};
    return 1;
}

static const weft_topology_kind ring_kind = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_topology_kind),
             .name = "ring",
             .brief = "ten routers in a circle"},
    .build = ring_build,
    .peer = ring_peer,
    .distance = ring_distance,
    .mean_distance = ring_mean,
    .make_header = ring_aim,
    .minimal_ports = ring_ways,
};

#endif
