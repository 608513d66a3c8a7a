/* SPDX-License-Identifier: Apache-2.0 */
/* Rates. With E endpoints of p ports, of which S send λ messages per tick each, messages of ℓ ticks on a
 * host link and m on a local one, over h hops on a network of M router-to-router links (each counted by
 * its rate relative to a local one):
 *     load = λ ℓ S / E p,      rho = λ m h S / M,      rate = λ per second. */
#include "net/network.h"

#include "net/size.h"

#include <assert.h>
#include <string.h>

static weft_status build_topology(weft_network *network, weft_arena *arena, weft_error *err)
{
    weft_kind_ref ref = network->scenario->topology;
    weft_topology *topology = &network->topology;
    topology->kind = (const weft_topology_kind *)(const void *)ref.kind;
    topology->self = weft_arena_take(arena, ref.kind->instance_size);
    weft_status status = topology->kind->build(topology, ref.settings, err);
    WEFT_TRY(weft_scenario_locate(network->scenario, "topology", status, err));
    assert(topology->ports <= WEFT_PORTS_MAX && topology->routers > 0 && topology->hosts > 0);
    network->endpoints = topology->routers * topology->hosts;
    return WEFT_OK;
}

/* Links between routers by class, if they have to be told apart. */
static void count_links(const weft_topology *topology, uint64_t *links)
{
    for (uint32_t r = 0; r < topology->routers; r++)
        for (uint32_t p = 0; p < topology->ports; p++)
            if (topology->kind->peer(topology, r, p).router != WEFT_NOWHERE)
                links[topology->port_class[p]]++;
}

static void build_capacity(weft_network *network)
{
    const weft_topology *topology = &network->topology;
    const weft_time *period = network->timing.period;
    uint64_t links[WEFT_LINK_CLASSES] = {0};
    bool mixed = false;
    for (uint32_t p = 1; p < topology->ports; p++)
        mixed = mixed || period[topology->port_class[p]] != period[topology->port_class[0]];
    if (mixed)
        count_links(topology, links);
    else
        links[topology->port_class[0]] = topology->links;
    for (int c = 0; c < (int)WEFT_LINK_CLASSES; c++)
        network->capacity +=
            (double)links[c] * ((double)period[WEFT_LINK_LOCAL] / (double)period[c]);
    int64_t ports = network->scenario->endpoint.ports;
    network->bandwidth = (double)network->endpoints * (double)(ports > 0 ? ports : 1);
}

static void build_routing(weft_network *network)
{
    weft_kind_ref ref = network->scenario->routing;
    weft_routing *routing = &network->routing;
    routing->kind = (const weft_routing_kind *)(const void *)ref.kind;
    routing->settings = ref.settings;
    routing->topology = &network->topology;
    if (routing->kind->selection) {
        weft_kind_ref selection = routing->kind->selection(ref.settings);
        routing->selection = (const weft_selection_kind *)(const void *)selection.kind;
        routing->selection_settings = selection.settings;
        routing->draws = routing->selection->draws;
        routing->straight = routing->selection->rank ? 0 : routing->kind->ways_wanted;
    }
}

/* The class's own load, or its share of what the scenario offers. */
static double wanted(const weft_traffic_class *set, double own, double offered)
{
    if (own >= 0)
        return own;
    return set->share >= 0 && offered >= 0 ? set->share * offered : -1;
}

static weft_status set_rate(const weft_network *network, const weft_traffic_class *set,
                            weft_flow *flow, weft_error *err)
{
    const weft_scenario *scenario = network->scenario;
    const weft_timing *timing = &network->timing;
    double senders = flow->senders;
    double ticks = flow->mean_flits * (double)timing->period[WEFT_LINK_HOST];
    double hop = flow->mean_flits * (double)timing->period[WEFT_LINK_LOCAL];
    double load = wanted(set, set->load, scenario->offered_load);
    double rho = wanted(set, set->rho, scenario->offered_rho);
    double rate = wanted(set, set->rate, scenario->offered_rate);
    double tick_s = timing->tick_ps * 1e-12;
    if (load >= 0) {
        flow->per_tick = load * network->bandwidth / (senders * ticks);
    } else if (rho >= 0) {
        if (flow->mean_hops <= 0)
            return weft_fail(
                err, WEFT_BAD_INPUT,
                "rho is the load of router-to-router links, and this traffic uses none; "
                "give load instead");
        flow->per_tick = rho * network->capacity / (senders * hop * flow->mean_hops);
    } else {
        if (tick_s <= 0)
            return weft_fail(err, WEFT_BAD_INPUT, "rate is in messages per second: give clock too");
        flow->per_tick = rate * tick_s;
    }
    if (!(flow->per_tick > 0 && flow->per_tick <= 65536))
        return weft_fail(err, WEFT_BAD_INPUT,
                         "the class offers %g messages per tick and endpoint; "
                         "more than 0 and at most 65536 can be simulated",
                         flow->per_tick);
    flow->load = flow->per_tick * ticks * senders / network->bandwidth;
    flow->rho = network->topology.links
                    ? flow->per_tick * hop * flow->mean_hops * senders / network->capacity
                    : 0;
    flow->rate = tick_s > 0 ? flow->per_tick / tick_s : flow->per_tick * (double)timing->cycle;
    return WEFT_OK;
}

static uint32_t longest(const weft_length *length)
{
    const weft_length_kind *kind = length->kind;
    bool told = kind->base.size >= sizeof *kind && kind->most; /* a plug-in may be older */
    return told ? kind->most(length) : WEFT_FLITS_MAX;
}

/* Pattern and length, whatever the rate. */
static weft_status build_messages(weft_network *network, const weft_traffic_class *set,
                                  weft_flow *flow, weft_arena *arena, weft_error *err)
{
    weft_pattern *pattern = &flow->traffic.pattern;
    weft_length *length = &flow->traffic.length;
    *pattern = (weft_pattern){.kind = (const weft_pattern_kind *)(const void *)set->pattern.kind,
                              .self = weft_arena_take(arena, set->pattern.kind->instance_size),
                              .topology = &network->topology};
    WEFT_TRY(pattern->kind->build(pattern, set->pattern.settings, err));
    network->flows++; /* from here on weft_network_done is its owner */
    flow->senders = pattern->kind->senders(pattern);
    if (flow->senders == 0)
        return weft_fail(err, WEFT_BAD_INPUT, "no endpoint sends anything under pattern %s",
                         set->pattern.kind->name);
    *length = (weft_length){.kind = (const weft_length_kind *)(const void *)set->length.kind,
                            .settings = set->length.settings,
                            .flit_bytes = network->scenario->links.flit.value};
    flow->mean_flits = length->kind->mean(length);
    flow->most_flits = longest(length);
    flow->mean_hops = pattern->kind->mean_hops(pattern) * network->routing.kind->stretch;
    return WEFT_OK;
}

static weft_status build_arrivals(const weft_network *network, const weft_traffic_class *set,
                                  weft_flow *flow, weft_error *err)
{
    WEFT_TRY(set_rate(network, set, flow, err));
    const weft_arrival_kind *arrival = (const weft_arrival_kind *)(const void *)set->arrival.kind;
    double per_cycle = flow->per_tick * (double)network->timing.cycle;
    if (arrival->most > 0 && per_cycle > arrival->most * (1 + 1e-9))
        return weft_fail(
            err, WEFT_BAD_INPUT,
            "arrival %s can send %g per cycle and endpoint at most, the class offers %g",
            arrival->base.name, arrival->most, per_cycle);
    flow->traffic.arrival = (weft_arrival){.kind = arrival,
                                           .settings = set->arrival.settings,
                                           .mean = 1 / flow->per_tick,
                                           .cycle_ticks = (double)network->timing.cycle};
    flow->traffic.start = weft_timing_ticks(&network->timing, set->start);
    flow->traffic.stop =
        set->stop.unit == WEFT_NO_TIME ? INT64_MAX : weft_timing_ticks(&network->timing, set->stop);
    return WEFT_OK;
}

static weft_status build_flow(weft_network *network, const weft_traffic_class *set,
                              weft_arena *arena, weft_error *err)
{
    uint32_t number = network->flows;
    weft_flow *flow = &network->flow[number];
    flow->name = set->name;
    WEFT_TRY(build_messages(network, set, flow, arena, err));
    WEFT_TRY(build_arrivals(network, set, flow, err));
    flow->workload = (weft_workload){.kind = &weft_workload_open_loop,
                                     .self = &flow->traffic,
                                     .seed = network->seed,
                                     .number = number,
                                     .backlog = (uint64_t)network->scenario->endpoint.backlog};
    return WEFT_OK;
}

static weft_status build_traffic(weft_network *network, weft_arena *arena, weft_error *err)
{
    const weft_scenario *scenario = network->scenario;
    double messages = 0, hops = 0, flits = 0;
    if (scenario->traffic_count > WEFT_CLASSES_MAX)
        return weft_fail(err, WEFT_BAD_INPUT, "at most %d traffic classes, found %zu",
                         WEFT_CLASSES_MAX, scenario->traffic_count);
    for (size_t i = 0; i < scenario->traffic_count; i++) {
        const weft_traffic_class *set = &scenario->traffic[i];
        weft_status status = build_flow(network, set, arena, err);
        const char *path = weft_arena_format(arena, "traffic.%s", set->name);
        WEFT_TRY(weft_scenario_locate(scenario, path, status, err));
        const weft_flow *flow = &network->flow[i];
        double share = flow->per_tick * flow->senders;
        messages += share;
        hops += share * flow->mean_hops;
        flits += share * flow->mean_flits;
        network->load += flow->load;
        network->rho += flow->rho;
        network->rate += flow->rate;
    }
    network->mean_hops = hops / messages;
    network->mean_flits = flits / messages;
    return WEFT_OK;
}

weft_status weft_network_build(weft_network *network, const weft_scenario *scenario,
                               weft_arena *arena, weft_error *err)
{
    memset(network, 0, sizeof *network);
    network->scenario = scenario;
    network->seed = scenario->point_seed;
    network->lanes = weft_scenario_lanes(scenario);
    weft_status status = weft_timing_build(&network->timing, scenario, err);
    WEFT_TRY(weft_scenario_locate(scenario, "links", status, err));
    network->rate_unit = network->timing.tick_ps > 0 ? "messages/s" : "messages/cycle";
    WEFT_TRY(build_topology(network, arena, err));
    build_capacity(network);
    build_routing(network);
    status = build_traffic(network, arena, err);
    if (status != WEFT_OK)
        weft_network_done(network);
    return status;
}

void weft_network_done(weft_network *network)
{
    for (uint32_t i = 0; i < network->flows; i++)
        if (network->flow[i].traffic.pattern.kind->done)
            network->flow[i].traffic.pattern.kind->done(&network->flow[i].traffic.pattern);
    network->flows = 0;
    if (network->topology.kind && network->topology.kind->done)
        network->topology.kind->done(&network->topology);
}
