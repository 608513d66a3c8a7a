/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/bounds/bounds.h"

#include "net/traffic/common/pattern_endpoints.h"
#include "analysis/bounds/walk.h"

#define LINKS_QUICK ((uint64_t)1 << 21) /* whose cuts are looked at beside a run */

const char *const weft_bound_names[WEFT_BOUNDS] = {
    "injection", "ejection", "channel load", "dimension", "cut", "bisection", "capacity",
};

#define CLOSE 1e-9 /* of two bounds that are the same the first is told */

/* Ticks per tick that something is busy with at the scenario's load, turned into the load at
 * which it always is. */
static void note(weft_bounds *bounds, const weft_network *network, weft_bound kind, double busy,
                 bool exact)
{
    if (!(busy > 0))
        return;
    double load = network->load / busy;
    bounds->of[kind] = load;
    if (bounds->throughput <= 0 || load < bounds->throughput * (1 - CLOSE)) {
        bounds->throughput = load;
        bounds->binding = kind;
        bounds->exact = exact;
    }
    if (exact && (bounds->proven <= 0 || load < bounds->proven))
        bounds->proven = load;
}

/* Flits per tick of all flows. */
static double offered(const weft_network *network)
{
    double flits = 0;
    for (uint32_t f = 0; f < network->n_traffic_classes; f++)
        flits += network->traffic_classes[f].per_tick * network->traffic_classes[f].senders *
                 network->traffic_classes[f].mean_flits;
    return flits;
}

/* How busy the mean link is: with minimal routes at least; where nothing better is known, with
 * as many hops as the routing takes in its own estimate, which makes it one too. Where other
 * routes may be shorter than the first one (topology.staged) an adaptive routing has no such
 * bound: 0. */
static double mean_link(const weft_network *network, bool known, bool *exact)
{
    double busy = 0;
    for (uint32_t f = 0; f < network->n_traffic_classes; f++) {
        const weft_traffic_class *traffic_class = &network->traffic_classes[f];
        if (network->topology.proof.hierarchical_minimal &&
            traffic_class->routing.kind->ports_wanted != 1)
            return 0;
        bool own = !known &&
                   (traffic_class->routing.kind->proof.mean_hops ||
                    traffic_class->routing.kind->proof.path_length) &&
                   weft_walk_mode_of(&traffic_class->routing) != WEFT_WALK_EMPTY;
        double hops = own ? traffic_class->mean_hops : traffic_class->minimal_hops;
        *exact = *exact && !own;
        busy += traffic_class->per_tick * traffic_class->senders * traffic_class->mean_flits *
                hops * (double)network->timing.period[WEFT_LINK_LOCAL];
    }
    return network->capacity > 0 ? busy / network->capacity : 0;
}

/* How busy the links between the halves are if every endpoint sends to all others alike. */
static double halves(const weft_network *network)
{
    const weft_topology *topology = &network->topology;
    double n = network->endpoints, links, fastest = 0;
    for (uint32_t f = 0; f < network->n_traffic_classes; f++)
        if (!weft_pattern_endpoints_uniform(&network->traffic_classes[f].traffic.pattern))
            return 0;
    if (!topology->kind->closed_form.bisection || network->endpoints < 2)
        return 0;
    links = (double)topology->kind->closed_form.bisection(topology);
    for (uint32_t r = 0; r < (topology->link_class ? topology->routers : 1); r++)
        for (uint32_t p = 0; p < topology->ports; p++) {
            double period =
                (double)network->timing.period[weft_topology_link_class(topology, r, p)];
            fastest = fastest <= 0 || period < fastest ? period : fastest;
        }
    uint32_t lower = topology->edge_routers / 2;
    double half = (double)lower * topology->concentration;
    double crossing = 2 * half * (n - half) / (n * (n - 1));
    return links > 0 ? offered(network) * crossing * fastest / links : 0;
}

/* All links of the same timing: how many there are on the way says all. */
static void path_by_hops(const weft_network *network, const weft_traffic_class *traffic_class,
                         weft_mean_path *path)
{
    const weft_topology *topology = &network->topology;
    const weft_timing *timing = &network->timing;
    weft_link_class class = topology->ports ? topology->port_class[0] : WEFT_LINK_LOCAL;
    double inside = topology->egress_offset ? 0 : topology->concentration - 1.0;
    if (topology->link_class || topology->first)
        return;
    for (uint32_t p = 0; p < topology->ports; p++)
        if (timing->period[topology->port_class[p]] != timing->period[class] ||
            timing->wire[topology->port_class[p]] != timing->wire[class])
            return;
    if (inside > 0 && !weft_pattern_endpoints_uniform(&traffic_class->traffic.pattern))
        return;
    *path = (weft_mean_path){.known = true,
                             .exact = traffic_class->routing.kind->always_minimal &&
                                      !topology->proof.hierarchical_minimal};
    double none = inside > 0                ? inside / (network->endpoints - 1.0)
                  : topology->egress_offset ? 0
                                            : traffic_class->traffic.pattern.own;
    path->link[WEFT_LINK_HOST][WEFT_LINK_HOST] = none;
    path->link[WEFT_LINK_HOST][class] = 1 - none;
    path->link[class][class] = traffic_class->mean_hops - (1 - none);
    path->link[class][WEFT_LINK_HOST] = 1 - none;
}

void weft_bounds_find(weft_bounds *bounds, const weft_network *network,
                      const weft_bounds_plan *plan)
{
    *bounds = (weft_bounds){0};
    weft_channel_load *load = &bounds->load;
    weft_channel_load_find(load, network, plan->budget);
    for (uint32_t f = 0; f < network->n_traffic_classes; f++)
        if (!load->path[f].known)
            path_by_hops(network, &network->traffic_classes[f], &load->path[f]);
    if (load->known) {
        bool adapts = !load->whole && load->fold != WEFT_FOLD_NONE;
        note(bounds, network, WEFT_BOUND_INJECTION, load->sends * plan->sending, load->ends_exact);
        note(bounds, network, WEFT_BOUND_EJECTION, load->receives * plan->receiving,
             load->ends_exact);
        note(bounds, network, adapts ? WEFT_BOUND_DIMENSION : WEFT_BOUND_LINK, load->busiest,
             load->exact);
    } else {
        double flits = offered(network); /* some endpoint sends as much as the mean */
        note(bounds, network, WEFT_BOUND_INJECTION, flits / network->sending * plan->sending, true);
        note(bounds, network, WEFT_BOUND_EJECTION, flits / network->receiving * plan->receiving,
             true);
    }
    const weft_topology *topology = &network->topology;
    /* Beside a run, a large vertex-transitive network has its capacity bound alone: cuts would take
     * seconds. `weft check` finds all. */
    bool large = plan->budget <= WEFT_BOUNDS_QUICK && topology->links > LINKS_QUICK &&
                 topology->proof.vertex_transitive;
    bool folded = load->known && load->fold == WEFT_FOLD_PORTS; /* every cut is looser then */
    if (!folded && !large)
        bounds->cut = weft_cuts_find(network, plan->partition, plan->budget);
    note(bounds, network, WEFT_BOUND_CUT, bounds->cut.busy, bounds->cut.exact);
    note(bounds, network, WEFT_BOUND_BISECTION, halves(network), true);
    bool exact = true;
    double mean = mean_link(network, load->known, &exact);
    note(bounds, network, WEFT_BOUND_CAPACITY, mean, exact);
}
