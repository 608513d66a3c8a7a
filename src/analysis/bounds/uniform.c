/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/bounds/uniform.h"

#include "analysis/bounds/demand.h"
#include "analysis/bounds/demand_sums.h"
#include "net/routing/common/detour.h"
#include "net/traffic/pattern.h"

#include <string.h>

#define PAIRS_MOST ((uint64_t)1 << 25) /* that communicate, looked at for symmetry */

/* Do words depend on the difference of coordinates alone? A topology makes them dimension by
 * dimension. */
bool weft_headers_alike(const weft_topology *topology)
{
    const weft_lattice *lattice = &topology->lattice;
    if (!topology->kind->all_headers)
        return true;
    uint32_t at_0[WEFT_HEADERS_MAX], at_a[WEFT_HEADERS_MAX];
    for (uint32_t d = lattice->dims, stride = 1; d-- > 0; stride *= lattice->size[d]) {
        uint32_t size = lattice->size[d], places[] = {1, size / 2, size - 1};
        for (uint32_t step = 1; step < size; step++)
            for (int i = 0; i < 3; i++) {
                uint32_t a = places[i], b = (a + step) % size;
                unsigned n = topology->kind->all_headers(topology, 0, step * stride, at_0);
                unsigned m = topology->kind->all_headers(topology, a * stride, b * stride, at_a);
                if (n != m || memcmp(at_0, at_a, sizeof *at_0 * n) != 0)
                    return false;
            }
    }
    return true;
}

double weft_uniform_pair(const weft_network *network, uint32_t traffic_class, bool *self)
{
    const weft_traffic_class *class = &network->traffic_classes[traffic_class];
    *self = class->traffic.pattern.own > 0;
    return weft_demand_rate(class, 0) * class->mean_flits /
           (network->endpoints - (*self ? 0.0 : 1.0));
}

bool weft_uniform_takes_first(const weft_routing *routing)
{
    const weft_routing_kind *kind = routing->kind;
    return !kind->initial_header && !kind->reroute && kind->ports_wanted == 1 && !routing->draws &&
           routing->selection && !routing->selection->rank;
}

bool weft_uniform_detours(const weft_routing *routing)
{
    return routing->kind->initial_header == weft_detour_draw && !routing->kind->reroute;
}

bool weft_uniform_class(const weft_traffic_class *traffic_class)
{
    const weft_pattern *pattern = &traffic_class->traffic.pattern;
    return pattern->kind == &weft_pattern_uniform && !pattern->from && !pattern->to;
}

bool weft_uniform_traffic(const weft_network *network)
{
    bool all = true;
    for (uint32_t f = 0; f < network->n_traffic_classes; f++)
        all = all && weft_uniform_class(&network->traffic_classes[f]);
    return all;
}

/* The network whose routers are groups. */
static const weft_topology *outermost_of(const weft_topology *topology)
{
    while (topology->outer)
        topology = topology->outer;
    return topology;
}

uint32_t weft_uniform_period(const weft_network *network, uint32_t *core)
{
    const weft_topology *topology = &network->topology, *outermost = outermost_of(topology);
    uint32_t others = topology->routers - topology->edge_routers;
    bool alike = outermost->proof.vertex_transitive && outermost->uniform &&
                 (others == 0 || topology->core_group) && !topology->link_class &&
                 !topology->first && !topology->faults &&
                 (!outermost->lattice.dims || weft_headers_alike(outermost));
    uint32_t period = topology->edge_routers / outermost->routers;
    for (uint32_t f = 0; f < network->n_traffic_classes && alike; f++) {
        const weft_routing_kind *kind = network->traffic_classes[f].routing.kind;
        alike = kind->proof.translation_invariant || kind->proof.n_phases > 0;
        if (alike && !weft_uniform_class(&network->traffic_classes[f]))
            alike = !outermost->lattice.dims && period == topology->group &&
                    weft_demand_rotates(network, f, period, PAIRS_MOST);
    }
    *core = alike ? others / outermost->routers : 0;
    return alike ? period : 0;
}
