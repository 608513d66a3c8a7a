/* SPDX-License-Identifier: Apache-2.0 */
#include "net/routing/common/vc_plan.h"

#include <assert.h>

weft_status weft_vcs_share(weft_routing *routing, uint32_t vcs, weft_error *err)
{
    const weft_topology *topology = routing->topology;
    assert(vcs >= 1 && vcs <= 16);
    assert(topology->max_vc_classes < 2 || topology->kind->vc_class);
    if (vcs < topology->max_vc_classes)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "router.vcs must be at least %u for routing %s on a %s (%s), found %u",
                         topology->max_vc_classes, routing->kind->base.name,
                         topology->kind->base.name,
                         topology->lattice.dims
                             ? "packets that will pass the dateline of a ring and those that will "
                               "not use different ones"
                             : "packets at different stages of their way use different ones",
                         vcs);
    routing->plan = (weft_vc_plan){.n_vcs = vcs};
    if (topology->kind->minimal_ports == weft_lattice_ways)
        routing->plan.precomputed = topology->self;
    weft_assign_phase(routing, 0, 0, vcs);
    return WEFT_OK;
}

/* On a lattice, from an endpoint, another dimension, or if no class is kept. */
static unsigned find_on_lattice(const weft_routing *routing, const weft_route_context *here,
                                weft_candidate *out)
{
    const weft_lattice_self *lattice = routing->plan.precomputed;
    const weft_lattice_field *field = &lattice->field[__builtin_ctz(here->header)];
    weft_minimal_port way = weft_lattice_way(field, here->header);
    bool crosses = weft_lattice_passes(lattice, field, here->router, &way);
    weft_vcs_put(&way, routing->plan.dateline[crosses ? 0 : 1], out);
    return 1;
}

static __attribute__((noinline)) unsigned
ask(const weft_routing *routing, const weft_route_context *here, bool keep, weft_candidate *out)
{
    const weft_topology *topology = routing->topology;
    const uint8_t *dim = topology->lattice.port_dim;
    weft_minimal_port way;
    (void)topology->kind->minimal_ports(topology, here->router, here->header, 1, &way);
    bool on = topology->lattice.dims && here->port != WEFT_FROM_ENDPOINT &&
              dim[here->port] == dim[way.port];
    weft_vcs_put(&way,
                 on && keep ? weft_vcs_same(&routing->plan, here->vc)
                            : weft_phase_vcs(routing, 0, here->router, &way),
                 out);
    return 1;
}

unsigned weft_vcs_find(const weft_routing *routing, const weft_route_context *here, bool keep,
                       weft_candidate *out)
{
    assert(here->header != 0);
    return routing->plan.precomputed ? find_on_lattice(routing, here, out)
                                     : ask(routing, here, keep, out);
}
