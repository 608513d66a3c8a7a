/* SPDX-License-Identifier: Apache-2.0 */
/* O1TURN (Seo, Ali, Lim, Rafique and Thottethodi 2005): dimension order, ascending or descending,
 * each for half of the packets; its worst case is near the best of minimal routings on a
 * two-dimensional mesh. A bit above the topology's header holds the order. Each half of the VCs
 * serves one of the orders, with the VC classes of the topology. */
#include "net/routing.h"
#include "net/routing/common/vc_plan.h"
#include "net/routing/common/tag.h"

enum { ORDERS = 2 }; /* tag 0: the lowest dimension first, 1: the highest */

static weft_status check(const weft_routing *routing, weft_error *err)
{
    const weft_topology *topology = routing->topology;
    if (topology->lattice.dims < 2)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "routing o1turn needs a topology with two dimensions or more (torus, "
                         "mesh, hypercube, flattened-butterfly), found a %s%s",
                         topology->kind->base.name, topology->lattice.dims ? " with one" : "");
    return weft_tag_check(routing, ORDERS, err);
}

static uint32_t initial_header(const weft_routing *routing, uint32_t from, uint32_t to,
                               weft_random *random)
{
    return weft_tag_draw(routing, ORDERS, from, to, random);
}

static uint32_t initial_headers(const weft_routing *routing, uint32_t from, uint32_t to,
                                void (*each)(void *user, uint32_t word), void *user)
{
    return weft_tag_starts(routing, ORDERS, from, to, each, user);
}

static bool header_valid(const weft_routing *routing, uint32_t router, uint32_t route)
{
    return weft_tag_sound(routing, ORDERS, router, route);
}

static weft_status assign_vcs(weft_routing *routing, uint32_t vcs, weft_error *err)
{
    const weft_topology *topology = routing->topology;
    if (vcs < ORDERS * topology->max_vc_classes)
        return weft_fail(
            err, WEFT_BAD_INPUT,
            "router.vcs must be at least %u for routing o1turn on a %s (%u for each of "
            "the two orders of dimensions), found %u",
            ORDERS * topology->max_vc_classes, topology->kind->base.name, topology->max_vc_classes,
            vcs);
    routing->plan = (weft_vc_plan){.n_vcs = vcs};
    weft_assign_phase(routing, 0, 0, vcs / ORDERS);
    weft_assign_phase(routing, 1, vcs / ORDERS, vcs - vcs / ORDERS);
    return WEFT_OK;
}

/* As the topology says it. */
static weft_minimal_port find(const weft_routing *routing, uint32_t router, uint32_t route)
{
    const weft_topology *topology = routing->topology;
    weft_minimal_port ways[WEFT_MINIMAL_PORTS_MAX];
    unsigned most = weft_tag_of(routing, route) ? WEFT_MINIMAL_PORTS_MAX : 1;
    return ways[topology->kind->minimal_ports(topology, router, weft_tag_route(routing, route),
                                              most, ways) -
                1];
}

static unsigned candidates(const weft_routing *routing, const weft_route_context *here,
                           weft_random *random, weft_candidate *out)
{
    (void)random;
    weft_minimal_port way = find(routing, here->router, here->header);
    uint32_t order = weft_tag_of(routing, here->header);
    weft_vcs_put(&way, weft_phase_vcs(routing, order, here->router, &way), out);
    out->next_header = weft_tag_after(routing, here->header, way.next_header);
    return 1;
}

/* Each order is a way of its own. */
static const weft_phase phases[ORDERS] = {{.index = 0}, {.index = 1, .last = true}};

const weft_routing_kind weft_routing_o1turn = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_routing_kind),
             .name = "o1turn",
             .brief = "dimension by dimension, the lowest or the highest first, at random"},
    .check = check,
    .initial_header = initial_header,
    .proof.initial_headers = initial_headers,
    .proof.header_valid = header_valid,
    .ports_wanted = 1,
    .assign_vcs = assign_vcs,
    .candidates = candidates,
    .proof.input_independent = true,
    .proof.n_phases = ORDERS,
    .proof.phases = phases,
    .always_minimal = true,
    .proof.translation_invariant = true,
};
