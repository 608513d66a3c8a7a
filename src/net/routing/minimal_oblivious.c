/* SPDX-License-Identifier: Apache-2.0 */
/* Minimal oblivious routing: only the selection's first choice, busy or not. With finite buffers
 * only dimension order is deadlock-free: other choices can make the channel dependency cyclic in
 * any VC class, unless all minimal routes follow one order of the links. */
#include "net/routing.h"
#include "net/routing/common/vc_plan.h"
#include "net/routing/common/minimal.h"

static weft_status assign_vcs(weft_routing *routing, uint32_t vcs, weft_error *err)
{
    if (routing->selection->rank && routing->topology->proof.acyclic)
        return weft_vcs_share(routing, vcs, err);
    if (routing->selection->rank)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "routing.selection %s can deadlock in routers with finite buffers: use "
                         "dimension-order, or routing minimal-adaptive, whose escape path makes "
                         "every selection safe",
                         routing->selection->base.name);
    return weft_vcs_share(routing, vcs, err);
}

static unsigned candidates(const weft_routing *routing, const weft_route_context *here,
                           weft_random *random, weft_candidate *out)
{
    if (!routing->selection->rank)
        return weft_vcs_next(routing, here, true, out);
    weft_minimal_port ways[WEFT_MINIMAL_PORTS_MAX];
    (void)weft_minimal_ways(routing, here->router, here->header, 1, random, ways);
    weft_vcs_put(ways, WEFT_VCS_OF(routing->plan.n_vcs), out);
    return 1;
}

const weft_routing_kind weft_routing_minimal_oblivious = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_routing_kind),
             .name = "minimal-oblivious",
             .brief = "one minimal port, chosen without looking at the network",
             .params = weft_minimal_params,
             .settings_size = sizeof(weft_minimal_settings)},
    .selection = weft_minimal_selection,
    .ports_wanted = 1,
    .assign_vcs = assign_vcs,
    .candidates = candidates,
    .always_minimal = true,
    .proof.translation_invariant = true,
    .proof.dimension_ordered = true,
};
