/* SPDX-License-Identifier: Apache-2.0 */
/* Leaf-spine: a complete bipartite graph of leaves, which have the endpoints, and spines (a folded
 * Clos network of two levels). Routers 0 … leaves − 1 are the leaves. Port s of a leaf leads to
 * spine s, port l of a spine to leaf l. The route header is the destination router + 1; spines may
 * be destinations as well, inside of a hierarchy.
 *
 * Between two leaves a and b the first minimal port is that of spine (a + b) mod spines: each leaf
 * spreads its destinations over all spines, and so does each destination its sources. Routes
 * between leaves go up, then down: they follow one order of the links. */
#include "net/topology/common/leaf_spine.h"

#include "net/topology.h"
#include "net/topology/common/ways.h"

#include <stdio.h>

static const weft_param params[] = {
    {.name = "leaves",
     .brief = "number of leaves, the routers with endpoints",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(weft_leaf_spine_settings, leaves),
     .min = 2,
     .max = WEFT_PORTS_MAX},
    {.name = "spines",
     .brief = "number of spines, each joined to every leaf",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(weft_leaf_spine_settings, spines),
     .min = 1,
     .max = WEFT_PORTS_MAX},
    {.name = "hosts",
     .brief = "endpoints at every leaf",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(weft_leaf_spine_settings, hosts),
     .fallback = "1",
     .min = 1,
     .max = WEFT_PORTS_MAX},
    {.name = NULL},
};

typedef struct leaf_spine {
    uint32_t leaves, spines;
    weft_tier tiers[2];
} leaf_spine;

static weft_status build(weft_topology *topology, const void *given, weft_error *err)
{
    const weft_leaf_spine_settings *set = given;
    leaf_spine *self = topology->self;
    (void)err;
    self->leaves = (uint32_t)set->leaves;
    self->spines = (uint32_t)set->spines;
    topology->routers = self->leaves + self->spines;
    topology->edge_routers = self->leaves;
    topology->concentration = (uint32_t)set->hosts;
    topology->ports = self->leaves > self->spines ? self->leaves : self->spines;
    topology->links = 2 * (uint64_t)self->leaves * self->spines;
    topology->header_bits = weft_ways_bits(topology->routers);
    self->tiers[0] = (weft_tier){.ports = self->spines, .concentration = topology->concentration};
    self->tiers[1] = (weft_tier){.first = self->leaves, .ports = self->leaves};
    topology->n_tiers = 2;
    topology->tiers = self->tiers;
    topology->proof.acyclic = true;
    topology->reaches_core = true;
    return WEFT_OK;
}

static weft_end peer(const weft_topology *topology, uint32_t router, uint32_t port)
{
    const leaf_spine *self = topology->self;
    bool leaf = router < self->leaves;
    if (port >= (leaf ? self->spines : self->leaves))
        return (weft_end){.router = WEFT_NOWHERE};
    return leaf ? (weft_end){.router = self->leaves + port, .port = router}
                : (weft_end){.router = port, .port = router - self->leaves};
}

static uint32_t distance(const weft_topology *topology, uint32_t from, uint32_t to)
{
    const leaf_spine *self = topology->self;
    if (from == to)
        return 0;
    return (from < self->leaves) == (to < self->leaves) ? 2 : 1;
}

static double mean_distance(const weft_topology *topology)
{
    (void)topology;
    return 2;
}

static uint32_t make_header(const weft_topology *topology, uint32_t from, uint32_t to,
                            weft_random *tie)
{
    (void)topology, (void)tie; /* ways share the load instead */
    return from == to ? 0 : to + 1;
}

static unsigned minimal_ports(const weft_topology *topology, uint32_t router, uint32_t route,
                              unsigned most, weft_minimal_port *out)
{
    const leaf_spine *self = topology->self;
    if (route == 0)
        return 0;
    uint32_t to = route - 1, hops = distance(topology, router, to);
    bool leaf = router < self->leaves;
    uint32_t from = leaf ? router : router - self->leaves,
             end = to < self->leaves ? to : to - self->leaves;
    uint32_t all = leaf ? self->spines : self->leaves;
    unsigned count = hops == 1 ? 1 : all < most ? all : most;
    uint32_t port = hops == 1 ? end : (from + end) % all;
    for (unsigned i = 0; i < count; i++, port = port + 1 < all ? port + 1 : 0)
        out[i] = (weft_minimal_port){.port = (uint16_t)port,
                                     .hops = (uint16_t)hops,
                                     .next_header = hops == 1 ? 0 : route,
                                     .dim = WEFT_NO_DIM};
    return count;
}

static bool header_valid(const weft_topology *topology, uint32_t router, uint32_t route)
{
    return route == 0 ? router < topology->edge_routers
                      : weft_ways_sound(topology->edge_routers, router, route);
}

/* Half of the leaves against the rest. */
static uint64_t bisection(const weft_topology *topology)
{
    const leaf_spine *self = topology->self;
    return 2 * (uint64_t)(self->leaves / 2) * self->spines;
}

static uint32_t diameter(const weft_topology *topology)
{
    (void)topology;
    return 2;
}

static void name(const weft_topology *topology, uint32_t router, char *text, size_t size)
{
    const leaf_spine *self = topology->self;
    bool leaf = router < self->leaves;
    (void)snprintf(text, size, "%s %u", leaf ? "leaf" : "spine",
                   leaf ? router : router - self->leaves);
}

const weft_topology_kind weft_topology_leaf_spine = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_topology_kind),
             .name = "leaf-spine",
             .brief = "leaves with endpoints, each joined to every spine (two-level folded Clos)",
             .params = params,
             .settings_size = sizeof(weft_leaf_spine_settings),
             .instance_size = sizeof(leaf_spine)},
    .build = build,
    .peer = peer,
    .distance = distance,
    .mean_distance = mean_distance,
    .make_header = make_header,
    .minimal_ports = minimal_ports,
    .header_valid = header_valid,
    .closed_form.bisection = bisection,
    .closed_form.diameter = diameter,
    .name = name,
    .minimal = "up-down, by spine (source + destination) mod spines",
};
