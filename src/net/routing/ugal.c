/* SPDX-License-Identifier: Apache-2.0 */
/* UGAL-L (Singh 2005): a packet's first router sends it on the minimal route, or over a random
 * intermediate router if the queue there is shorter by more than the route is longer. It sees its
 * own outputs only. Minimal packets use the VCs of phase HOME from the start, so no VCs are added
 * to Valiant's. */
#include "net/routing.h"
#include "net/routing/common/detour.h"

static bool header_valid(const weft_routing *routing, uint32_t router, uint32_t route)
{
    return weft_detour_sound(routing, router, route, 1u << WEFT_SETTLED | 1u << WEFT_UNCHOSEN);
}

static weft_status assign_vcs(weft_routing *routing, uint32_t vcs, weft_error *err)
{
    return weft_detour_share(routing, 0, vcs, err);
}

static uint32_t reroute(const weft_routing *routing, const weft_route_context *here,
                        const weft_congestion_view *view, weft_random *random)
{
    weft_detour detour = weft_detour_read(routing, here->header);
    if (detour.mark != WEFT_UNCHOSEN)
        return here->header;
    return weft_detour_choose(routing, here->router, &detour, view, random);
}

static uint32_t reroute_outcomes(const weft_routing *routing, const weft_route_context *here,
                                 void (*each)(void *user, uint32_t word), void *user)
{
    weft_detour detour = weft_detour_read(routing, here->header);
    if (detour.mark == WEFT_UNCHOSEN)
        return weft_detour_choices(routing, here->router, &detour, each, user);
    each(user, here->header);
    return 1;
}

const weft_routing_kind weft_routing_ugal = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_routing_kind),
             .name = "ugal",
             .brief = "minimal, or over a router drawn at random if the queue there is shorter",
             .params = weft_choice_params,
             .settings_size = sizeof(weft_detour_settings)},
    .check = weft_detour_check,
    .build = weft_detour_build_choice,
    .handles_faults = true,
    .initial_header = weft_detour_unchosen,
    .proof.initial_headers = weft_detour_starts,
    .proof.header_valid = header_valid,
    .ports_wanted = 1,
    .assign_vcs = assign_vcs,
    .candidates = weft_detour_candidates,
    .proof.input_independent = true,
    .proof.n_phases = WEFT_DETOUR_LEGS,
    .proof.phases = weft_detour_legs,
    .reroute = reroute,
    .proof.reroute_outcomes = reroute_outcomes,
    .draws = true,
};
