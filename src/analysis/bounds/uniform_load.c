/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/bounds/uniform_load.h"

#include "analysis/bounds/demand.h"
#include "analysis/bounds/demand_sums.h"
#include "base/memory.h"
#include "net/routing.h"
#include "net/routing/common/detour.h"
#include "net/traffic/pattern.h"

#include <stdlib.h>

#define ROUNDING 1e-9  /* of sums of ranges */
#define CLOSE    1e-12 /* of two that are as busy the first is told */

/* Every route is by the first minimal ports all the way, or by the last ones (O1TURN). */
static bool is_one_turn(const weft_routing *routing)
{
    const weft_routing_kind *kind = routing->kind;
    bool all = kind->always_minimal && kind->proof.n_phases > 0 && !kind->reroute;
    for (uint32_t i = 0; i < kind->proof.n_phases; i++)
        all = all && !kind->proof.phases[i].anew && !kind->proof.phases[i].once;
    return all;
}

/* Do all routers send as much as any other to others, and receive as much? */
static bool sends_evenly(const weft_network *network, uint32_t traffic_class)
{
    weft_demand_sums sums;
    weft_demand_sums_init(&sums, network, traffic_class);
    weft_demand_sums_done(&sums);
    return sums.even;
}

/* Are two routers of a line joined by one link at most? Which of several comes first may
 * depend on more than the line. */
static bool has_single_links(const weft_topology *topology)
{
    uint32_t ports = 0;
    for (uint32_t d = 0; d < topology->lattice.dims; d++)
        ports += topology->lattice.size[d] - 1;
    return !topology->lattice.full || topology->ports == ports;
}

static bool suits_lines(const weft_network *network)
{
    const weft_topology *topology = &network->topology;
    if (topology->lattice.dims == 0 || !has_single_links(topology) ||
        !topology->proof.header_self_contained || topology->link_class || topology->first)
        return false;
    for (uint32_t f = 0; f < network->n_traffic_classes; f++) {
        const weft_routing *routing = &network->traffic_classes[f].routing;
        bool detours = weft_uniform_detours(routing) && !weft_detour_by_group(routing) &&
                       sends_evenly(network, f);
        if (!detours && !weft_uniform_takes_first(routing) && !is_one_turn(routing))
            return false;
    }
    return true;
}

weft_uniform_method weft_uniform_method_of(const weft_network *network)
{
    if (network->topology.faults || network->endpoints < 2)
        return WEFT_UNIFORM_NONE;
    for (uint32_t f = 0; f < network->n_traffic_classes; f++) {
        const weft_traffic_class *class = &network->traffic_classes[f];
        bool detours = weft_uniform_detours(&class->routing) && weft_demand_known(class);
        if (!detours && !weft_uniform_class(class))
            return WEFT_UNIFORM_NONE;
    }
    if (suits_lines(network))
        return WEFT_UNIFORM_LINES;
    if (weft_uniform_tree_suits(network))
        return WEFT_UNIFORM_TREE;
    return weft_uniform_inflow_suits(network) ? WEFT_UNIFORM_INFLOW : WEFT_UNIFORM_NONE;
}

/* Flits per tick from one router of a lattice to another, by minimal routes; of detours see
 * uniform_detour.c. */
static double between_routers(const weft_network *network)
{
    const weft_topology *topology = &network->topology;
    double hosts = topology->concentration, sum = 0;
    for (uint32_t f = 0; f < network->n_traffic_classes; f++) {
        weft_demand_sums sums;
        bool self;
        if (!weft_uniform_detours(&network->traffic_classes[f].routing)) {
            sum += weft_uniform_pair(network, f, &self) * hosts * hosts;
            continue;
        }
        weft_demand_sums_init(&sums, network, f);
        sum += (sums.out[0] + sums.in[0]) / topology->routers;
        weft_demand_sums_done(&sums);
    }
    return sum;
}

/* The routes from one router to another of a line, each with its share of the flits. */
static void follow_line(weft_uniform *it, uint32_t from, uint32_t to, uint32_t stride, double flits)
{
    const weft_topology *topology = &it->network->topology;
    uint32_t words[WEFT_HEADERS_MAX];
    unsigned count = 1;
    if (topology->kind->all_headers)
        count = topology->kind->all_headers(topology, from, to, words);
    else
        words[0] = topology->kind->make_header(topology, from, to, NULL);
    for (unsigned i = 0; i < count; i++)
        for (uint32_t word = words[i], at = from; word; it->steps++) {
            weft_minimal_port way;
            (void)topology->kind->minimal_ports(topology, at, word, 1, &way);
            double period = (double)it->network->timing.period[topology->port_class[way.port]];
            it->busy[(size_t)way.port * it->width + at / stride] += flits / count * period;
            at = topology->kind->peer(topology, at, way.port).router;
            word = way.next_header;
        }
}

static void find_by_lines(weft_uniform *it)
{
    const weft_topology *topology = &it->network->topology;
    const weft_lattice *lattice = &topology->lattice;
    double flits = between_routers(it->network);
    uint32_t stride = topology->routers;
    for (uint32_t d = 0; d < lattice->dims; d++) {
        uint32_t size = lattice->size[d];
        double lines = (double)topology->routers / size;
        stride /= size;
        for (uint32_t a = 0; a < size; a++)
            for (uint32_t b = 0; b < size; b++)
                if (a != b)
                    follow_line(it, a * stride, b * stride, stride, flits * lines);
    }
}

static void choose_slots(weft_uniform *it, weft_uniform_method method)
{
    const weft_topology *topology = &it->network->topology;
    uint32_t rows = topology->routers;
    if (method == WEFT_UNIFORM_LINES) {
        it->fold = WEFT_FOLD_SLABS;
        for (uint32_t d = 0; d < topology->lattice.dims; d++)
            if (topology->lattice.size[d] > it->width)
                it->width = topology->lattice.size[d];
        rows = it->width;
    } else if (method == WEFT_UNIFORM_INFLOW && weft_uniform_period(it->network, &it->core)) {
        it->fold = WEFT_FOLD_ORBITS;
        it->width = weft_uniform_period(it->network, &it->core);
        rows = it->width + it->core;
    }
    it->count = (size_t)rows * topology->ports;
    it->busy = weft_alloc(sizeof *it->busy * (it->count + 1));
}

/* A link of the busiest ones. */
static void name_link(const weft_uniform *it, size_t slot)
{
    const weft_topology *topology = &it->network->topology;
    weft_channel_load *load = it->load;
    if (it->fold != WEFT_FOLD_SLABS) {
        load->router = (uint32_t)(slot / topology->ports);
        if (it->fold == WEFT_FOLD_ORBITS && load->router >= it->width)
            load->router += topology->edge_routers - it->width;
        load->port = (uint32_t)(slot % topology->ports);
        return;
    }
    load->port = (uint32_t)(slot / it->width);
    load->router = (uint32_t)(slot % it->width);
    for (uint32_t d = topology->lattice.dims; --d > topology->lattice.port_dim[load->port];)
        load->router *= topology->lattice.size[d];
}

static void find_busiest(const weft_uniform *it)
{
    for (size_t i = 0; i < it->count; i++)
        if (it->busy[i] > it->load->busiest * (1 + CLOSE)) {
            it->load->busiest = it->busy[i];
            name_link(it, i);
        }
}

static void find_ends(const weft_uniform *it)
{
    const weft_network *network = it->network;
    weft_channel_load *load = it->load;
    double *sends = weft_alloc(sizeof *sends * network->endpoints);
    double *receives = weft_alloc(sizeof *receives * network->endpoints);
    for (uint32_t f = 0; f < network->n_traffic_classes; f++) {
        weft_demand_sums sums;
        weft_demand_sums_init(&sums, network, f);
        for (uint32_t e = 0; e < network->endpoints; e++) {
            sends[e] += sums.sends[e];
            receives[e] += sums.receives[e];
        }
        weft_demand_sums_done(&sums);
    }
    for (uint32_t e = 0; e < network->endpoints; e++) {
        double slowness = weft_demand_slowness(network, e);
        if (sends[e] * slowness > load->sends)
            load->sends = sends[e] * slowness;
        if (receives[e] * slowness > load->receives * (1 + ROUNDING)) {
            load->receives = receives[e] * slowness;
            load->receiver = e;
        }
    }
    free(sends);
    free(receives);
}

bool weft_uniform_load_find(weft_channel_load *load, const weft_network *network, uint64_t budget)
{
    weft_uniform_method method = weft_uniform_method_of(network);
    weft_channel_load found = {.known = true, .exact = true, .ends_exact = true, .whole = true};
    weft_uniform it = {.network = network, .load = &found, .budget = budget};
    bool going = method != WEFT_UNIFORM_NONE;
    if (!going)
        return false;
    choose_slots(&it, method);
    found.fold = it.fold;
    found.pairs = (uint64_t)network->topology.edge_routers * network->topology.edge_routers;
    if (method == WEFT_UNIFORM_LINES)
        find_by_lines(&it);
    else if (method == WEFT_UNIFORM_TREE)
        weft_uniform_tree_find(&it);
    else
        going = weft_uniform_inflow_find(&it);
    if (going) {
        find_busiest(&it);
        find_ends(&it);
        *load = found;
    }
    free(it.busy);
    return going;
}
