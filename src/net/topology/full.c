/* SPDX-License-Identifier: Apache-2.0 */
/* A complete graph: every router is joined to every other one, by one link or several. Port
 * c (N − 1) + p of a router is link number c to the router that `order` gives to p. The route
 * header is the destination router + 1; which of several links comes first depends on the
 * difference of the two routers' numbers.
 *
 * All routes have one hop, so channels depend on no others. */
#include "net/topology/common/full.h"

#include "net/topology.h"
#include "net/topology/common/ways.h"

#include <assert.h>

#define ROUTERS_MAX (WEFT_PORTS_MAX + 1)

const char *const weft_full_order_names[] = {"relative", "absolute", "palm-tree", "circulant",
                                             NULL};

static const weft_param params[] = {
    {.name = "routers",
     .brief = "number of routers",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(weft_full_settings, routers),
     .min = 1,
     .max = ROUTERS_MAX},
    {.name = "hosts",
     .brief = "endpoints at every router",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(weft_full_settings, hosts),
     .fallback = "1",
     .min = 1,
     .max = WEFT_PORTS_MAX},
    {.name = "links",
     .brief = "links between every two routers",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(weft_full_settings, links),
     .fallback = "1",
     .min = 1,
     .max = WEFT_MINIMAL_PORTS_MAX},
    {.name = "order",
     .brief =
         "where port p of router r of N leads: relative to (r + p + 1) mod N, absolute to p, "
         "or p + 1 from r on, palm-tree to (r − p − 1) mod N, circulant to (r + p/2 + 1) mod N "
         "for even p, (r − (p + 1)/2) mod N for odd p",
     .type = WEFT_PARAM_CHOICE,
     .offset = offsetof(weft_full_settings, order),
     .fallback = "relative",
     .choices = weft_full_order_names},
    {.name = NULL},
};

typedef struct full {
    uint32_t others; /* routers − 1 */
    uint32_t links;
    weft_full_order order;
} full;

/* The router that the links of number p lead to, 0 ≤ p < others. */
static uint32_t behind(const full *self, uint32_t router, uint32_t p)
{
    uint32_t n = self->others + 1;
    switch (self->order) {
    case WEFT_FULL_RELATIVE:
        return router + p + 1 < n ? router + p + 1 : router + p + 1 - n;
    case WEFT_FULL_ABSOLUTE:
        return p < router ? p : p + 1;
    case WEFT_FULL_CIRCULANT:
        return p % 2 ? (router + n - (p + 1) / 2) % n : (router + p / 2 + 1) % n;
    case WEFT_FULL_PALM_TREE:
        break;
    }
    return router > p ? router - p - 1 : router + n - p - 1;
}

/* The p of the links to a router. */
static uint32_t towards(const full *self, uint32_t router, uint32_t to)
{
    uint32_t up = to > router ? to - router : to + self->others + 1 - router;
    switch (self->order) {
    case WEFT_FULL_RELATIVE:
        return up - 1;
    case WEFT_FULL_ABSOLUTE:
        return to < router ? to : to - 1;
    case WEFT_FULL_CIRCULANT: /* the way up where both are equal: the last port of an even N */
        return 2 * up <= self->others + 1 ? 2 * (up - 1) : 2 * (self->others - up) + 1;
    case WEFT_FULL_PALM_TREE:
        break;
    }
    return self->others - up;
}

static weft_end peer(const weft_topology *topology, uint32_t router, uint32_t port)
{
    const full *self = topology->self;
    uint32_t link = self->links > 1 ? port / self->others : 0,
             to = behind(self, router, port - link * self->others);
    return (weft_end){.router = to, .port = link * self->others + towards(self, to, router)};
}

static weft_status build(weft_topology *topology, const void *given, weft_error *err)
{
    const weft_full_settings *set = given;
    full *self = topology->self;
    if ((set->routers - 1) * set->links > WEFT_PORTS_MAX)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "topology.routers and topology.links give every router %lld ports "
                         "((routers − 1) × links), it has at most %d: use fewer",
                         (long long)(set->routers - 1) * set->links, WEFT_PORTS_MAX);
    *self = (full){.others = (uint32_t)set->routers - 1,
                   .links = (uint32_t)set->links,
                   .order = (weft_full_order)set->order};
    topology->routers = self->others + 1;
    topology->concentration = (uint32_t)set->hosts;
    topology->ports = self->others * self->links;
    topology->links = (uint64_t)topology->routers * topology->ports;
    topology->header_bits = weft_ways_bits(topology->routers);
    topology->proof.acyclic = true;
    topology->uniform = topology->proof.vertex_transitive = set->order != WEFT_FULL_ABSOLUTE;
    for (uint32_t p = 0; p < topology->ports && topology->uniform; p++)
        topology->peer_port[p] = (uint16_t)peer(topology, 0, p).port;
    return WEFT_OK;
}

static uint32_t distance(const weft_topology *topology, uint32_t from, uint32_t to)
{
    (void)topology;
    return from != to;
}

static double mean_distance(const weft_topology *topology)
{
    (void)topology;
    return 1;
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
    const full *self = topology->self;
    uint16_t ports[WEFT_MINIMAL_PORTS_MAX];
    unsigned count = self->links;
    assert(count <= WEFT_MINIMAL_PORTS_MAX);
    if (route == 0)
        return 0;
    uint32_t p = towards(self, router, route - 1);
    assert(p < self->others);
    for (unsigned c = 0; c < count; c++)
        ports[c] = (uint16_t)(c * self->others + p);
    uint32_t apart = route - 1 > router ? route - 1 - router : route + self->others - router;
    return weft_ways_put(ports, count, count > 1 ? apart % count : 0, 1, route, most, out);
}

static bool header_valid(const weft_topology *topology, uint32_t router, uint32_t route)
{
    return weft_ways_sound(topology->routers, router, route);
}

/* Half of the routers against the other half. */
static uint64_t bisection(const weft_topology *topology)
{
    const full *self = topology->self;
    uint64_t half = topology->routers / 2;
    return 2 * half * (topology->routers - half) * self->links;
}

static uint32_t diameter(const weft_topology *topology)
{
    return topology->routers > 1;
}

const weft_topology_kind weft_topology_full = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_topology_kind),
             .name = "full",
             .brief = "every router joined to every other one (complete graph)",
             .params = params,
             .settings_size = sizeof(weft_full_settings),
             .instance_size = sizeof(full)},
    .build = build,
    .peer = peer,
    .distance = distance,
    .mean_distance = mean_distance,
    .make_header = make_header,
    .minimal_ports = minimal_ports,
    .header_valid = header_valid,
    .closed_form.bisection = bisection,
    .closed_form.diameter = diameter,
};
