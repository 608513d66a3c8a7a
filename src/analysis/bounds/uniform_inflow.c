/* SPDX-License-Identifier: Apache-2.0 */
/* Uniform traffic, destination by destination (inflow.h).
 *
 * Where all groups of the outermost network are equivalent, the destinations of group 0 stand for
 * all: the load of a link is the sum, over its equivalents, of what they carry to group 0. */
#include "analysis/bounds/uniform_sums.h"

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

/* All packets of a class that takes no detours. */
static bool sum_direct(weft_uniform_sums *s, const weft_routing *routing)
{
    const weft_topology *topology = &s->it->network->topology;
    weft_inflow inflow = weft_uniform_inflow_of(s, routing, weft_walk_mode_of(routing));
    bool going = true;
    for (uint32_t to = 0; going && to < s->sources; to++) {
        uint32_t own = weft_topology_hosts(topology, to);
        uint32_t apart = weft_routing_hosts(routing) > 1 ? own : 1;
        for (uint32_t host = 0; going && host < apart; host++) {
            weft_inflow_begin(&inflow, to + topology->egress_offset, host);
            for (uint32_t from = 0; from < topology->edge_routers; from++)
                weft_inflow_add(&inflow, from, WEFT_LINK_HOST,
                                s->pair * weft_uniform_pairs(s, from, to) / apart);
            going = weft_inflow_run(&inflow) && weft_uniform_within(s, &inflow);
        }
    }
    weft_inflow_done(&inflow);
    s->path->exact = true;
    return going;
}

/* At least: a flow from every router to every destination, and a state there. */
static double count_steps(const weft_network *network, uint32_t sources)
{
    double steps = 0;
    for (uint32_t f = 0; f < network->n_traffic_classes; f++) {
        const weft_routing *routing = &network->traffic_classes[f].routing;
        double apart = weft_uniform_detours(routing) ? 1 : weft_routing_hosts(routing);
        steps += 2 * apart * sources * network->topology.edge_routers;
    }
    return steps;
}

bool weft_uniform_inflow_find(weft_uniform *it)
{
    const weft_network *network = it->network;
    const weft_topology *topology = &network->topology;
    weft_uniform_sums s = {.it = it, .period = it->fold == WEFT_FOLD_ORBITS ? it->width : 0};
    s.sources = s.period ? s.period : topology->edge_routers;
    bool going = count_steps(network, s.sources) <= (double)it->budget;
    for (uint32_t f = 0; going && f < network->n_traffic_classes; f++) {
        const weft_routing *routing = &network->traffic_classes[f].routing;
        s.traffic_class = f;
        s.path = &it->load->path[f];
        s.pair = weft_uniform_pair(network, f, &s.self);
        going =
            weft_uniform_detours(routing) ? weft_uniform_detour_find(&s) : sum_direct(&s, routing);
        if (s.path->exact)
            weft_mean_path_average(network, s.path);
    }
    return going;
}
