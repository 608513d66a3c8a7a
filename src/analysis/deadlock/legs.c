/* SPDX-License-Identifier: Apache-2.0 */
/* A leg becomes a routing of its own: minimal ways on the lanes of its phase. One that is aimed anew at every hop has the router
 * it goes to (+ 1) as its word, and which of the words that the topology may give it there: every tie may be decided
 * either way, every time. */
#include "analysis/deadlock/legs.h"

#include "net/routing/common/lanes.h"
#include "net/topology/common/grid.h"

#include <assert.h>

#define AIM_BITS 12u /* of the choice among WEFT_AIMS_MAX words */
#define TO_BITS  (32u - AIM_BITS)
#define TO_MASK  ((1u << TO_BITS) - 1)

static const weft_leg *leg_in(const weft_routing *routing)
{
    return routing->settings;
}

/* The way of a word of the topology, on its lanes. */
static weft_way put_way(const weft_routing *routing, uint32_t router, uint32_t word, weft_hop *out)
{
    const weft_topology *topology = routing->topology;
    const weft_leg *leg = leg_in(routing);
    weft_way ways[WEFT_WAYS_MAX];
    unsigned most = leg->last ? WEFT_WAYS_MAX : 1;
    weft_way way = ways[topology->kind->ways(topology, router, word, most, ways) - 1];
    weft_lanes_put(&way, weft_lanes_of(routing, leg->phase, router, &way), out);
    return way;
}

static unsigned hops(const weft_routing *routing, const weft_here *here, weft_random *random,
                     weft_hop *out)
{
    (void)random;
    (void)put_way(routing, here->router, here->route, out);
    return 1;
}

static unsigned aims(const weft_topology *topology, uint32_t from, uint32_t to, uint32_t *words)
{
    if (topology->kind->aims)
        return topology->kind->aims(topology, from, to, words);
    words[0] = topology->kind->aim(topology, from, to, NULL);
    return 1;
}

static uint32_t start_anew(const weft_routing *routing, uint32_t from, uint32_t to,
                           weft_random *random)
{
    (void)routing, (void)from, (void)random;
    return to + 1;
}

static uint32_t turns_anew(const weft_routing *routing, const weft_here *here,
                           void (*each)(void *user, uint32_t word), void *user)
{
    uint32_t words[WEFT_AIMS_MAX], to = here->route & TO_MASK;
    unsigned count = aims(routing->topology, here->router, to - 1, words);
    for (unsigned i = 0; i < count; i++)
        each(user, i << TO_BITS | to);
    return count;
}

static unsigned hops_anew(const weft_routing *routing, const weft_here *here, weft_random *random,
                          weft_hop *out)
{
    const weft_topology *topology = routing->topology;
    uint32_t words[WEFT_AIMS_MAX], to = here->route & TO_MASK;
    (void)random;
    (void)aims(topology, here->router, to - 1, words);
    weft_way way = put_way(routing, here->router, words[here->route >> TO_BITS], out);
    bool there = topology->kind->peer(topology, here->router, way.port).router == to - 1;
    out->after = there ? 0 : to;
    return 1;
}

static const weft_routing_kind leg_kind = {
    .base = {.name = "leg"},
    .hops = hops,
    .blind = true,
    .by_dimension = true,
    .alike = true,
    .minimal = true,
};

static const weft_routing_kind leg_anew_kind = {
    .base = {.name = "leg"},
    .start = start_anew,
    .turns = turns_anew,
    .hops = hops_anew,
    .blind = true,
    .by_dimension = true,
    .alike = true,
    .minimal = true,
};

const weft_leg *weft_cdg_leg_of(const weft_routing *routing)
{
    bool is_one = routing->kind == &leg_kind || routing->kind == &leg_anew_kind;
    return is_one ? leg_in(routing) : NULL;
}

/* Lanes of a leg, whatever their class. */
static uint16_t lanes_of(const weft_routing *routing, const weft_leg *leg)
{
    uint16_t lanes = 0;
    for (uint32_t all = 1; all <= 16; all++)
        for (uint32_t c = 0; c < all; c++)
            lanes |= routing->plan.of[leg->phase][all][c];
    return lanes;
}

/* Has every leg of a flow lanes of its own, where nobody else is? */
static bool are_apart(const weft_deadlock_question *q, uint32_t flow)
{
    const weft_routing *routing = q->routing[flow];
    uint16_t met = 0;
    for (uint32_t i = 0; i < routing->kind->n_legs; i++) {
        uint16_t lanes = lanes_of(routing, &routing->kind->legs[i]);
        if (met & lanes)
            return false;
        met |= lanes;
    }
    for (uint32_t f = 0; f < q->flows; f++)
        if (f != flow && q->lane[f] < q->lane[flow] + routing->plan.lanes &&
            q->lane[flow] < q->lane[f] + q->routing[f]->plan.lanes)
            return false;
    return true;
}

/* Adds the legs of a flow that have circles to fear; false: there is no room for them. */
static bool add_legs(weft_cdg_legs *to, const weft_deadlock_question *q, uint32_t flow)
{
    const weft_routing *routing = q->routing[flow];
    for (uint32_t i = 0; i < routing->kind->n_legs; i++) {
        const weft_leg *leg = &routing->kind->legs[i];
        uint32_t at = to->question.flows;
        if (leg->once)
            continue;
        if (at == WEFT_CLASSES_MAX)
            return false;
        to->routing[at] = *routing;
        to->routing[at].kind = leg->anew ? &leg_anew_kind : &leg_kind;
        to->routing[at].settings = leg;
        to->question.routing[at] = &to->routing[at];
        to->question.lane[at] = q->lane[flow];
        to->question.flows++;
    }
    return true;
}

bool weft_cdg_legs_init(weft_cdg_legs *legs, const weft_deadlock_question *question)
{
    bool any = false;
    legs->question = *question;
    legs->question.flows = 0;
    if (question->topology->routers >= TO_MASK || question->topology->faults)
        return false;
    for (uint32_t f = 0; f < question->flows; f++) {
        const weft_routing *routing = question->routing[f];
        if (routing->kind->n_legs) {
            if (!are_apart(question, f) || !add_legs(legs, question, f))
                return false;
            any = true;
            continue;
        }
        if (legs->question.flows == WEFT_CLASSES_MAX)
            return false;
        legs->question.routing[legs->question.flows] = routing;
        legs->question.lane[legs->question.flows++] = question->lane[f];
    }
    return any;
}

uint32_t weft_cdg_legs_behind(const weft_deadlock_question *question, uint32_t lane,
                              const weft_leg **leg)
{
    *leg = NULL;
    for (uint32_t f = 0; f < question->flows; f++) {
        const weft_routing *routing = question->routing[f];
        uint32_t own = lane - question->lane[f];
        for (uint32_t i = 0; i < routing->kind->n_legs; i++)
            if (own < 16 && lanes_of(routing, &routing->kind->legs[i]) >> own & 1) {
                *leg = &routing->kind->legs[i];
                return routing->kind->n_legs - 1 - i;
            }
    }
    return 0;
}
