/* SPDX-License-Identifier: Apache-2.0 */
/* Valiant's algorithm: minimal routes to a random router, and from there to the destination
 * (Valiant 1982; Valiant and Brebner 1981). For any traffic, channel loads are twice those of
 * uniform traffic. If the intermediate router is one of the two ends, the route is minimal. Where
 * there are groups, as in a dragonfly, a group is drawn instead (Kim et al. 2008), which saves the
 * hops inside it; `via: router` also spreads traffic within groups. */
#include "net/routing.h"
#include "net/routing/common/detour.h"

static bool header_valid(const weft_routing *routing, uint32_t router, uint32_t route)
{
    return weft_detour_sound(routing, router, route, 1u << WEFT_SETTLED);
}

static weft_status assign_vcs(weft_routing *routing, uint32_t vcs, weft_error *err)
{
    return weft_detour_share(routing, 0, vcs, err);
}

#define SAMPLE 16384 /* packets */

/* Of packets between different routers, over a group: by a sample, whose error is below a
 * hundredth. */
static double mean_by_group(const weft_routing *routing)
{
    uint32_t homes = routing->topology->edge_routers;
    weft_random random = weft_random_stream(0, 0, homes, WEFT_FOR_MESSAGE);
    double hops = 0;
    for (uint32_t i = 0; i < SAMPLE; i++) {
        uint32_t from = weft_random_below(&random, homes);
        uint32_t to = weft_random_below(&random, homes - 1);
        to += to >= from;
        hops += weft_detour_length(routing, from, weft_detour_draw(routing, from, to, &random));
    }
    return hops / SAMPLE;
}

/* A packet that leaves its router goes to any of m routers, itself included, and from any of
 * them, the destination included: 2 (m − 1)/m mean distances, wherever the ends are. As many
 * leave as under uniform traffic. */
static double mean_hops(const weft_routing *routing, double minimal)
{
    const weft_topology *topology = routing->topology;
    double homes = topology->edge_routers, endpoints = weft_topology_endpoints(topology), own = 0;
    for (uint32_t r = 0; topology->first && r < topology->edge_routers; r++)
        own += (double)weft_topology_hosts(topology, r) * weft_topology_hosts(topology, r);
    double near = topology->first ? own / endpoints : topology->concentration; /* at its router */
    double leaving = (endpoints - near) / (endpoints - 1);
    if (minimal <= 0)
        return 0;
    if (weft_detour_by_group(routing))
        return leaving * mean_by_group(routing);
    return leaving * 2 * topology->kind->mean_distance(topology) * (homes - 1) / homes;
}

const weft_routing_kind weft_routing_valiant = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_routing_kind),
             .name = "valiant",
             .brief = "to a router drawn at random first, then to the destination",
             .params = weft_detour_params,
             .settings_size = sizeof(weft_detour_settings)},
    .check = weft_detour_check,
    .build = weft_detour_build,
    .handles_faults = true,
    .initial_header = weft_detour_draw,
    .proof.initial_headers = weft_detour_each,
    .proof.header_valid = header_valid,
    .ports_wanted = 1,
    .assign_vcs = assign_vcs,
    .candidates = weft_detour_candidates,
    .proof.input_independent = true,
    .proof.n_phases = WEFT_DETOUR_LEGS,
    .proof.phases = weft_detour_legs,
    .proof.mean_hops = mean_hops,
};
