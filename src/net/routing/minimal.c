/* SPDX-License-Identifier: Apache-2.0 */
/* Minimal: the textbook minimal oblivious routing of every topology, by one name. The topology
 * decides: it lists that route's port first among the minimal ones (dimension order on lattices and
 * HyperX, d-mod-k on trees, level by level on hierarchies such as a dragonfly or a Megafly), and
 * names it (weft_topology_kind.minimal). */
#include "net/routing.h"
#include "net/routing/common/vc_plan.h"
#include "net/selection.h"

static weft_kind_ref selection(const void *set)
{
    (void)set;
    return (weft_kind_ref){.kind = &weft_selection_dimension_order.base};
}

static unsigned candidates(const weft_routing *routing, const weft_route_context *here,
                           weft_random *random, weft_candidate *out)
{
    (void)random;
    return weft_vcs_next(routing, here, true, out);
}

const weft_routing_kind weft_routing_minimal = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_routing_kind),
             .name = "minimal",
             .brief = "the topology's textbook minimal route: dimension order on lattices, d-mod-k "
                      "on trees, level by level in hierarchies"},
    .selection = selection,
    .ports_wanted = 1,
    .assign_vcs = weft_vcs_share,
    .candidates = candidates,
    .always_minimal = true,
    .proof.translation_invariant = true,
    .proof.dimension_ordered = true,
};
