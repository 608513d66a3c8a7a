/* SPDX-License-Identifier: Apache-2.0 */
/* A phase becomes a routing of its own: minimal routes on the VCs of the phase. Where the header is
 * made anew at every hop, the header of this routing is the router at the end of the phase (+ 1)
 * and an index into the headers that the topology may make there: every tie may be decided either
 * way, every time. */
#include "analysis/deadlock/legs.h"

#include "net/routing/common/vc_plan.h"
#include "net/topology/common/grid.h"

#include <assert.h>

#define AIM_BITS 12u /* of the choice among WEFT_HEADERS_MAX words */
#define TO_BITS  (32u - AIM_BITS)
#define TO_MASK  ((1u << TO_BITS) - 1)

static const weft_phase *leg_in(const weft_routing *routing)
{
    return routing->settings;
}

/* The way of a word of the topology, on its VCs. */
static weft_minimal_port put_way(const weft_routing *routing, uint32_t router, uint32_t word,
                                 weft_candidate *out)
{
    const weft_topology *topology = routing->topology;
    const weft_phase *leg = leg_in(routing);
    weft_minimal_port ways[WEFT_MINIMAL_PORTS_MAX];
    unsigned most = leg->last ? WEFT_MINIMAL_PORTS_MAX : 1;
    weft_minimal_port way =
        ways[topology->kind->minimal_ports(topology, router, word, most, ways) - 1];
    weft_vcs_put(&way, weft_phase_vcs(routing, leg->index, router, &way), out);
    return way;
}

/* Does a packet go there? From a router without endpoints it may be too far for the classes of
 * VCs: then no packet does. */
static unsigned is_open(const weft_routing *routing, uint32_t router, const weft_candidate *way)
{
    return router < routing->topology->edge_routers || way->vcs;
}

static unsigned candidates(const weft_routing *routing, const weft_route_context *here,
                           weft_random *random, weft_candidate *out)
{
    (void)random;
    (void)put_way(routing, here->router, here->header, out);
    return is_open(routing, here->router, out);
}

static unsigned aims(const weft_topology *topology, uint32_t from, uint32_t to, uint32_t *words)
{
    if (topology->kind->all_headers)
        return topology->kind->all_headers(topology, from, to, words);
    words[0] = topology->kind->make_header(topology, from, to, NULL);
    return 1;
}

static uint32_t start_anew(const weft_routing *routing, uint32_t from, uint32_t to,
                           weft_random *random)
{
    (void)routing, (void)from, (void)random;
    return to + 1;
}

static uint32_t turns_anew(const weft_routing *routing, const weft_route_context *here,
                           void (*each)(void *user, uint32_t word), void *user)
{
    uint32_t words[WEFT_HEADERS_MAX], to = here->header & TO_MASK;
    unsigned count = aims(routing->topology, here->router, to - 1, words);
    for (unsigned i = 0; i < count; i++)
        each(user, i << TO_BITS | to);
    return count;
}

static unsigned hops_anew(const weft_routing *routing, const weft_route_context *here,
                          weft_random *random, weft_candidate *out)
{
    const weft_topology *topology = routing->topology;
    uint32_t words[WEFT_HEADERS_MAX], to = here->header & TO_MASK;
    (void)random;
    (void)aims(topology, here->router, to - 1, words);
    weft_minimal_port way = put_way(routing, here->router, words[here->header >> TO_BITS], out);
    bool there = topology->kind->peer(topology, here->router, way.port).router == to - 1;
    out->next_header = there ? 0 : to;
    return is_open(routing, here->router, out);
}

static const weft_routing_kind leg_kind = {
    .base = {.name = "leg"},
    .candidates = candidates,
    .proof.input_independent = true,
    .proof.dimension_ordered = true,
    .proof.translation_invariant = true,
    .always_minimal = true,
};

static const weft_routing_kind leg_anew_kind = {
    .base = {.name = "leg"},
    .initial_header = start_anew,
    .proof.reroute_outcomes = turns_anew,
    .candidates = hops_anew,
    .proof.input_independent = true,
    .proof.dimension_ordered = true,
    .proof.translation_invariant = true,
    .always_minimal = true,
};

const weft_phase *weft_cdg_leg_of(const weft_routing *routing)
{
    bool is_one = routing->kind == &leg_kind || routing->kind == &leg_anew_kind;
    return is_one ? leg_in(routing) : NULL;
}

/* VCs of a leg, whatever their class. */
static uint16_t vcs_of(const weft_routing *routing, const weft_phase *leg)
{
    uint16_t vcs = 0;
    for (uint32_t all = 1; all <= 16; all++)
        for (uint32_t c = 0; c < all; c++)
            vcs |= routing->plan.by_class[leg->index][all][c];
    return vcs;
}

/* Has every leg of a flow VCs of its own, where nobody else is? */
static bool are_apart(const weft_deadlock_question *q, uint32_t traffic_class)
{
    const weft_routing *routing = q->routing[traffic_class];
    uint16_t met = 0;
    for (uint32_t i = 0; i < routing->kind->proof.n_phases; i++) {
        uint16_t vcs = vcs_of(routing, &routing->kind->proof.phases[i]);
        if (met & vcs)
            return false;
        met |= vcs;
    }
    for (uint32_t f = 0; f < q->traffic_classes; f++)
        if (f != traffic_class && q->vc[f] < q->vc[traffic_class] + routing->plan.n_vcs &&
            q->vc[traffic_class] < q->vc[f] + q->routing[f]->plan.n_vcs)
            return false;
    return true;
}

/* Adds the legs of a flow that have circles to fear; false: there is no room for them. */
static bool add_legs(weft_cdg_legs *to, const weft_deadlock_question *q, uint32_t traffic_class)
{
    const weft_routing *routing = q->routing[traffic_class];
    for (uint32_t i = 0; i < routing->kind->proof.n_phases; i++) {
        const weft_phase *leg = &routing->kind->proof.phases[i];
        uint32_t at = to->question.traffic_classes;
        if (leg->once)
            continue;
        if (at == WEFT_CLASSES_MAX)
            return false;
        to->routing[at] = *routing;
        to->routing[at].kind = leg->anew ? &leg_anew_kind : &leg_kind;
        to->routing[at].settings = leg;
        to->question.routing[at] = &to->routing[at];
        to->question.vc[at] = q->vc[traffic_class];
        to->question.traffic_classes++;
    }
    return true;
}

bool weft_cdg_legs_init(weft_cdg_legs *legs, const weft_deadlock_question *question)
{
    bool any = false;
    legs->question = *question;
    legs->question.traffic_classes = 0;
    if (question->topology->routers >= TO_MASK || question->topology->faults)
        return false;
    for (uint32_t f = 0; f < question->traffic_classes; f++) {
        const weft_routing *routing = question->routing[f];
        if (routing->kind->proof.n_phases) {
            if (!are_apart(question, f) || !add_legs(legs, question, f))
                return false;
            any = true;
            continue;
        }
        if (legs->question.traffic_classes == WEFT_CLASSES_MAX)
            return false;
        legs->question.routing[legs->question.traffic_classes] = routing;
        legs->question.vc[legs->question.traffic_classes++] = question->vc[f];
    }
    return any;
}

uint32_t weft_cdg_legs_behind(const weft_deadlock_question *question, uint32_t vc,
                              const weft_phase **leg)
{
    *leg = NULL;
    for (uint32_t f = 0; f < question->traffic_classes; f++) {
        const weft_routing *routing = question->routing[f];
        uint32_t own = vc - question->vc[f];
        for (uint32_t i = 0; i < routing->kind->proof.n_phases; i++)
            if (own < 16 && vcs_of(routing, &routing->kind->proof.phases[i]) >> own & 1) {
                *leg = &routing->kind->proof.phases[i];
                return routing->kind->proof.n_phases - 1 - i;
            }
    }
    return 0;
}
