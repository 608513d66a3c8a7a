/* SPDX-License-Identifier: Apache-2.0 */
/* Valiant's algorithm: minimal routes to a random router, and from there to the destination
 * (Valiant 1982; Valiant and Brebner 1981). For any traffic, channel loads are twice those of
 * uniform traffic. If the intermediate router is one of the two ends, the route is minimal. Where
 * there are groups, as in a dragonfly, a group is drawn instead (Kim et al. 2008), which saves the
 * hops inside it; `via: router` also spreads traffic within groups. */
#include "base/memory.h"
#include "net/routing.h"
#include "net/routing/common/detour.h"
#include "net/traffic/common/survey.h"

#include <stdlib.h>

/* Expected hops, found when they are asked for. */
typedef struct lengths {
    bool known;
    bool even;        /* between any two routers the same: */
    double all;       /* this */
    double *out, *in; /* [router]: mean distance to a router in between, and from one; or NULL */
    double *apart;    /* over a group, [numbers from group to group]; 0: not known yet */
} lengths;

static bool header_valid(const weft_routing *routing, uint32_t router, uint32_t route)
{
    return weft_detour_sound(routing, router, route, 1u << WEFT_SETTLED);
}

static weft_status assign_vcs(weft_routing *routing, uint32_t vcs, weft_error *err)
{
    return weft_detour_share(routing, 0, vcs, err);
}

#define SAMPLE       16384 /* packets */
#define SAMPLE_APART 2048  /* between two groups */

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

/* The same of packets to the group so many numbers further on. */
static double mean_apart(const weft_routing *routing, uint32_t apart)
{
    const weft_topology *topology = routing->topology;
    uint32_t homes = topology->edge_routers, size = topology->group;
    uint32_t groups = (homes + size - 1) / size;
    weft_random random = weft_random_stream(0, apart, homes, WEFT_FOR_MESSAGE);
    double hops = 0;
    for (uint32_t i = 0; i < SAMPLE_APART;) {
        uint32_t from = weft_random_below(&random, homes);
        uint32_t first = (from / size + apart) % groups * size, left = homes - first;
        uint32_t to = first + weft_random_below(&random, left < size ? left : size);
        if (to == from)
            continue;
        hops += weft_detour_length(routing, from, weft_detour_draw(routing, from, to, &random));
        i++;
    }
    return hops / SAMPLE_APART;
}

/* A packet that leaves its router goes to any of m routers, itself included, and from any of
 * them, the destination included: 2 (m − 1)/m mean distances, if all have the same. */
static double mean_by_router(const weft_topology *topology, double leaving)
{
    double homes = topology->edge_routers;
    return leaving * 2 * topology->kind->mean_distance(topology) * (homes - 1) / homes;
}

/* Of uniform traffic. */
static double mean_hops(const weft_routing *routing, double minimal)
{
    const weft_topology *topology = routing->topology;
    double endpoints = weft_topology_endpoints(topology), own = 0;
    for (uint32_t r = 0; topology->first && r < topology->edge_routers; r++)
        own += (double)weft_topology_hosts(topology, r) * weft_topology_hosts(topology, r);
    double near = topology->first ? own / endpoints : topology->concentration; /* at its router */
    double leaving = (endpoints - near) / (endpoints - 1);
    if (minimal <= 0)
        return 0;
    if (weft_detour_by_group(routing))
        return leaving * mean_by_group(routing);
    return mean_by_router(topology, leaving);
}

/* Mean distances to all routers in between and from them; in networks in which that would take
 * seconds, of an evenly spaced sample, as far away as they are near. */
static void survey_routers(const weft_topology *topology, lengths *it)
{
    uint32_t homes = topology->edge_routers;
    weft_survey over = weft_survey_of(topology, homes, false);
    it->out = weft_alloc(sizeof *it->out * homes);
    it->in = weft_alloc(sizeof *it->in * homes);
    it->even = true;
    for (uint32_t r = 0; r < homes; r++) {
        uint64_t out = 0, in = 0; /* sums are exact */
        for (uint32_t i = 0; i < over.routers; i++) {
            uint32_t mid = i * over.step, there = topology->kind->distance(topology, r, mid);
            out += there;
            in += over.step == 1 ? topology->kind->distance(topology, mid, r) : there;
        }
        it->out[r] = (double)out / over.routers;
        it->in[r] = (double)in / over.routers;
        it->even = it->even && over.step == 1 && it->out[r] == it->out[0] &&
                   it->in[r] == it->in[0] && in == out;
    }
}

static void find_lengths(const weft_routing *routing, lengths *it)
{
    const weft_topology *topology = routing->topology;
    it->known = true;
    if (weft_detour_by_group(routing)) {
        it->apart = weft_alloc(sizeof *it->apart * topology->edge_routers);
        return;
    }
    it->even = topology->proof.vertex_transitive && topology->edge_routers == topology->routers;
    if (!it->even)
        survey_routers(topology, it);
    it->all = mean_by_router(topology, 1);
}

/* Over a group: the mean of all pairs of groups as far apart by their numbers. */
static double path_length(const weft_routing *routing, uint32_t from, uint32_t to)
{
    lengths *it = routing->self;
    const weft_topology *topology = routing->topology;
    if (!it->known)
        find_lengths(routing, it);
    if (!it->apart)
        return it->even ? it->all : it->out[from] + it->in[to];
    uint32_t groups = (topology->edge_routers + topology->group - 1) / topology->group;
    uint32_t apart = (to / topology->group + groups - from / topology->group) % groups;
    if (it->apart[apart] <= 0)
        it->apart[apart] = mean_apart(routing, apart);
    return it->apart[apart];
}

static void done(weft_routing *routing)
{
    lengths *it = routing->self;
    free(it->out);
    free(it->in);
    free(it->apart);
    *it = (lengths){0};
}

const weft_routing_kind weft_routing_valiant = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_routing_kind),
             .name = "valiant",
             .brief = "to a router drawn at random first, then to the destination",
             .params = weft_detour_params,
             .settings_size = sizeof(weft_detour_settings),
             .instance_size = sizeof(lengths)},
    .check = weft_detour_check,
    .build = weft_detour_build,
    .done = done,
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
    .proof.path_length = path_length,
};
