/* SPDX-License-Identifier: Apache-2.0 */
/* D-mod-k (Zahavi 2012): going up a tree, a packet takes the port named by the destination's digit
 * of that level, so that packets for different endpoints of a subtree come down different links.
 * Trees list that port first; no VC classes are needed. */
#include "net/routing.h"
#include "net/routing/common/vc_plan.h"
#include "net/selection.h"

static weft_status check(const weft_routing *routing, weft_error *err)
{
    const weft_topology *topology = routing->topology;
    if (topology->proof.acyclic)
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT,
                     "routing d-mod-k is for trees (fat-tree), found topology %s: use "
                     "dimension-order, which takes the first minimal way on any topology",
                     topology->kind->base.name);
}

static weft_kind_ref selection(const void *set)
{
    (void)set;
    return (weft_kind_ref){.kind = &weft_selection_dimension_order.base};
}

static unsigned candidates(const weft_routing *routing, const weft_route_context *here,
                           weft_random *random, weft_candidate *out)
{
    const weft_topology *topology = routing->topology;
    weft_minimal_port way;
    (void)random;
    (void)topology->kind->minimal_ports(topology, here->router, here->header, 1, &way);
    weft_vcs_put(&way, WEFT_VCS_OF(routing->plan.n_vcs), out);
    return 1;
}

const weft_routing_kind weft_routing_d_mod_k = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_routing_kind),
             .name = "d-mod-k",
             .brief = "up a tree by the digits of the destination, then down"},
    .check = check,
    .selection = selection,
    .ports_wanted = 1,
    .assign_vcs = weft_vcs_share,
    .candidates = candidates,
    .always_minimal = true,
};
