/* SPDX-License-Identifier: Apache-2.0 */
/* Dimension order: one port, in the first dimension with hops left. On closed rings the VCs of a
 * router have two classes, before the dateline and past it.
 *
 * Two more rules exist for comparison with other simulators and to show their effect. Without
 * classes (none) the channel dependency on a ring is cyclic. With an odd number of VCs BookSim2
 * lets both classes use the middle one (shared): where a packet has to choose its VC before that
 * has room, the dependency on a ring is cyclic, too. There the VC does not determine the class of a
 * packet, so the highest bit of its header holds it. */
#include "net/routing.h"
#include "net/routing/common/vc_plan.h"
#include "net/selection.h"

enum { ON_ENTRY, PER_HOP, NONE, SHARED };
static const char *const datelines[] = {"on-entry", "per-hop", "none", "shared", NULL};

#define CROSSING 0x80000000u /* shared: in a word, of the class that crosses a dateline */

typedef struct settings {
    int dateline;
} settings;

static const weft_param params[] = {
    {.name = "dateline",
     .brief = "when a packet's VC class on a ring is found: once, or at every hop again; none: "
              "there are no classes, shared: both use the middle VC of an odd number, and packets "
              "can deadlock",
     .type = WEFT_PARAM_CHOICE,
     .offset = offsetof(settings, dateline),
     .fallback = "on-entry",
     .choices = datelines},
    {.name = NULL},
};

static int rule(const weft_routing *routing)
{
    return ((const settings *)routing->settings)->dateline;
}

static weft_status check(const weft_routing *routing, weft_error *err)
{
    const weft_topology *topology = routing->topology;
    if (rule(routing) == SHARED && (topology->lattice.dims == 0 || topology->max_vc_classes > 2))
        return weft_fail(err, WEFT_BAD_INPUT,
                         "routing.dateline shared is for tori and meshes, found a %s: use on-entry",
                         topology->kind->base.name);
    if (rule(routing) == SHARED && topology->header_bits > 31)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "routing.dateline shared needs one bit of 32 in a packet's route, this "
                         "topology leaves none: use on-entry");
    return WEFT_OK;
}

static weft_kind_ref selection(const void *set)
{
    (void)set;
    return (weft_kind_ref){.kind = &weft_selection_dimension_order.base};
}

/* Every class has all VCs. */
static void share_all(weft_routing *routing, uint32_t vcs)
{
    weft_vc_plan *plan = &routing->plan;
    *plan = (weft_vc_plan){.n_vcs = vcs};
    plan->dateline[0] = plan->dateline[1] = WEFT_VCS_OF(vcs);
    for (uint32_t all = 1; all <= 16; all++)
        for (uint32_t c = 0; c < all; c++)
            plan->by_class[0][all][c] = WEFT_VCS_OF(vcs);
}

static weft_status assign_vcs(weft_routing *routing, uint32_t vcs, weft_error *err)
{
    if (rule(routing) == NONE) {
        share_all(routing, vcs);
        return WEFT_OK;
    }
    WEFT_TRY(weft_vcs_share(routing, vcs, err));
    if (rule(routing) == SHARED && routing->topology->max_vc_classes == 2)
        routing->plan.dateline[0] = WEFT_VCS_OF(vcs - vcs / 2);
    return WEFT_OK;
}

static __attribute__((noinline)) unsigned
hops_shared(const weft_routing *routing, const weft_route_context *here, weft_candidate *out)
{
    const weft_topology *topology = routing->topology;
    const uint8_t *dim = topology->lattice.port_dim;
    weft_minimal_port way;
    (void)topology->kind->minimal_ports(topology, here->router, here->header & ~CROSSING, 1, &way);
    bool on = here->port != WEFT_FROM_ENDPOINT && dim[here->port] == dim[way.port];
    bool crosses = on ? (here->header & CROSSING) != 0
                      : topology->kind->vc_class &&
                            topology->kind->vc_class(topology, here->router, &way) == 0;
    weft_vcs_put(&way, routing->plan.dateline[crosses ? 0 : 1], out);
    if (crosses && out->next_header)
        out->next_header |= CROSSING;
    return 1;
}

static unsigned candidates(const weft_routing *routing, const weft_route_context *here,
                           weft_random *random, weft_candidate *out)
{
    (void)random;
    int dateline = rule(routing);
    if (dateline == ON_ENTRY)
        return weft_vcs_next(routing, here, true, out);
    return dateline == SHARED && routing->plan.n_vcs > 0 ? hops_shared(routing, here, out)
                                                         : weft_vcs_find(routing, here, false, out);
}

static bool header_valid(const weft_routing *routing, uint32_t router, uint32_t route)
{
    const weft_topology *topology = routing->topology;
    if (rule(routing) == SHARED)
        route = route == CROSSING ? route : route & ~CROSSING;
    return !topology->kind->header_valid || topology->kind->header_valid(topology, router, route);
}

bool weft_routing_on_lattice(const weft_routing *routing)
{
    return routing->kind == &weft_routing_dimension_order && rule(routing) == ON_ENTRY &&
           routing->plan.precomputed;
}

const weft_routing_kind weft_routing_dimension_order = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_routing_kind),
             .name = "dimension-order",
             .brief = "dimension by dimension, the lowest first",
             .params = params,
             .settings_size = sizeof(settings)},
    .check = check,
    .selection = selection,
    .proof.header_valid = header_valid,
    .ports_wanted = 1,
    .assign_vcs = assign_vcs,
    .candidates = candidates,
    .always_minimal = true,
    .proof.translation_invariant = true,
    .proof.dimension_ordered = true,
};
