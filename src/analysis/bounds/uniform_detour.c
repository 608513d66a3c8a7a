/* SPDX-License-Identifier: Apache-2.0 */
/* Detours (Valiant 1982) are minimal traffic in two parts, whatever the pattern.
 *
 * Over one of m routers: router a sends a part 1/m of all its flits to every b, b receives as much
 * of all its flits from every a, and what would go directly fills the gap where the intermediate
 * router is one of the two ends. So (out(a) + in(b)) / m flits go from a to b.
 *
 * Over a group packets go on from the router where they enter the group. The first part is followed
 * pair by pair, and the routers where it turns are the sources of the second one. With uniform
 * traffic the flits of router s that turn at router x for router t are as many for any t outside of
 * the group, but none for s itself; otherwise they are counted. */
#include "analysis/bounds/demand.h"
#include "analysis/bounds/demand_sums.h"
#include "analysis/bounds/uniform_sums.h"
#include "base/memory.h"
#include "net/routing/common/detour.h"
#include "net/selection.h"

#include <stdlib.h>
#include <string.h>

#define PAIRS_MOST ((uint64_t)1 << 27) /* of routers, whose turns are tabulated */

/* Minimal routes by the first ports: the parts of a detour. They are straight, so nobody asks for
 * candidates. */
static const weft_routing_kind part_kind = {
    .base = {.name = "part"}, .ports_wanted = 1, .always_minimal = true};

static weft_routing part_of(const weft_topology *topology)
{
    return (weft_routing){.kind = &part_kind,
                          .topology = topology,
                          .selection = &weft_selection_dimension_order,
                          .straight = 1};
}

static bool sum_over_routers(weft_uniform_sums *s)
{
    const weft_topology *topology = &s->it->network->topology;
    weft_routing part = part_of(topology);
    weft_inflow inflow = weft_uniform_inflow_of(s, &part, WEFT_WALK_FIXED);
    weft_demand_sums sums;
    bool going = true;
    weft_demand_sums_init(&sums, s->it->network, s->traffic_class);
    for (uint32_t to = 0; going && to < s->sources; to++) {
        weft_inflow_begin(&inflow, to, 0);
        for (uint32_t from = 0; from < topology->edge_routers; from++)
            if (from != to)
                weft_inflow_add(&inflow, from, WEFT_LINK_HOST,
                                (sums.out[from] + sums.in[to]) / topology->edge_routers);
        going = weft_inflow_run(&inflow) && weft_uniform_within(s, &inflow);
    }
    weft_inflow_done(&inflow);
    weft_demand_sums_done(&sums);
    *s->path = (weft_mean_path){0}; /* which link comes before which at the middle is not known */
    return going;
}

typedef struct turns { /* of detours over groups */
    uint32_t group;    /* routers of one */
    /* [source × routers + router]: intermediate routers for which packets turn here. */
    uint32_t *count;
    double *all;      /* [router]: endpoints of sources, each by its part of the draws */
    uint8_t *class;   /* [router]: of the link by which they come … */
    bool one_class;   /* … which is always the same */
    double *in_group; /* [group]: endpoints */
} turns;

/* Edge routers of a router's group, and how many others there are to draw from. */
static double group_size(const weft_topology *topology, uint32_t router)
{
    uint32_t left = topology->edge_routers - router / topology->group * topology->group;
    return left < topology->group ? left : topology->group;
}

static double draws_of(const weft_topology *topology, uint32_t from)
{
    return topology->edge_routers - group_size(topology, from);
}

/* Notes that packets of a source turn at a router, which they reached over a link of this class. */
static void note_turn(weft_uniform_sums *s, turns *t, uint32_t from, uint32_t at, uint32_t came)
{
    const weft_topology *topology = &s->it->network->topology;
    uint32_t row = weft_uniform_row(s, at);
    t->count[(size_t)from * topology->routers + at]++;
    t->all[row] += weft_topology_hosts(topology, from) / draws_of(topology, from);
    if (t->class[row] != UINT8_MAX && t->class[row] != came)
        t->one_class = false;
    t->class[row] = (uint8_t)came;
}

/* From a router to the group of another: the router where it is entered, and the class of the link
 * that leads there; WEFT_NOWHERE if the budget is spent. */
static uint32_t follow_out(weft_uniform_sums *s, uint32_t from, uint32_t mid, double flow,
                           uint32_t *came)
{
    const weft_topology *topology = &s->it->network->topology;
    uint32_t at = from, group = mid / topology->group;
    *came = WEFT_LINK_HOST;
    while (s->it->steps < s->it->budget) {
        weft_minimal_port way;
        uint32_t word = topology->kind->make_header(topology, at, mid, NULL);
        (void)topology->kind->minimal_ports(topology, at, word, 1, &way);
        weft_uniform_pass(s, at, way.port, *came, flow);
        *came = weft_topology_link_class(topology, at, way.port);
        at = topology->kind->peer(topology, at, way.port).router;
        s->it->steps++;
        if (weft_topology_group_of(topology, at) == group)
            return at;
    }
    return WEFT_NOWHERE;
}

/* What a source sends over one intermediate router, uniform traffic. */
static double out_over(const weft_uniform_sums *s, const turns *t, uint32_t from, uint32_t mid)
{
    const weft_network *network = s->it->network;
    double own = weft_topology_hosts(&network->topology, from);
    double to = network->endpoints - t->in_group[mid / t->group] - own;
    return s->pair * own * to / draws_of(&network->topology, from);
}

static bool follow_all_out(weft_uniform_sums *s, turns *t)
{
    const weft_topology *topology = &s->it->network->topology;
    for (uint32_t from = 0; from < s->sources; from++)
        for (uint32_t mid = 0; mid < topology->edge_routers; mid++) {
            uint32_t came, at;
            if (mid / t->group == from / t->group)
                continue;
            at = follow_out(s, from, mid, out_over(s, t, from, mid), &came);
            if (at == WEFT_NOWHERE)
                return false;
            note_turn(s, t, from, at, came);
        }
    return true;
}

/* What turns home at a router, and what goes directly from there, to all endpoints of another. */
static void add_home(weft_uniform_sums *s, const turns *t, weft_inflow *inflow, uint32_t at,
                     uint32_t to)
{
    const weft_topology *topology = &s->it->network->topology;
    double hosts = weft_topology_hosts(topology, to), draws = draws_of(topology, to);
    double own = t->count[(size_t)to * topology->routers + at] * hosts / draws;
    double turned = t->all[weft_uniform_row(s, at)] - own;
    uint32_t class = t->class[weft_uniform_row(s, at)];
    if (class != UINT8_MAX && turned > 0)
        weft_inflow_add(inflow, at, class, s->pair * hosts * turned);
    if (at < topology->edge_routers)
        weft_inflow_add(inflow, at, WEFT_LINK_HOST,
                        s->pair * weft_uniform_pairs(s, at, to) * group_size(topology, to) /
                            draws_of(topology, at));
}

static bool sum_home(weft_uniform_sums *s, const turns *t)
{
    const weft_topology *topology = &s->it->network->topology;
    weft_routing part = part_of(topology);
    weft_inflow inflow = weft_uniform_inflow_of(s, &part, WEFT_WALK_FIXED);
    bool going = true;
    for (uint32_t to = 0; going && to < s->sources; to++) {
        weft_inflow_begin(&inflow, to, 0);
        for (uint32_t at = 0; at < topology->routers; at++)
            if (weft_topology_group_of(topology, at) != to / t->group)
                add_home(s, t, &inflow, at, to);
        weft_inflow_add(&inflow, to, WEFT_LINK_HOST, s->pair * weft_uniform_pairs(s, to, to));
        going = weft_inflow_run(&inflow) && weft_uniform_within(s, &inflow);
    }
    weft_inflow_done(&inflow);
    return going;
}

static bool sum_over_groups(weft_uniform_sums *s)
{
    const weft_topology *topology = &s->it->network->topology;
    uint32_t routers = topology->routers;
    if ((uint64_t)s->sources * routers > PAIRS_MOST)
        return false;
    turns t = {.group = topology->group,
               .count = weft_alloc(sizeof *t.count * s->sources * routers),
               .all = weft_alloc(sizeof *t.all * routers),
               .class = weft_alloc(routers),
               .one_class = true,
               .in_group = weft_alloc(sizeof *t.in_group * routers)};
    memset(t.class, UINT8_MAX, routers);
    for (uint32_t r = 0; r < topology->edge_routers; r++)
        t.in_group[r / t.group] += weft_topology_hosts(topology, r);
    bool going = follow_all_out(s, &t) && sum_home(s, &t);
    if (t.one_class)
        s->path->exact = true;
    else
        *s->path = (weft_mean_path){0};
    free(t.count);
    free(t.all);
    free(t.class);
    free(t.in_group);
    return going;
}

typedef struct spread_out { /* any pattern, over groups */
    weft_demand demand;     /* of the source in hand, by router */
    double *to_group;       /* [group]: of it */
    /* [destination × routers + router]: flits per tick that start here, or turn here, for it. */
    double *home;
    uint32_t *hits, *where; /* [router]: turns in the group in hand; where there are any */
    uint32_t n_where;
} spread_out;

/* A router as a group sees it that becomes group 0. */
static uint32_t turned_back(const weft_topology *topology, uint32_t router, uint32_t group)
{
    uint32_t edge = topology->edge_routers, core = topology->routers - edge;
    if (router < edge)
        return (router + edge - group * topology->group) % edge;
    return edge + (router - edge + core - group * topology->core_group) % core;
}

/* Flits for router `to` that start or turn at a router. */
static void add_flits(weft_uniform_sums *s, spread_out *o, uint32_t at, uint32_t to, double flits)
{
    const weft_topology *topology = &s->it->network->topology;
    uint32_t group = s->period ? to / topology->group : 0;
    uint32_t row = s->period ? to % topology->group : to;
    at = s->period ? turned_back(topology, at, group) : at;
    o->home[(size_t)row * topology->routers + at] += flits;
}

static void turn_home(weft_uniform_sums *s, spread_out *o, uint32_t from, uint32_t group)
{
    const weft_topology *topology = &s->it->network->topology;
    double draws = draws_of(topology, from);
    for (uint32_t i = 0; i < o->n_where; i++) {
        uint32_t at = o->where[i];
        for (uint32_t p = 0; p < o->demand.count; p++) {
            uint32_t to = o->demand.places[p];
            if (to != from && to / topology->group != group)
                add_flits(s, o, at, to, o->demand.to[to] * o->hits[at] / draws);
        }
        s->it->steps += o->demand.count;
        o->hits[at] = 0;
    }
    o->n_where = 0;
}

/* All that a router sends over a group. */
static bool send_over(weft_uniform_sums *s, spread_out *o, uint32_t from, uint32_t group,
                      double all)
{
    const weft_topology *topology = &s->it->network->topology;
    uint32_t first = group * topology->group, end = first + topology->group;
    double flow = (all - o->to_group[group]) / draws_of(topology, from);
    for (uint32_t mid = first; mid < end && mid < topology->edge_routers; mid++) {
        uint32_t came, at = follow_out(s, from, mid, flow, &came);
        if (at == WEFT_NOWHERE)
            return false;
        if (o->hits[at]++ == 0)
            o->where[o->n_where++] = at;
    }
    turn_home(s, o, from, group);
    return true;
}

static bool send_all(weft_uniform_sums *s, spread_out *o, uint32_t from)
{
    const weft_network *network = s->it->network;
    const weft_topology *topology = &network->topology;
    uint32_t groups = (topology->edge_routers - 1) / topology->group + 1;
    double all = 0, draws = draws_of(topology, from);
    bool going = true;
    weft_demand_clear(&o->demand, network);
    (void)weft_demand_add(&o->demand, network, &network->traffic_classes[s->traffic_class], from);
    memset(o->to_group, 0, sizeof *o->to_group * groups);
    for (uint32_t p = 0; p < o->demand.count; p++) {
        uint32_t to = o->demand.places[p];
        double flits = to == from ? 0 : o->demand.to[to];
        all += flits;
        o->to_group[to / topology->group] += flits;
        if (to / topology->group != from / topology->group)
            add_flits(s, o, from, to, flits * group_size(topology, to) / draws);
    }
    for (uint32_t g = 0; g < groups && going; g++)
        if (g != from / topology->group)
            going = send_over(s, o, from, g, all);
    return going;
}

static bool bring_home(weft_uniform_sums *s, const spread_out *o)
{
    const weft_topology *topology = &s->it->network->topology;
    weft_routing part = part_of(topology);
    weft_inflow inflow = weft_uniform_inflow_of(s, &part, WEFT_WALK_FIXED);
    bool going = true;
    for (uint32_t to = 0; going && to < s->sources; to++) {
        const double *flits = o->home + (size_t)to * topology->routers;
        weft_inflow_begin(&inflow, to, 0);
        for (uint32_t at = 0; at < topology->routers; at++)
            if (flits[at] > 0)
                weft_inflow_add(&inflow, at, WEFT_LINK_HOST, flits[at]);
        going = weft_inflow_run(&inflow) && weft_uniform_within(s, &inflow);
    }
    weft_inflow_done(&inflow);
    return going;
}

/* Any pattern, source by source. */
static bool sum_pattern_over_groups(weft_uniform_sums *s)
{
    const weft_network *network = s->it->network;
    uint32_t routers = network->topology.routers;
    if ((uint64_t)s->sources * routers > PAIRS_MOST)
        return false;
    spread_out o = {.to_group = weft_alloc(sizeof *o.to_group * routers),
                    .home = weft_alloc(sizeof *o.home * s->sources * routers),
                    .hits = weft_alloc(sizeof *o.hits * routers),
                    .where = weft_alloc(sizeof *o.where * routers)};
    bool going = true;
    weft_demand_init(&o.demand, network, false, false);
    for (uint32_t from = 0; going && from < s->sources; from++)
        going = send_all(s, &o, from);
    going = going && bring_home(s, &o);
    *s->path = (weft_mean_path){0};
    weft_demand_done(&o.demand);
    free(o.to_group);
    free(o.home);
    free(o.hits);
    free(o.where);
    return going;
}

bool weft_uniform_detour_find(weft_uniform_sums *s)
{
    const weft_traffic_class *class = &s->it->network->traffic_classes[s->traffic_class];
    if (!weft_detour_by_group(&class->routing))
        return sum_over_routers(s);
    return weft_uniform_class(class) ? sum_over_groups(s) : sum_pattern_over_groups(s);
}
