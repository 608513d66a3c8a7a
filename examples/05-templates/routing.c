/* SPDX-License-Identifier: Apache-2.0 */
/* Template of a routing. Copy it, rename `my-routing`, change `candidates`.
 *
 *     cc -std=c17 -O2 -ffp-contract=off -shared -fPIC -fvisibility=hidden -o routing.so routing.c
 *     weft selftest --plugin ./routing.so
 *     weft run mesh.yaml --plugin ./routing.so
 *
 * Every function is pure: it depends on its arguments alone and writes nothing but its answer.
 * Results are then the same on any number of threads and ranks. */
#include <interweft/interweft.h>

/* The settings of the routing in a scenario: routing: {kind: my-routing, spare: 1}. */
typedef struct settings {
    int64_t spare;
} settings;

static const weft_param params[] = {
    {.name = "spare",
     .brief = "virtual channels that no packet uses",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, spare),
     .fallback = "0", /* the default, as text; without it the setting is required */
     .min = 0,
     .max = 15},
    {.name = NULL},
};

/* Refuses networks that the routing cannot route on. The sentence says what would be right. */
static weft_status check(const weft_routing *routing, weft_error *err)
{
    const weft_topology *topology = routing->topology;
    if (topology->lattice.dims > 0 && !topology->lattice.full && topology->max_vc_classes == 1)
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT, "routing my-routing needs a mesh, found a %s",
                     topology->kind->base.name);
}

/* Partitions the VCs. A routing without classes has `.assign_vcs = weft_assign_all_vcs` instead of
 * this function. Routers without VCs do not call it; routing->plan.n_vcs is 0 there. */
static weft_status assign_vcs(weft_routing *routing, uint32_t vcs, weft_error *err)
{
    const settings *set = routing->settings;
    if (vcs <= set->spare)
        return weft_fail(err, WEFT_BAD_INPUT, "router.vcs must be above routing.spare, found %u",
                         vcs);
    return weft_assign_all_vcs(routing, vcs - (uint32_t)set->spare, err);
}

/* The outputs that a packet may take at a router, best first. at->header is the route header: here
 * the topology's, which minimal_ports reads. It also gives the header behind every port. */
static unsigned candidates(const weft_routing *routing, const weft_route_context *at,
                           weft_random *random, weft_candidate *out)
{
    const weft_topology *topology = routing->topology;
    weft_minimal_port port;
    (void)random; /* NULL unless the kind says .draws = true */
    /* The first minimal port is dimension order: deadlock-free on a mesh with any number of VCs. */
    (void)topology->kind->minimal_ports(topology, at->router, at->header, 1, &port);
    out[0] = (weft_candidate){
        .port = port.port, .vcs = routing->plan.open, .next_header = port.next_header};
    return 1;
}

static const weft_routing_kind my_routing = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof my_routing,
             .name = "my-routing",
             .brief = "dimension by dimension, the lowest first",
             .params = params,
             .settings_size = sizeof(settings)},
    .candidates = candidates,
    .assign_vcs = assign_vcs,
    .check = check,
    .ports_wanted = 1,      /* never more than one candidate */
    .always_minimal = true, /* every route is a shortest one */
};

static const weft_plugin_item items[] = {{"routing", &my_routing.base}, {NULL, NULL}};
static const weft_plugin plugin = {WEFT_ABI, sizeof plugin, "my-routing", items};

const weft_plugin *weft_plugin_get(void)
{
    return &plugin;
}
