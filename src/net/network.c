/* SPDX-License-Identifier: Apache-2.0 */
/* Puts a network together. */
#include "net/network.h"

#include "net/carriage.h"
#include "net/contract.h"
#include "net/faults.h"
#include "net/hosts.h"
#include "net/offered_load.h"
#include "net/rated.h"
#include "net/selection.h"
#include "net/service_level.h"
#include "net/single_links.h"
#include "net/topology.h"
#include "net/topology/common/weftnet.h"
#include "net/traffic/common/pattern_endpoints.h"
#include "net/traffic/common/size.h"
#include "net/wire_length.h"

#include <assert.h>
#include <string.h>

#define VCS_MAX       16
#define HOSTS_MAX     1024       /* of a router: what an event's key has room for */
#define ENDPOINTS_MAX (1u << 28) /* what a packet's name has room for */

/* Can a network of this size be simulated? */
static weft_status check_size(const weft_topology *topology, weft_error *err)
{
    uint64_t endpoints = topology->first
                             ? weft_topology_endpoints(topology)
                             : (uint64_t)topology->edge_routers * topology->concentration;
    if (topology->concentration > HOSTS_MAX)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "a router has %u endpoints, at most %d can be simulated: use fewer",
                         topology->concentration, HOSTS_MAX);
    if (endpoints > ENDPOINTS_MAX)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%llu endpoints, at most %u (2^28) can be simulated: use fewer",
                         (unsigned long long)endpoints, ENDPOINTS_MAX);
    return WEFT_OK;
}

static weft_status build_topology(weft_network *network, weft_arena *arena, weft_error *err)
{
    weft_kind_ref ref = network->scenario->topology;
    weft_topology *topology = &network->topology;
    topology->kind = (const weft_topology_kind *)(const void *)ref.kind;
    topology->self = weft_arena_take(arena, ref.kind->instance_size);
    weft_status status = weft_topology_build(topology, ref.settings, err);
    if (status == WEFT_OK) {
        status = check_size(topology, err);
        if (status != WEFT_OK && topology->kind->done)
            topology->kind->done(topology);
    }
    WEFT_TRY(weft_scenario_locate(network->scenario, "topology", status, err));
    network->endpoints = weft_topology_endpoints(topology);
    return WEFT_OK;
}

/* Links between routers by class, if they have to be told apart. */
static void count_links(const weft_topology *topology, uint64_t *links)
{
    for (uint32_t r = 0; r < topology->routers; r++)
        for (uint32_t p = 0; p < topology->ports; p++)
            if (topology->kind->peer(topology, r, p).router != WEFT_NOWHERE)
                links[weft_topology_link_class(topology, r, p)]++;
}

static void build_capacity(weft_network *network)
{
    const weft_topology *topology = &network->topology;
    const weft_time *period = network->timing.period;
    uint64_t links[WEFT_LINK_CLASSES_MAX] = {0};
    bool mixed = topology->link_class != NULL;
    for (uint32_t p = 1; p < topology->ports; p++)
        mixed = mixed || period[topology->port_class[p]] != period[topology->port_class[0]];
    if (mixed)
        count_links(topology, links);
    else
        links[topology->port_class[0]] = topology->links;
    for (uint32_t c = 0; c < network->timing.classes; c++)
        network->capacity +=
            (double)links[c] * ((double)period[WEFT_LINK_LOCAL] / (double)period[c]);
}

/* What the kind keeps for itself. */
static weft_status build_instance(weft_arena *arena, weft_routing *routing, weft_error *err)
{
    if (!routing->kind->build)
        return WEFT_OK;
    routing->self = weft_arena_take(arena, routing->kind->base.instance_size);
    weft_status status = routing->kind->build(routing, err);
    if (status != WEFT_OK)
        routing->self = NULL;
    return status;
}

static const weft_carriage *carriage_of(const weft_network *network)
{
    return (const weft_carriage *)(const void *)network->scenario->router.kind;
}

/* LIDs by source are of routings that know the subnet. */
static weft_status check_lids(const weft_routing *routing, weft_error *err)
{
    const weft_weftnet *net = weft_weftnet_of(routing->topology);
    if (!net || net->paths <= 1 || routing->kind->maps_sl)
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT,
                     "topology.lids: by-source needs routing infiniband, and so SL2VL tables: "
                     "routing %s knows one way to a host",
                     routing->kind->base.name);
}

/* VCs: 0 where buffers have no bounds. */
static weft_status build_routing(const weft_network *network, weft_kind_ref ref, uint32_t vcs,
                                 weft_arena *arena, weft_routing *routing, weft_error *err)
{
    routing->kind = (const weft_routing_kind *)(const void *)ref.kind;
    routing->settings = ref.settings;
    routing->topology = &network->topology;
    WEFT_TRY(weft_carriage_check(carriage_of(network), routing->kind, vcs > 0, err));
    WEFT_TRY(check_lids(routing, err));
    if (routing->kind->selection) {
        weft_kind_ref selection = routing->kind->selection(ref.settings);
        routing->selection = (const weft_selection_kind *)(const void *)selection.kind;
        routing->selection_settings = selection.settings;
        routing->draws = routing->selection->draws;
        if (routing->kind->ports_wanted == 1 && weft_selection_looks(routing))
            return weft_fail(err, WEFT_BAD_INPUT,
                             "routing.selection %s chooses between ports at the router: it needs "
                             "routing minimal-adaptive, %s has one port only",
                             routing->selection->base.name, routing->kind->base.name);
        if (selection.kind->foreign)
            WEFT_TRY(weft_contract_selection(routing->selection, selection.settings, err));
        routing->straight = routing->selection->rank ? 0 : (uint16_t)routing->kind->ports_wanted;
    } else {
        routing->draws = routing->kind->draws;
    }
    if (routing->kind->check)
        WEFT_TRY(routing->kind->check(routing, err));
    WEFT_TRY(build_instance(arena, routing, err));
    routing->single = routing->single || routing->kind->ports_wanted == 1;
    if (vcs > 0)
        WEFT_TRY(routing->kind->assign_vcs(routing, vcs, err));
    if (routing->kind->base.foreign && !network->topology.faults)
        WEFT_TRY(weft_contract_routing(routing, err));
    return WEFT_OK;
}

/* The class' own routing and VCs, or everybody's. */
static weft_status build_own_routing(weft_network *network, const weft_class_settings *set,
                                     weft_arena *arena, weft_traffic_class *traffic_class,
                                     weft_error *err)
{
    traffic_class->routing = network->routing;
    uint32_t vcs = network->vcs;
    if (set->vcs.count > 0 && network->vcs == 0)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "traffic.%s.vcs: virtual channels are those of router input-queued, found "
                         "%s",
                         set->name, network->scenario->router.kind->name);
    if (set->vcs.count > 0) {
        vcs = (uint32_t)set->vcs.count;
        traffic_class->vc = (uint16_t)set->vcs.at[0];
        for (int32_t i = 0; i < set->vcs.count; i++)
            if (set->vcs.at[i] != set->vcs.at[0] + i || (uint32_t)set->vcs.at[i] >= network->vcs)
                return weft_fail(err, WEFT_BAD_INPUT,
                                 "traffic.%s.vcs must be virtual channels in a row, from 0 to %d "
                                 "here (router.vcs), found %d",
                                 set->name, (int)network->vcs - 1, set->vcs.at[i]);
    } else if (!set->routing.kind) {
        return WEFT_OK;
    }
    weft_kind_ref ref = set->routing.kind ? set->routing : network->scenario->routing;
    memset(&traffic_class->routing, 0, sizeof traffic_class->routing);
    return build_routing(network, ref, vcs, arena, &traffic_class->routing, err);
}

/* The routing of a class with an SL: one VC, unless the routing maps SLs itself, at every hop. */
static weft_status build_level_routing(weft_network *network, const weft_class_settings *set,
                                       weft_service_level level, weft_arena *arena,
                                       weft_traffic_class *traffic_class, weft_error *err)
{
    weft_kind_ref ref = set->routing.kind ? set->routing : network->scenario->routing;
    bool maps = ((const weft_routing_kind *)(const void *)ref.kind)->maps_sl;
    weft_error why;
    if (level.management) { /* routing names its ports; it cannot wait in a circle for credits */
        WEFT_TRY(build_own_routing(network, set, arena, traffic_class, err));
        traffic_class->entry_vcs = (uint16_t)(1u << level.vl);
        return WEFT_OK;
    }
    if (maps && !level.said)
        return build_own_routing(network, set, arena, traffic_class, err);
    traffic_class->routing = (weft_routing){.has_sl = maps, .sl = maps ? level.sl : 0};
    traffic_class->vc = maps ? 0 : level.vl;
    traffic_class->entry_vcs = (uint16_t)(1u << level.vl);
    weft_status status = build_routing(network, ref, maps ? network->vcs : 1, arena,
                                       &traffic_class->routing, maps ? err : &why);
    if (maps || status == WEFT_OK)
        return status;
    return weft_fail(
        err, WEFT_BAD_INPUT,
        "traffic.%s: packets of service level %u travel on one virtual channel, VL %u, "
        "which routing %s does not do here (%.2000s): use a routing that needs one, "
        "such as up-down or tables",
        set->name, level.sl, level.vl, ref.kind->name, why.text);
}

/* Routings speak of the scenario's settings where those of a class may be meant. */
static void name_own_settings(const weft_class_settings *set, weft_error *err)
{
    static const char routing[] = "routing.", vcs[] = "router.vcs must be ";
    weft_error said = *err;
    if (set->routing.kind && strncmp(said.text, routing, sizeof routing - 1) == 0)
        (void)weft_fail(err, WEFT_BAD_INPUT, "traffic.%s.%.3000s", set->name, said.text);
    else if (set->vcs.count > 0 && strncmp(said.text, vcs, sizeof vcs - 1) == 0)
        (void)weft_fail(err, WEFT_BAD_INPUT, "traffic.%s.vcs must name %.3000s", set->name,
                        said.text + sizeof vcs - 1);
}

static uint32_t longest(const weft_length *length)
{
    const weft_length_kind *kind = length->kind;
    bool told = kind->most != NULL;
    return told ? kind->most(length) : WEFT_FLITS_MAX;
}

/* On the routes of its routing, where those are not minimal. */
static void find_hops(weft_traffic_class *traffic_class)
{
    const weft_routing *routing = &traffic_class->routing;
    const weft_routing_proof *proof = &routing->kind->proof;
    const weft_pattern *pattern = &traffic_class->traffic.pattern;
    if (proof->path_length && !(proof->mean_hops && weft_pattern_endpoints_uniform(pattern)))
        traffic_class->mean_hops = weft_pattern_endpoints_hops(pattern, routing);
    else if (proof->mean_hops)
        traffic_class->mean_hops = proof->mean_hops(routing, traffic_class->minimal_hops);
}

/* Measured flows keep their length: none is cut off at the longest message. Messages of jobs, whose
 * lengths no setting gives, are looked at with their MTU. */
static weft_status check_longest(const weft_length *length, const char *name, weft_error *err)
{
    double flits = longest(length), flit = length->flit_bytes;
    if (length->kind->base.foreign || !length->kind->base.params || flits <= WEFT_FLITS_MAX)
        return WEFT_OK;
    for (double parts = flits; parts > WEFT_FLITS_MAX; parts /= 2)
        flit *= 2;
    return weft_fail(err, WEFT_BAD_INPUT,
                     "traffic.%s.length: the longest messages have %.0f flits, at most %u are "
                     "possible: use longer flits, such as links.flit: %g B, or a smaller scale",
                     name, flits, WEFT_FLITS_MAX, flit);
}

/* Pattern and length, whatever the rate. */
static weft_status build_messages(weft_network *network, const weft_class_settings *set,
                                  weft_traffic_class *traffic_class, weft_arena *arena,
                                  weft_error *err)
{
    weft_pattern *pattern = &traffic_class->traffic.pattern;
    weft_length *length = &traffic_class->traffic.length;
    pattern->kind = (const weft_pattern_kind *)(const void *)set->pattern.kind;
    pattern->self = weft_arena_take(arena, set->pattern.kind->instance_size);
    pattern->topology = &network->topology;
    WEFT_TRY(weft_pattern_endpoints_check(pattern, err));
    WEFT_TRY(pattern->kind->build(pattern, set->pattern.settings, err));
    network->n_traffic_classes++; /* from here on weft_network_done is its owner */
    if (pattern->kind->base.foreign)
        WEFT_TRY(weft_contract_pattern(pattern, err));
    weft_pattern_endpoints pattern_endpoints = weft_pattern_endpoints_find(pattern);
    traffic_class->senders = pattern_endpoints.senders;
    if (traffic_class->senders == 0)
        return weft_fail(err, WEFT_BAD_INPUT, "no endpoint sends anything under pattern %s",
                         set->pattern.kind->name);
    *length = (weft_length){.kind = (const weft_length_kind *)(const void *)set->length.kind,
                            .settings = set->length.settings,
                            .flit_bytes = network->scenario->links.flit.value};
    if (length->kind->base.foreign)
        WEFT_TRY(weft_contract_length(length, err));
    WEFT_TRY(check_longest(length, set->name, err));
    WEFT_TRY(weft_wire_length_build(length, network->scenario, arena, err));
    traffic_class->mean_flits = length->kind->mean(length);
    traffic_class->most_flits = longest(length);
    traffic_class->mean_hops = traffic_class->minimal_hops = pattern_endpoints.mean_hops;
    traffic_class->traffic.weighted = pattern->kind->weight != NULL;
    find_hops(traffic_class);
    return WEFT_OK;
}

static weft_status build_pacing(const weft_network *network, const weft_class_settings *set,
                                weft_traffic_class *traffic_class, weft_arena *arena,
                                weft_error *err)
{
    const weft_scenario *scenario = network->scenario;
    double longest = weft_wire_packet(scenario);
    weft_pacing_packet packet = {.flits = traffic_class->mean_flits,
                                 .most_flits = traffic_class->most_flits,
                                 .flit_bytes = scenario->links.flit.value};
    packet.flits = packet.flits < longest ? packet.flits : longest;
    packet.most_flits = packet.most_flits < longest ? packet.most_flits : longest;
    return weft_pacing_build(&traffic_class->pacing, set, &network->timing, packet, arena, err);
}

/* A dedicated bandwidth is that of the class unless it says how much. */
static weft_status build_promise(const weft_network *network, const weft_class_settings *set,
                                 weft_traffic_class *traffic_class, weft_error *err)
{
    weft_promise *promise = &traffic_class->promise;
    bool dedicated = set->service == WEFT_SERVICE_DBTS || set->service == WEFT_SERVICE_DB;
    double part = set->guarantee >= 0 ? set->guarantee : dedicated ? WEFT_DEDICATED : 0;
    if (set->deadline.unit != WEFT_NO_TIME)
        promise->deadline = weft_timing_span(&network->timing, set->deadline);
    else if (set->service == WEFT_SERVICE_DBTS)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "service dbts is time sensitive: give the class a deadline, such as "
                         "deadline: 500 cycles");
    promise->flits =
        part * traffic_class->per_tick * traffic_class->mean_flits * traffic_class->senders;
    traffic_class->promised =
        set->service != WEFT_SERVICE_NONE || promise->deadline > 0 || part > 0;
    return WEFT_OK;
}

static weft_status build_traffic_class(weft_network *network, const weft_class_settings *set,
                                       weft_arena *arena, weft_error *err)
{
    uint32_t number = network->n_traffic_classes;
    weft_traffic_class *traffic_class = &network->traffic_classes[number];
    const char *path = weft_arena_format(arena, "traffic.%s.routing", set->name);
    traffic_class->name = set->name;
    weft_service_level level;
    weft_status status = weft_service_level_find(network->scenario, set, network->vcs, &level, err);
    if (status == WEFT_OK && level.given)
        status = build_level_routing(network, set, level, arena, traffic_class, err);
    else if (status == WEFT_OK)
        status = build_own_routing(network, set, arena, traffic_class, err);
    if (status != WEFT_OK)
        name_own_settings(set, err);
    WEFT_TRY(weft_scenario_locate(network->scenario, path, status, err));
    status = build_messages(network, set, traffic_class, arena, err);
    if (status == WEFT_OK)
        status = weft_offered_load_build(network, set, traffic_class, err);
    if (status == WEFT_OK)
        status = build_pacing(network, set, traffic_class, arena, err);
    if (status == WEFT_OK)
        status = build_promise(network, set, traffic_class, err);
    path = weft_arena_format(arena, "traffic.%s", set->name);
    WEFT_TRY(weft_scenario_locate(network->scenario, path, status, err));
    traffic_class->workload =
        (weft_workload){.kind = &weft_workload_open_loop,
                        .self = &traffic_class->traffic,
                        .seed = network->seed,
                        .number = number,
                        .backlog = (uint64_t)network->scenario->endpoint.backlog};
    return WEFT_OK;
}

/* The messages of all jobs are one class more. */
static weft_status build_jobs(weft_network *network, weft_arena *arena, weft_error *err)
{
    const weft_scenario *scenario = network->scenario;
    WEFT_TRY(weft_job_set_build(scenario, &network->topology, &network->timing, network->seed,
                                arena, &network->jobs, err));
    if (!network->jobs)
        return WEFT_OK;
    weft_class_settings set = weft_job_set_class(network->jobs, &scenario->host);
    weft_traffic_class *traffic_class = &network->traffic_classes[network->n_traffic_classes];
    traffic_class->bandwidth = (double)network->endpoints * network->ports;
    WEFT_TRY(build_traffic_class(network, &set, arena, err));
    traffic_class->workload.kind = &weft_workload_program;
    traffic_class->workload.self = network->jobs;
    traffic_class->workload.backlog = 0;
    traffic_class->most_flits = network->jobs->most_flits;
    return WEFT_OK;
}

/* Who sends and who receives in a class. */
static weft_status read_pattern_endpoints(weft_network *network, const weft_class_settings *set,
                                          weft_arena *arena, weft_pattern *pattern, weft_error *err)
{
    const weft_topology *topology = &network->topology;
    const char *from = weft_arena_format(arena, "traffic.%s.from", set->name);
    const char *to = weft_arena_format(arena, "traffic.%s.to", set->name);
    WEFT_TRY(weft_hosts_read(&set->from, topology, from, arena, &pattern->from, err));
    if (set->to.count == 1 && strcmp(set->to.at[0].text, "from") == 0)
        pattern->to = pattern->from;
    else
        WEFT_TRY(weft_hosts_read(&set->to, topology, to, arena, &pattern->to, err));
    if (weft_host_set_same(pattern->from, pattern->to))
        pattern->to = pattern->from;
    return WEFT_OK;
}

/* The same of all classes, and what those can send. */
static weft_status build_pattern_endpoints(weft_network *network, weft_arena *arena,
                                           weft_error *err)
{
    const weft_scenario *scenario = network->scenario;
    const weft_host_set *from[WEFT_CLASSES_MAX + 1], *to[WEFT_CLASSES_MAX + 1];
    uint32_t count = (uint32_t)scenario->n_traffic, endpoints = network->endpoints;
    for (uint32_t i = 0; i < count; i++) {
        const weft_class_settings *set = &scenario->traffic[i];
        weft_traffic_class *traffic_class = &network->traffic_classes[i];
        weft_pattern *pattern = &traffic_class->traffic.pattern;
        weft_status status = read_pattern_endpoints(network, set, arena, pattern, err);
        const char *path = weft_arena_format(arena, "traffic.%s", set->name);
        WEFT_TRY(weft_scenario_locate(scenario, path, status, err));
        from[i] = pattern->from;
        to[i] = pattern->to;
        traffic_class->bandwidth = (double)(from[i] ? from[i]->count : endpoints) * network->ports;
    }
    if (scenario->n_jobs > 0)
        from[count] = to[count] = NULL;
    count += scenario->n_jobs > 0;
    network->sending = weft_host_set_union(from, count, endpoints);
    network->receiving = weft_host_set_union(to, count, endpoints);
    network->bandwidth = (double)network->sending * network->ports;
    return WEFT_OK;
}

static weft_status build_traffic(weft_network *network, weft_arena *arena, weft_error *err)
{
    const weft_scenario *scenario = network->scenario;
    double messages = 0, hops = 0, flits = 0;
    if (scenario->n_traffic + (scenario->n_jobs > 0) > WEFT_CLASSES_MAX)
        return weft_scenario_locate(scenario, "traffic",
                                    weft_fail(err, WEFT_BAD_INPUT,
                                              "at most %d traffic classes, found %zu%s",
                                              WEFT_CLASSES_MAX, scenario->n_traffic,
                                              scenario->n_jobs ? " and that of the jobs" : ""),
                                    err);
    network->ports = scenario->endpoint.ports > 0 ? (uint32_t)scenario->endpoint.ports : 1;
    WEFT_TRY(build_pattern_endpoints(network, arena, err));
    for (size_t i = 0; i < scenario->n_traffic; i++)
        WEFT_TRY(build_traffic_class(network, &scenario->traffic[i], arena, err));
    WEFT_TRY(build_jobs(network, arena, err));
    for (size_t i = 0; i < network->n_traffic_classes; i++) {
        const weft_traffic_class *traffic_class = &network->traffic_classes[i];
        double share = traffic_class->per_tick * traffic_class->senders;
        messages += share;
        hops += share * traffic_class->mean_hops;
        flits += share * traffic_class->mean_flits;
        double part = traffic_class->bandwidth / network->bandwidth; /* of the network's */
        network->load += traffic_class->load * part;
        network->rho += traffic_class->rho;
        network->rate += traffic_class->rate * part;
    }
    network->mean_hops = hops / messages;
    network->mean_flits = flits / messages;
    return WEFT_OK;
}

/* What is down; nothing but the topology is there yet. */
static weft_status build_faults(weft_network *network, weft_arena *arena, weft_error *err)
{
    const weft_scenario *scenario = network->scenario;
    const weft_carriage *carriage = carriage_of(network);
    weft_status status = weft_faults_find(&network->topology, &scenario->faults, arena,
                                          &network->topology.faults, err);
    if (status == WEFT_OK && network->topology.faults && !carriage->handles_faults)
        status = weft_fail(err, WEFT_BAD_INPUT,
                           "router %s knows no faults: use router output-queued or input-queued",
                           carriage->base.name);
    network->faults_at = weft_timing_ticks(&network->timing, scenario->faults.at);
    return weft_scenario_locate(scenario, "faults", status, err);
}

static weft_status check_faults(const weft_network *network, weft_error *err)
{
    weft_status status = WEFT_OK;
    for (uint32_t f = 0; f < network->n_traffic_classes && status == WEFT_OK; f++)
        status = weft_faults_check(&network->traffic_classes[f].routing, err);
    return weft_scenario_locate(network->scenario, "faults", status, err);
}

static weft_status check_link_series(const weft_network *network, weft_error *err)
{
    const weft_measure *measure = &network->scenario->measure;
    const char *missing = measure->series.unit == WEFT_NO_TIME
                              ? "measure.series, the width of a bin, such as series: 10 us"
                          : measure->links == WEFT_LINKS_OFF
                              ? "the loads of links, and measure.links is off"
                              : NULL;
    if (!measure->link_series || !missing)
        return WEFT_OK;
    return weft_scenario_locate(
        network->scenario, "measure.link-series",
        weft_fail(err, WEFT_BAD_INPUT, "measure.link-series needs %s", missing), err);
}

static weft_status build_on_topology(weft_network *network, weft_arena *arena, weft_error *err)
{
    const weft_scenario *scenario = network->scenario;
    WEFT_TRY(build_faults(network, arena, err));
    build_capacity(network);
    weft_status status =
        build_routing(network, scenario->routing, network->vcs, arena, &network->routing, err);
    WEFT_TRY(weft_scenario_locate(scenario, "routing", status, err));
    WEFT_TRY(build_traffic(network, arena, err));
    WEFT_TRY(weft_rated_build(network, arena, err));
    WEFT_TRY(check_link_series(network, err));
    return check_faults(network, err);
}

/* What a flit takes on every link. */
static weft_status build_links(weft_network *network, weft_arena *arena, weft_error *err)
{
    weft_single_links *single = WEFT_TAKE(arena, weft_single_links, 1);
    weft_status status =
        weft_single_links_find(single, &network->topology, network->scenario, arena, err);
    if (status == WEFT_OK)
        status = weft_timing_build(&network->timing, network->scenario, single, err);
    network->rate_unit = network->timing.tick_ps > 0 ? "messages/s" : "messages/cycle";
    return weft_scenario_locate(network->scenario, "links", status, err);
}

weft_status weft_network_build(weft_network *network, const weft_scenario *scenario,
                               weft_arena *arena, weft_error *err)
{
    memset(network, 0, sizeof *network);
    network->scenario = scenario;
    network->seed = scenario->point_seed;
    network->vcs = weft_scenario_vcs(scenario);
    WEFT_TRY(weft_scenario_locate(scenario, "router.sl2vl",
                                  weft_service_level_check(scenario, network->vcs, err), err));
    WEFT_TRY(build_topology(network, arena, err));
    weft_status status = build_links(network, arena, err);
    if (status == WEFT_OK)
        status = build_on_topology(network, arena, err);
    if (status != WEFT_OK)
        weft_network_done(network);
    return status;
}

weft_status weft_network_ready(const weft_network *network, bool dry, weft_error *err)
{
    const weft_topology *topology = &network->topology;
    weft_status status = WEFT_OK;
    if (topology->kind->build_tables)
        status = topology->kind->build_tables(topology, dry, err);
    WEFT_TRY(weft_scenario_locate(network->scenario, "topology", status, err));
    for (uint32_t f = 0; f < network->n_traffic_classes && status == WEFT_OK; f++) {
        const weft_routing *routing = &network->traffic_classes[f].routing;
        if (routing->kind->build_tables)
            status = routing->kind->build_tables(routing, dry, err);
    }
    return weft_scenario_locate(network->scenario, "routing", status, err);
}

bool weft_network_sees_all(const weft_network *network)
{
    bool any = false;
    for (uint32_t c = 0; c < network->n_traffic_classes; c++)
        any = any || network->traffic_classes[c].routing.sees_all;
    return any;
}

static void done_routing(weft_routing *routing)
{
    if (routing->self && routing->kind->done)
        routing->kind->done(routing);
    routing->self = NULL;
}

void weft_network_done(weft_network *network)
{
    for (uint32_t i = 0; i < WEFT_CLASSES_MAX; i++) /* one may have failed before it was counted */
        if (network->traffic_classes[i].routing.self != network->routing.self)
            done_routing(&network->traffic_classes[i].routing);
    done_routing(&network->routing);
    for (uint32_t i = 0; i < network->n_traffic_classes; i++)
        if (network->traffic_classes[i].traffic.pattern.kind->done)
            network->traffic_classes[i].traffic.pattern.kind->done(
                &network->traffic_classes[i].traffic.pattern);
    network->n_traffic_classes = 0;
    weft_job_set_done(network->jobs);
    network->jobs = NULL;
    if (network->topology.kind && network->topology.kind->done)
        network->topology.kind->done(&network->topology);
}
