/* SPDX-License-Identifier: Apache-2.0 */
/* The properties that topology and routings declare decide how a question may be examined. */
#include "analysis/deadlock/examine.h"
#include "analysis/deadlock/legs.h"

bool weft_cdg_overlap(const weft_deadlock_question *q, uint32_t a, uint32_t b)
{
    return q->vc[a] < q->vc[b] + q->routing[b]->plan.n_vcs &&
           q->vc[b] < q->vc[a] + q->routing[a]->plan.n_vcs;
}

/* Does nobody wait for VCs that are open to all packets? */
static bool escape_is_apart(const weft_routing *routing)
{
    const weft_topology *topology = routing->topology;
    const weft_vc_plan *plan = &routing->plan;
    uint16_t escape = plan->dateline[0] | plan->dateline[1];
    for (uint32_t p = 0; p < topology->ports && plan->open; p++) {
        uint32_t classes = topology->vc_classes[p];
        for (uint32_t c = 0; c < classes && classes <= WEFT_VC_CLASSES_MAX; c++)
            escape |= plan->by_class[0][classes][c];
    }
    return !(plan->open & escape);
}

static bool all_by_dimension(const weft_deadlock_question *q)
{
    bool all = true;
    for (uint32_t f = 0; f < q->traffic_classes; f++)
        all = all && q->routing[f]->kind->proof.dimension_ordered && escape_is_apart(q->routing[f]);
    return all;
}

static bool all_alike(const weft_deadlock_question *q)
{
    bool all = true;
    for (uint32_t f = 0; f < q->traffic_classes; f++)
        all = all && q->routing[f]->kind->proof.translation_invariant;
    return all;
}

/* Legs of one routing share its VCs, but not with each other. */
static bool meet(const weft_deadlock_question *q, uint32_t a, uint32_t b)
{
    return weft_cdg_overlap(q, a, b) &&
           !(weft_cdg_leg_of(q->routing[a]) && weft_cdg_leg_of(q->routing[b]));
}

/* May it be examined line by line? */
static bool by_lines(const weft_deadlock_question *q)
{
    if (q->topology->lattice.dims == 0 || !all_by_dimension(q))
        return false;
    for (uint32_t a = 0; a < q->traffic_classes; a++)
        for (uint32_t b = 0; b < a; b++)
            if (meet(q, a, b))
                return false;
    return true;
}

const weft_topology *weft_cdg_outermost(const weft_topology *topology)
{
    while (topology->outer)
        topology = topology->outer;
    return topology;
}

/* Is every group of routers like every other one? Translations keep the numbers of ports; what
 * could tell groups apart are VC classes, if the outermost network has some (datelines). */
static bool by_orbits(const weft_deadlock_question *q)
{
    const weft_topology *outermost = weft_cdg_outermost(q->topology);
    return outermost->proof.vertex_transitive && outermost->uniform &&
           outermost->max_vc_classes <= 1 && q->topology->edge_routers == q->topology->routers &&
           all_alike(q);
}

/* With fewer dimensions than three planes are all there is. */
static bool by_planes(const weft_deadlock_question *q)
{
    const weft_topology *outermost = weft_cdg_outermost(q->topology);
    bool one_level = !q->topology->outer || q->topology->outer == outermost;
    return one_level && outermost->lattice.dims >= 3 &&
           q->topology->edge_routers == q->topology->routers && all_by_dimension(q);
}

void weft_examination_choose(weft_examination *e, bool large)
{
    const weft_deadlock_question *q = e->question;
    e->method = WEFT_CDG_WHOLE;
    e->period = q->topology->routers;
    if (!large || q->whole || q->topology->faults)
        return;
    if (by_lines(q))
        e->method = WEFT_CDG_LINES;
    else if (by_orbits(q))
        e->method = WEFT_CDG_ORBITS;
    else if (by_planes(q))
        e->method = WEFT_CDG_PLANES;
    if (e->method == WEFT_CDG_ORBITS || e->method == WEFT_CDG_PLANES)
        e->period = q->topology->routers / weft_cdg_outermost(q->topology)->routers;
}

/* Do the VC classes of a routing have none in common? */
static bool classes_are_apart(const weft_routing *routing)
{
    const weft_phase *leg = weft_cdg_leg_of(routing);
    uint32_t classes = routing->topology->max_vc_classes, met = 0;
    for (uint32_t c = 0; c < classes; c++) {
        uint16_t vcs = routing->plan.by_class[leg ? leg->index : 0][classes][c];
        if (met & vcs)
            return false;
        met |= vcs;
    }
    return true;
}

/* Hops of one VC class come before those of the next, whoever uses them. */
static bool follow_classes(const weft_deadlock_question *q)
{
    bool all = q->topology->max_vc_classes <= 16 && all_alike(q);
    for (uint32_t a = 0; a < q->traffic_classes && all; a++) {
        all = classes_are_apart(q->routing[a]) && escape_is_apart(q->routing[a]);
        for (uint32_t b = 0; b < a; b++)
            all = all && !meet(q, a, b);
    }
    return all;
}

weft_deadlock_reason weft_cdg_reason(const weft_deadlock_question *q)
{
    bool minimal = true;
    if (q->topology->faults || q->whole)
        return WEFT_DEADLOCK_EXAMINED;
    for (uint32_t f = 0; f < q->traffic_classes; f++)
        minimal = minimal && q->routing[f]->kind->always_minimal;
    if (q->topology->proof.acyclic && minimal)
        return WEFT_DEADLOCK_BY_TREE;
    if (q->topology->proof.hop_indexed_vcs && follow_classes(q))
        return WEFT_DEADLOCK_BY_HOPS;
    if (q->topology->proof.stage_indexed_vcs && !by_orbits(q) && follow_classes(q))
        return WEFT_DEADLOCK_BY_STAGES;
    if (q->traffic_classes == 1 && q->routing[0]->kind->proof.globally_ordered)
        return WEFT_DEADLOCK_BY_LINKS;
    return WEFT_DEADLOCK_EXAMINED;
}
