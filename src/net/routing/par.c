/* SPDX-License-Identifier: Apache-2.0 */
/* Progressive adaptive routing (Jiang, Kim and Dally 2009): chooses as ugal does, but the next
 * router decides again for a packet sent on the minimal route, because it sees a queue that the
 * first router could not; where there are groups, only if the packet has not left its own. The hop
 * in between has VCs of its own, before all others: one is enough, because no packet takes two such
 * hops. */
#include "net/routing.h"
#include "net/routing/common/detour.h"
#include "net/routing/common/vc_plan.h"

static bool header_valid(const weft_routing *routing, uint32_t router, uint32_t route)
{
    return weft_detour_sound(routing, router, route,
                             1u << WEFT_SETTLED | 1u << WEFT_UNCHOSEN | 1u << WEFT_TRIED);
}

/* A third of the VCs is for tried hops, less if the others would be too few; whatever classes
 * the links have. */
static weft_status assign_vcs(weft_routing *routing, uint32_t vcs, weft_error *err)
{
    uint32_t rest = 2 * routing->topology->max_vc_classes, tried = vcs / 3;
    if (tried + rest > vcs)
        tried = vcs > rest ? vcs - rest : 1;
    tried = tried < 1 ? 1 : tried;
    WEFT_TRY(weft_detour_share(routing, tried, vcs, err));
    for (uint32_t all = 1; all <= routing->topology->max_vc_classes; all++)
        for (uint32_t c = 0; c < all; c++)
            routing->plan.by_class[WEFT_PHASE_TRIED][all][c] = WEFT_VCS_OF(tried);
    return WEFT_OK;
}

/* The minimal word as one that the next router may still change, if it can. */
static uint32_t tried(const weft_routing *routing, uint32_t router, uint32_t direct)
{
    const weft_topology *topology = routing->topology;
    weft_ahead ahead;
    (void)weft_detour_way(routing, router, direct, &ahead);
    weft_detour detour = weft_detour_read(routing, direct);
    if (ahead.word == 0 || (topology->group && weft_topology_group_of(topology, ahead.router) !=
                                                   weft_topology_group_of(topology, router)))
        return direct;
    detour.mark = WEFT_TRIED;
    return weft_detour_word(routing, &detour);
}

/* Is a packet with this mark chosen for here? One that was tried keeps its word where it was
 * sent from. */
static bool chooses(const weft_route_context *here, weft_detour_mark mark)
{
    return mark == WEFT_UNCHOSEN || (mark == WEFT_TRIED && here->port != WEFT_FROM_ENDPOINT);
}

/* The word a packet leaves with, if this one is chosen. */
static uint32_t finish(const weft_routing *routing, const weft_route_context *here, uint32_t word)
{
    bool first = weft_detour_read(routing, here->header).mark == WEFT_UNCHOSEN;
    bool minimal = weft_detour_read(routing, word).mid == WEFT_NOWHERE;
    return first && minimal ? tried(routing, here->router, word) : word;
}

static uint32_t reroute(const weft_routing *routing, const weft_route_context *here,
                        const weft_congestion_view *view, weft_random *random)
{
    weft_detour detour = weft_detour_read(routing, here->header);
    if (!chooses(here, detour.mark))
        return here->header;
    return finish(routing, here, weft_detour_choose(routing, here->router, &detour, view, random));
}

typedef struct relay { /* hands words on as packets leave with them */
    const weft_routing *routing;
    const weft_route_context *here;
    void (*each)(void *user, uint32_t word);
    void *user;
} relay;

static void hand_on(void *user, uint32_t word)
{
    const relay *to = user;
    to->each(to->user, finish(to->routing, to->here, word));
}

static uint32_t reroute_outcomes(const weft_routing *routing, const weft_route_context *here,
                                 void (*each)(void *user, uint32_t word), void *user)
{
    weft_detour detour = weft_detour_read(routing, here->header);
    relay to = {.routing = routing, .here = here, .each = each, .user = user};
    if (chooses(here, detour.mark))
        return weft_detour_choices(routing, here->router, &detour, hand_on, &to);
    each(user, here->header);
    return 1;
}

static const weft_phase phases[1 + WEFT_DETOUR_LEGS] = {{.index = WEFT_PHASE_TRIED, .once = true},
                                                        WEFT_DETOUR_OUT_AND_HOME};

const weft_routing_kind weft_routing_par = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_routing_kind),
             .name = "par",
             .brief =
                 "as ugal; a packet sent by the minimal way is looked at again by the next router",
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
    .proof.n_phases = 1 + WEFT_DETOUR_LEGS,
    .proof.phases = phases,
    .reroute = reroute,
    .proof.reroute_outcomes = reroute_outcomes,
    .draws = true,
};
