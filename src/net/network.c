/* SPDX-License-Identifier: Apache-2.0 */
/* Rates. With E endpoints of which S send λ messages per tick each, messages of ℓ ticks over h hops
 * on a network of M router-to-router links:
 *     load = λ ℓ S / E,      rho = λ ℓ h S / M,      rate = λ per second. */
#include "net/network.h"

#include <assert.h>
#include <string.h>

/* Puts the position of a setting before a message of a component. */
static weft_status located(const weft_scenario *scenario, const char *path, weft_arena *arena,
                           weft_status status, weft_error *err)
{
    if (status == WEFT_OK)
        return WEFT_OK;
    weft_error said = *err;
    const char *where = weft_scenario_where(scenario, path, arena);
    return weft_fail(err, status, "%.512s%.3000s", where, said.text);
}

static weft_status build_topology(weft_network *network, weft_arena *arena, weft_error *err)
{
    weft_kind_ref ref = network->scenario->topology;
    weft_topology *topology = &network->topology;
    topology->kind = (const weft_topology_kind *)(const void *)ref.kind;
    topology->self = weft_arena_take(arena, ref.kind->instance_size);
    weft_status status = topology->kind->build(topology, ref.settings, err);
    WEFT_TRY(located(network->scenario, "topology", arena, status, err));
    assert(topology->ports <= WEFT_PORTS_MAX && topology->routers > 0 && topology->hosts > 0);
    network->endpoints = topology->routers * topology->hosts;
    return WEFT_OK;
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
    double senders = flow->senders, ticks = flow->mean_flits * (double)network->timing.flit;
    double load = wanted(set, set->load, scenario->offered_load);
    double rho = wanted(set, set->rho, scenario->offered_rho);
    double rate = wanted(set, set->rate, scenario->offered_rate);
    double tick_s = network->timing.tick_ps * 1e-12;
    if (load >= 0) {
        flow->per_tick = load * network->endpoints / (senders * ticks);
    } else if (rho >= 0) {
        if (flow->mean_hops <= 0)
            return weft_fail(
                err, WEFT_BAD_INPUT,
                "rho is the load of router-to-router links, and this traffic uses none; "
                "give load instead");
        flow->per_tick =
            rho * (double)network->topology.links / (senders * ticks * flow->mean_hops);
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
    flow->load = flow->per_tick * ticks * senders / network->endpoints;
    flow->rho = network->topology.links ? flow->per_tick * ticks * flow->mean_hops * senders /
                                              (double)network->topology.links
                                        : 0;
    flow->rate =
        tick_s > 0 ? flow->per_tick / tick_s : flow->per_tick * (double)network->timing.cycle;
    return WEFT_OK;
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
        WEFT_TRY(located(scenario, path, arena, status, err));
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
    WEFT_TRY(
        located(scenario, "links", arena, weft_timing_build(&network->timing, scenario, err), err));
    network->rate_unit = network->timing.tick_ps > 0 ? "messages/s" : "messages/cycle";
    WEFT_TRY(build_topology(network, arena, err));
    build_routing(network);
    weft_status status = build_traffic(network, arena, err);
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
