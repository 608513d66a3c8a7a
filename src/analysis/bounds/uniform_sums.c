/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/bounds/uniform_sums.h"

uint32_t weft_uniform_row(const weft_uniform_sums *s, uint32_t router)
{
    uint32_t edge = s->it->network->topology.edge_routers;
    if (s->period == 0)
        return router;
    return router < edge ? router % s->period : s->period + (router - edge) % s->it->core;
}

void weft_uniform_pass(void *user, uint32_t router, uint32_t port, uint32_t came, double flow)
{
    const weft_uniform_sums *s = user;
    const weft_network *network = s->it->network;
    uint32_t class = weft_topology_link_class(&network->topology, router, port);
    if (came < WEFT_PATH_CLASSES && class < WEFT_PATH_CLASSES)
        s->path->link[came][class] += flow;
    s->it->busy[(size_t)weft_uniform_row(s, router) * network->topology.ports + port] +=
        flow * (double)network->timing.period[class];
}

static void arrive(void *user, uint32_t came, double flow)
{
    const weft_uniform_sums *s = user;
    if (came < WEFT_PATH_CLASSES)
        s->path->link[came][WEFT_LINK_HOST] += flow;
}

double weft_uniform_pairs(const weft_uniform_sums *s, uint32_t from, uint32_t to)
{
    const weft_topology *topology = &s->it->network->topology;
    double a = weft_topology_hosts(topology, from), b = weft_topology_hosts(topology, to);
    return from == to && !s->self ? a * (a - 1) : a * b;
}

weft_inflow weft_uniform_inflow_of(weft_uniform_sums *s, const weft_routing *routing,
                                   weft_walk_mode mode)
{
    uint32_t classes = s->it->network->timing.classes;
    weft_inflow inflow;
    weft_inflow_init(&inflow, routing, mode, classes < WEFT_PATH_CLASSES ? classes : 1);
    inflow.pass = weft_uniform_pass;
    inflow.arrive = arrive;
    inflow.user = s;
    return inflow;
}

bool weft_uniform_within(weft_uniform_sums *s, weft_inflow *inflow)
{
    s->it->steps += inflow->steps;
    inflow->steps = 0;
    return s->it->steps <= s->it->budget;
}
