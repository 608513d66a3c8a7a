/* SPDX-License-Identifier: Apache-2.0 */
#include "net/lanes.h"

#include <assert.h>

void weft_lanes_divide(weft_routing *routing, uint32_t count)
{
    uint16_t all = WEFT_LANES_OF(count), lower = WEFT_LANES_OF(count / 2);
    bool rings = routing->topology->classes > 1;
    assert(count >= 1 && count <= 16 && (!rings || lower));
    routing->plan.class[0] = rings ? lower : all;
    routing->plan.class[1] = rings ? all & (uint16_t)~lower : all;
}

weft_status weft_lanes_share(weft_routing *routing, uint32_t lanes, weft_error *err)
{
    const weft_topology *topology = routing->topology;
    assert(lanes >= 1 && lanes <= 16 && topology->classes <= 2);
    assert(topology->classes < 2 || topology->kind->crosses);
    if (lanes < topology->classes)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "router.vcs must be at least %u for routing %s on a %s (packets that will "
                         "pass the dateline of a ring and those that will not use different ones), "
                         "found %u",
                         topology->classes, routing->kind->base.name, topology->kind->base.name,
                         lanes);
    routing->plan = (weft_lane_plan){.lanes = lanes};
    if (topology->kind->ways == weft_lattice_ways)
        routing->plan.own = topology->self;
    weft_lanes_divide(routing, lanes);
    return WEFT_OK;
}

weft_status weft_lanes_share_kept(weft_routing *routing, uint32_t lanes, weft_error *err)
{
    const weft_topology *topology = routing->topology;
    if (topology->classes > 1 && topology->lattice.dims == 0)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "topology %s does not say which of its ports belong to one dimension, so "
                         "packets cannot keep their class along it: use routing dimension-order "
                         "with dateline: per-hop",
                         topology->kind->base.name);
    return weft_lanes_share(routing, lanes, err);
}

/* On a lattice, from an endpoint, another dimension, or if no class is kept. */
static unsigned find_on_lattice(const weft_routing *routing, const weft_here *here, weft_hop *out)
{
    const weft_lattice_self *lattice = routing->plan.own;
    const weft_lattice_field *field = &lattice->field[__builtin_ctz(here->route)];
    weft_way way = weft_lattice_way(field, here->route);
    bool crosses = weft_lattice_passes(lattice, field, here->router, &way);
    weft_lanes_put(&way, routing->plan.class[crosses ? 0 : 1], out);
    return 1;
}

static __attribute__((noinline)) unsigned ask(const weft_routing *routing, const weft_here *here,
                                              bool keep, weft_hop *out)
{
    const weft_topology *topology = routing->topology;
    const uint8_t *dim = topology->lattice.port_dim;
    weft_way way;
    (void)topology->kind->ways(topology, here->route, 1, &way);
    bool on = here->port != WEFT_FROM_ENDPOINT && dim[here->port] == dim[way.port];
    weft_lanes_put(&way,
                   on && keep ? weft_lanes_same(&routing->plan, here->lane)
                              : weft_lanes_of(routing, here->router, &way),
                   out);
    return 1;
}

unsigned weft_lanes_find(const weft_routing *routing, const weft_here *here, bool keep,
                         weft_hop *out)
{
    assert(here->route != 0);
    return routing->plan.own ? find_on_lattice(routing, here, out) : ask(routing, here, keep, out);
}
