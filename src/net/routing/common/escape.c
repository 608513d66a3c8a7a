/* SPDX-License-Identifier: Apache-2.0 */
#include "net/routing/common/escape.h"

/* VCs for the escape path. */
static weft_status escape_vcs(const weft_routing *routing, int64_t given, uint32_t *escape,
                              weft_error *err)
{
    const weft_topology *topology = routing->topology;
    uint32_t classes = topology->max_vc_classes;
    uint32_t least = topology->proof.acyclic ? 0 : classes;
    *escape = given == WEFT_NONE_INT ? least : (uint32_t)given;
    if (*escape < least)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "routing.escape must be at least %u on a %s (without an escape path "
                         "adaptive packets can wait for each other in a circle), found %u",
                         least, topology->kind->base.name, *escape);
    if (*escape % classes != 0)
        return weft_fail(
            err, WEFT_BAD_INPUT,
            "routing.escape must be a multiple of %u on a %s (so many classes of packets "
            "use different ones there), found %u",
            classes, topology->kind->base.name, *escape);
    return WEFT_OK;
}

weft_status weft_escape_share(weft_routing *routing, int64_t given, uint32_t vcs, weft_error *err)
{
    uint32_t escape;
    WEFT_TRY(escape_vcs(routing, given, &escape, err));
    if (vcs <= escape)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "router.vcs must be at least %u for routing %s here (%u for the escape "
                         "path and one that is open to all), found %u",
                         escape + 1, routing->kind->base.name, escape, vcs);
    WEFT_TRY(weft_vcs_share(routing, vcs, err));
    if (escape)
        weft_assign_phase(routing, 0, 0, escape);
    routing->plan.open = WEFT_VCS_OF(vcs) & (uint16_t)~WEFT_VCS_OF(escape);
    return WEFT_OK;
}
