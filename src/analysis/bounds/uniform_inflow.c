/* SPDX-License-Identifier: Apache-2.0 */
/* Uniform traffic, destination by destination (inflow.h).
 *
 * Where all groups of the outermost network are equivalent, the destinations of group 0 stand for
 * all: the load of a link is the sum, over its equivalents, of what they carry to group 0.
 *
 * A detour over a random router (Valiant 1982) is minimal traffic between all pairs of routers: one
 * that ends at the intermediate router, one that starts there, and the direct one. A detour over a
 * group goes on from the router where it enters the group. Its first part is followed pair by pair,
 * and the routers where it turns are the sources of the second one; the flits of router s that turn
 * at router x for router t are as many for any t outside of the group, but none for s itself. */
#include "analysis/bounds/inflow.h"
#include "analysis/bounds/uniform_load.h"
#include "base/memory.h"
#include "net/routing/common/detour.h"
#include "net/selection.h"

#include <stdlib.h>
#include <string.h>

#define HOPS_MOST  4096
#define PAIRS_MOST ((uint64_t)1 << 27) /* of routers, whose turns are tabulated */

typedef struct inflow_load {
    weft_uniform *it;
    weft_mean_path *path; /* of the class in hand */
    uint32_t period;      /* routers of a group if groups are equivalent, else 0 */
    uint32_t sources;     /* routers whose packets stand for all */
    double pair;          /* flits per tick of the class from an endpoint to another */
    bool self;
} inflow_load;

/* The row of a router in tables: its own, or that of its equivalents. */
static uint32_t row_of(const inflow_load *s, uint32_t router)
{
    uint32_t edge = s->it->network->topology.edge_routers;
    if (s->period == 0)
        return router;
    return router < edge ? router % s->period : s->period + (router - edge) % s->it->core;
}

bool weft_uniform_inflow_suits(const weft_network *network)
{
    const weft_topology *topology = &network->topology;
    for (uint32_t f = 0; f < network->n_traffic_classes; f++) {
        const weft_routing *routing = &network->traffic_classes[f].routing;
        weft_walk_mode mode = weft_walk_mode_of(routing);
        bool host = routing->kind->header_from_host != NULL;
        if ((mode != WEFT_WALK_FIXED && mode != WEFT_WALK_EVEN) || host || routing->slow ||
            topology->slow || routing->kind->ports_by_input)
            return false;
        if (weft_uniform_detours(routing) && weft_topology_has_ties(topology))
            return false;
    }
    return true;
}

static void pass(void *user, uint32_t router, uint32_t port, uint32_t came, double flow)
{
    const inflow_load *s = user;
    const weft_network *network = s->it->network;
    uint32_t class = weft_topology_link_class(&network->topology, router, port);
    if (came < WEFT_PATH_CLASSES && class < WEFT_PATH_CLASSES)
        s->path->link[came][class] += flow;
    s->it->busy[(size_t)row_of(s, router) * network->topology.ports + port] +=
        flow * (double)network->timing.period[class];
}

static void arrive(void *user, uint32_t came, double flow)
{
    const inflow_load *s = user;
    if (came < WEFT_PATH_CLASSES)
        s->path->link[came][WEFT_LINK_HOST] += flow;
}

/* Endpoints that the endpoints of a router send to, at the router with number `to`: pairs. */
static double pairs_of(const inflow_load *s, uint32_t from, uint32_t to)
{
    const weft_topology *topology = &s->it->network->topology;
    double a = weft_topology_hosts(topology, from), b = weft_topology_hosts(topology, to);
    return from == to && !s->self ? a * (a - 1) : a * b;
}

static weft_inflow sum_of(inflow_load *s, const weft_routing *routing, weft_walk_mode mode)
{
    uint32_t classes = s->it->network->timing.classes;
    weft_inflow inflow;
    weft_inflow_init(&inflow, routing, mode, classes < WEFT_PATH_CLASSES ? classes : 1);
    inflow.pass = pass;
    inflow.arrive = arrive;
    inflow.user = s;
    return inflow;
}

static bool is_within(inflow_load *s, weft_inflow *inflow)
{
    s->it->steps += inflow->steps;
    inflow->steps = 0;
    return s->it->steps <= s->it->budget;
}

/* All packets of a class that takes no detours. */
static bool sum_direct(inflow_load *s, const weft_routing *routing)
{
    const weft_topology *topology = &s->it->network->topology;
    weft_inflow inflow = sum_of(s, routing, weft_walk_mode_of(routing));
    bool going = true;
    for (uint32_t to = 0; going && to < s->sources; to++) {
        uint32_t own = weft_topology_hosts(topology, to);
        uint32_t apart = weft_routing_hosts(routing) > 1 ? own : 1;
        for (uint32_t host = 0; going && host < apart; host++) {
            weft_inflow_begin(&inflow, to + topology->egress_offset, host);
            for (uint32_t from = 0; from < topology->edge_routers; from++)
                weft_inflow_add(&inflow, from, WEFT_LINK_HOST,
                                s->pair * pairs_of(s, from, to) / apart);
            going = weft_inflow_run(&inflow) && is_within(s, &inflow);
        }
    }
    weft_inflow_done(&inflow);
    s->path->exact = true;
    return going;
}

static unsigned first_port(const weft_routing *routing, const weft_route_context *here,
                           weft_random *random, weft_candidate *out)
{
    weft_minimal_port way;
    (void)random;
    (void)routing->topology->kind->minimal_ports(routing->topology, here->router, here->header, 1,
                                                 &way);
    *out = (weft_candidate){.port = way.port, .vcs = 1, .next_header = way.next_header};
    return 1;
}

/* Minimal routes by the first ports: the parts of a detour. */
static const weft_routing_kind part_kind = {
    .base = {.name = "part"}, .candidates = first_port, .ports_wanted = 1, .always_minimal = true};

static weft_routing part_of(const weft_topology *topology)
{
    return (weft_routing){.kind = &part_kind,
                          .topology = topology,
                          .selection = &weft_selection_dimension_order,
                          .straight = 1};
}

/* Over a router: flits from router a to router b, of a detour's two parts and of direct ones. */
static double over_router(const inflow_load *s, uint32_t a, uint32_t b)
{
    const weft_topology *topology = &s->it->network->topology;
    double from = weft_topology_hosts(topology, a), to = weft_topology_hosts(topology, b);
    double others = s->it->network->endpoints - from - to;
    return s->pair * ((from + to) * others + 2 * from * to) / topology->edge_routers;
}

static bool sum_over_routers(inflow_load *s)
{
    const weft_topology *topology = &s->it->network->topology;
    weft_routing part = part_of(topology);
    weft_inflow inflow = sum_of(s, &part, WEFT_WALK_FIXED);
    bool going = true;
    for (uint32_t to = 0; going && to < s->sources; to++) {
        weft_inflow_begin(&inflow, to, 0);
        for (uint32_t from = 0; from < topology->edge_routers; from++)
            if (from != to)
                weft_inflow_add(&inflow, from, WEFT_LINK_HOST, over_router(s, from, to));
        going = weft_inflow_run(&inflow) && is_within(s, &inflow);
    }
    weft_inflow_done(&inflow);
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
static void note_turn(inflow_load *s, turns *t, uint32_t from, uint32_t at, uint32_t came)
{
    const weft_topology *topology = &s->it->network->topology;
    uint32_t row = row_of(s, at);
    t->count[(size_t)from * topology->routers + at]++;
    t->all[row] += weft_topology_hosts(topology, from) / draws_of(topology, from);
    if (t->class[row] != UINT8_MAX && t->class[row] != came)
        t->one_class = false;
    t->class[row] = (uint8_t)came;
}

/* From a router to the group of another: false if that takes too long. */
static bool follow_out(inflow_load *s, turns *t, uint32_t from, uint32_t mid)
{
    const weft_topology *topology = &s->it->network->topology;
    uint32_t at = from, came = WEFT_LINK_HOST;
    double to = s->it->network->endpoints - t->in_group[mid / t->group];
    double flow = s->pair * weft_topology_hosts(topology, from) / draws_of(topology, from) *
                  (to - weft_topology_hosts(topology, from));
    for (int hops = 0; hops < HOPS_MOST; hops++) {
        weft_minimal_port way;
        uint32_t word = topology->kind->make_header(topology, at, mid, NULL);
        (void)topology->kind->minimal_ports(topology, at, word, 1, &way);
        pass(s, at, way.port, came, flow);
        came = weft_topology_link_class(topology, at, way.port);
        at = topology->kind->peer(topology, at, way.port).router;
        s->it->steps++;
        if (weft_topology_group_of(topology, at) == mid / t->group) {
            note_turn(s, t, from, at, came);
            return true;
        }
    }
    return false;
}

static bool follow_all_out(inflow_load *s, turns *t)
{
    const weft_topology *topology = &s->it->network->topology;
    for (uint32_t from = 0; from < s->sources; from++) {
        for (uint32_t mid = 0; mid < topology->edge_routers; mid++)
            if (mid / t->group != from / t->group && !follow_out(s, t, from, mid))
                return false;
        if (s->it->steps > s->it->budget)
            return false;
    }
    return true;
}

/* What turns home at a router, and what goes directly from there, to all endpoints of another. */
static void add_home(inflow_load *s, const turns *t, weft_inflow *inflow, uint32_t at, uint32_t to)
{
    const weft_topology *topology = &s->it->network->topology;
    double hosts = weft_topology_hosts(topology, to), draws = draws_of(topology, to);
    double own = t->count[(size_t)to * topology->routers + at] * hosts / draws;
    double turned = t->all[row_of(s, at)] - own;
    uint32_t class = t->class[row_of(s, at)];
    if (class != UINT8_MAX && turned > 0)
        weft_inflow_add(inflow, at, class, s->pair * hosts * turned);
    if (at < topology->edge_routers)
        weft_inflow_add(inflow, at, WEFT_LINK_HOST,
                        s->pair * pairs_of(s, at, to) * group_size(topology, to) /
                            draws_of(topology, at));
}

static bool sum_home(inflow_load *s, const turns *t)
{
    const weft_topology *topology = &s->it->network->topology;
    weft_routing part = part_of(topology);
    weft_inflow inflow = sum_of(s, &part, WEFT_WALK_FIXED);
    bool going = true;
    for (uint32_t to = 0; going && to < s->sources; to++) {
        weft_inflow_begin(&inflow, to, 0);
        for (uint32_t at = 0; at < topology->routers; at++)
            if (weft_topology_group_of(topology, at) != to / t->group)
                add_home(s, t, &inflow, at, to);
        weft_inflow_add(&inflow, to, WEFT_LINK_HOST, s->pair * pairs_of(s, to, to));
        going = weft_inflow_run(&inflow) && is_within(s, &inflow);
    }
    weft_inflow_done(&inflow);
    return going;
}

static bool sum_over_groups(inflow_load *s)
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

bool weft_uniform_inflow_find(weft_uniform *it)
{
    const weft_network *network = it->network;
    const weft_topology *topology = &network->topology;
    inflow_load s = {.it = it, .period = it->fold == WEFT_FOLD_ORBITS ? it->width : 0};
    s.sources = s.period ? s.period : topology->edge_routers;
    bool going = (double)s.sources * topology->edge_routers <= (double)it->budget;
    for (uint32_t f = 0; going && f < network->n_traffic_classes; f++) {
        const weft_routing *routing = &network->traffic_classes[f].routing;
        s.path = &it->load->path[f];
        s.pair = weft_uniform_pair(network, f, &s.self);
        if (!weft_uniform_detours(routing))
            going = sum_direct(&s, routing);
        else
            going = weft_detour_by_group(routing) ? sum_over_groups(&s) : sum_over_routers(&s);
        if (s.path->exact)
            weft_mean_path_average(network, s.path);
    }
    return going;
}
