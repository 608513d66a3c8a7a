/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/platform.h"

#include "net/jobs/job_programs.h"
#include "sim/ownership.h"

#include "base/memory.h"
#include "net/topology.h"
#include "net/wire_length.h"
#include "sim/assembly.h"
#include "sim/jobs/processes.h"
#include "sim/pace.h"
#include "sim/source.h"
#include "sim/watch/watch.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

_Static_assert(WEFT_WIRE_PACKET_MAX == (unsigned)WEFT_PACKET_MAX, "packets are cut too late");

#define PAGE_CYCLES_SHIFT 6 /* sources are looked at every 64 cycles */
#define HOPS_UNKNOWN      255u

static bool has_port(int porting, bool by_default)
{
    return porting == WEFT_PORT_DEFAULT ? by_default : porting == WEFT_PORT_ONE;
}

/* By default only routers without virtual channels let messages in without limit. */
static void init_endpoints(weft_platform *platform)
{
    const weft_timing *timing = &platform->network->timing;
    const weft_endpoint_settings *set = &platform->network->scenario->endpoint;
    platform->endpoint_ports = set->ports > 0 ? (uint32_t)set->ports : 1;
    platform->mtu = weft_wire_packet(platform->network->scenario);
    platform->send_delay = weft_timing_ticks(timing, set->delay);
    platform->bus_period = timing->bus_period;
    platform->bus_latency = weft_timing_ticks(timing, set->bus_latency);
    platform->dma = weft_timing_ticks(timing, set->dma);
    for (uint32_t f = 0; f < platform->network->n_traffic_classes; f++)
        platform->paced = platform->paced || platform->network->traffic_classes[f].pacing.law.kind;
    if (platform->paced) { /* nothing takes less than a tick */
        platform->pace_ticks = weft_pacing_ticks(timing);
        weft_time delay = weft_timing_ticks(timing, set->ack_delay);
        platform->ack_delay = delay > 1 ? delay : 1;
    }
    platform->paced = platform->paced || platform->network->n_rated > 0;
    platform->injection_port = has_port(set->injection, platform->network->vcs > 0);
    platform->reception_port = has_port(set->reception, true);
}

/* The most ports that a router has, as events name them. */
static uint32_t most_ports(const weft_platform *platform)
{
    const weft_topology *topology = &platform->network->topology;
    uint32_t most = 0;
    if (!platform->router->ends)
        return topology->ports;
    for (uint32_t r = 0; r < topology->routers; r = weft_topology_tier_end(topology, r)) {
        weft_tier tier = weft_topology_tier(topology, r);
        uint32_t ports = tier.ports + tier.concentration * platform->endpoint_ports;
        most = ports > most ? ports : most;
    }
    return most;
}

void weft_platform_init(weft_platform *platform, const weft_network *network)
{
    const weft_scenario *scenario = network->scenario;
    const weft_timing *timing = &network->timing;
    unsigned shift = PAGE_CYCLES_SHIFT;
    while (((weft_time)1 << (shift - PAGE_CYCLES_SHIFT)) < timing->cycle && shift < 40)
        shift++;
    *platform = (weft_platform){
        .network = network,
        .router = (const weft_router_kind *)(const void *)scenario->router.kind,
        .router_settings = scenario->router.settings,
        .flit = timing->flit,
        .latency = timing->latency,
        .host_latency = timing->host_latency,
        .period = timing->period,
        .wire = timing->wire,
        .count_links = scenario->measure.links != WEFT_LINKS_OFF,
        .devices = scenario->measure.devices,
        .fair = network->vcs > 0,
        .page_shift = shift,
    };
    init_endpoints(platform);
    platform->key = weft_event_key_for(most_ports(platform), network->topology.concentration);
}

/* Flits of the longest packet that the traffic can make, or more. */
static uint32_t longest_of(const weft_platform *platform)
{
    uint32_t most = 0;
    for (uint32_t f = 0; f < platform->network->n_traffic_classes; f++)
        most = platform->network->traffic_classes[f].most_flits > most
                   ? platform->network->traffic_classes[f].most_flits
                   : most;
    return most < platform->mtu ? most : platform->mtu;
}

static weft_status too_long(const weft_platform *platform, const char *what, weft_time ticks,
                            weft_error *err)
{
    const weft_timing *timing = &platform->network->timing;
    double unit = weft_timing_value(timing, 1);
    return weft_fail(err, WEFT_BAD_INPUT,
                     "%s takes %.6g %s, %lld ticks of %.6g %s; less than 2^30 (%.4g %s) can be "
                     "simulated: round rates and times, so that their greatest common divisor, the "
                     "tick, is longer",
                     what, unit * (double)ticks, weft_timing_unit(timing), (long long)ticks, unit,
                     weft_timing_unit(timing), unit * 0x1p30, weft_timing_unit(timing));
}

/* What gives the links of a class their latency, or their rate. */
static void name_links(uint32_t class, const char *what, char name[64])
{
    static const char *const classes[WEFT_LINK_CLASSES] = {
        [WEFT_LINK_LOCAL] = "",
        [WEFT_LINK_GLOBAL] = "global.",
        [WEFT_LINK_HOST] = "host.",
        [WEFT_LINK_REGIONAL] = "regional.",
    };
    if (class < WEFT_LINK_CLASSES)
        (void)snprintf(name, 64, "links.%s%s", classes[class], what);
    else
        (void)snprintf(name, 64, "links.where, or the file of the topology");
}

/* Routers keep ticks in 32 bits: no step from one to the next, and no packet, may take too many. */
static weft_status check_steps(const weft_platform *platform, weft_error *err)
{
    const struct {
        const char *what;
        weft_time ticks;
    } delays[] = {{"links.host.latency", platform->host_latency},
                  {"endpoint.delay", platform->send_delay},
                  {"endpoint.bus-latency", platform->bus_latency},
                  {"endpoint.dma", platform->dma},
                  {"endpoint.ack-delay", platform->ack_delay},
                  {"router: the way to the next router",
                   platform->network->topology.links ? platform->router->lookahead(platform) : 0}};
    for (size_t i = 0; i < sizeof delays / sizeof *delays; i++)
        if (delays[i].ticks >= WEFT_STEP_MAX)
            return too_long(platform, delays[i].what, delays[i].ticks, err);
    uint32_t flits = longest_of(platform);
    for (uint32_t c = 0; c < platform->network->timing.classes; c++) {
        weft_time packet = flits * platform->period[c];
        bool wire = platform->wire[c] >= WEFT_STEP_MAX;
        char links[64], what[128];
        if (!wire && packet < WEFT_STEP_MAX)
            continue;
        name_links(c, wire ? "latency" : "rate", links);
        (void)snprintf(what, sizeof what, "%s: %s", links, wire ? "a wire" : "the longest packet");
        return too_long(platform, what, wire ? platform->wire[c] : packet, err);
    }
    return WEFT_OK;
}

/* Packets count their cut-throughs: with numerous ports only so many. */
static weft_status check_hops(const weft_platform *platform, weft_error *err)
{
    const weft_topology *topology = &platform->network->topology;
    uint64_t hops = weft_platform_hops_max(platform->network), paths = 3 * (topology->routers - 1);
    hops = hops < paths ? hops : paths;
    if (platform->key.cut_bits == WEFT_KEY_CUT_BITS || hops <= platform->key.cuts)
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT,
                     "paths may have %llu hops; with routers of %u ports and %u endpoints at most "
                     "%u can be simulated: use fewer ports or a smaller network",
                     (unsigned long long)hops, most_ports(platform), topology->concentration,
                     platform->key.cuts);
}

/* Without a place in the scenario. */
static weft_status check(const weft_platform *platform, weft_error *err)
{
    const weft_router_kind *router = platform->router;
    const weft_endpoint_settings *set = &platform->network->scenario->endpoint;
    bool in = set->injection == WEFT_PORT_UNLIMITED, out = set->reception == WEFT_PORT_UNLIMITED;
    if (platform->network->vcs > 0 && (in || out))
        return weft_fail(err, WEFT_BAD_INPUT,
                         "endpoint.%s: unlimited is for routers without virtual channels; these "
                         "have endpoint.ports links to every endpoint: use one-port",
                         in ? "injection" : "reception");
    if (platform->network->vcs == 0 && set->scheduler.kind)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "endpoint.scheduler is for routers with virtual channels, found %s: use "
                         "input-queued",
                         router->carriage.base.name);
    if (platform->network->jobs && !router->programs)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "jobs do not run on routers of kind %s: use input-queued or output-queued",
                         router->carriage.base.name);
    if (platform->devices && !router->counting.n_counters)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "measure.devices: router %s counts nothing by devices: use input-queued "
                         "or output-queued, or off",
                         router->carriage.base.name);
    if (platform->network->scenario->measure.by == WEFT_BY_HISTORY &&
        platform->network->topology.concentration > WEFT_MARKED_HOSTS)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "measure.by history needs at most %d endpoints at a router, found %u: use "
                         "hops",
                         (int)WEFT_MARKED_HOSTS, platform->network->topology.concentration);
    if (platform->network->n_rated && !router->acknowledges)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "measure.rates: routers of kind %s do not count what flows send: use "
                         "input-queued",
                         router->carriage.base.name);
    if (platform->paced && !router->acknowledges)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "traffic: classes with a response need routers that send ACKs, found %s: "
                         "use input-queued",
                         router->carriage.base.name);
    for (uint32_t f = 0; f < platform->network->n_traffic_classes && !router->redraws; f++)
        if (weft_length_redraws(&platform->network->traffic_classes[f].traffic.length))
            return weft_fail(err, WEFT_BAD_INPUT,
                             "traffic.%s.length: lengths that are drawn anew at every hop need a "
                             "router that stores packets whole: use router shared-queue",
                             platform->network->traffic_classes[f].name);
    WEFT_TRY(check_steps(platform, err));
    WEFT_TRY(check_hops(platform, err));
    if (router->check)
        WEFT_TRY(router->check(platform, err));
    if (router->lookahead(platform) < 1)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "nothing between two routers takes time: give router.header or "
                         "links.latency at least one tick");
    return WEFT_OK;
}

weft_status weft_platform_check(const weft_platform *platform, weft_error *err)
{
    return weft_scenario_locate(platform->network->scenario, "router", check(platform, err), err);
}

int64_t weft_platform_bytes(const weft_platform *platform)
{
    return platform->router->estimate.bytes(platform) + weft_sources_bytes(platform) +
           2 * (int64_t)sizeof(int64_t) * weft_watch_words(platform);
}

/* The longest way of a routing, for statistics by hops: where nobody knows, those that are not
 * minimal, or level by level, are taken for three times as long at most. */
static uint32_t longest(const weft_routing *routing)
{
    if (routing->kind->proof.max_hops)
        return routing->kind->proof.max_hops(routing);
    uint32_t hops = routing->topology->routers > 1 ? weft_topology_farthest(routing->topology) : 1;
    if (!routing->kind->always_minimal || routing->topology->proof.hierarchical_minimal)
        hops = 3 * hops < HOPS_UNKNOWN ? 3 * hops : HOPS_UNKNOWN;
    return hops > 0 ? hops : HOPS_UNKNOWN;
}

uint32_t weft_platform_hops_max(const weft_network *network)
{
    uint32_t most = 0;
    for (uint32_t f = 0; f < network->n_traffic_classes; f++) {
        uint32_t hops = longest(&network->traffic_classes[f].routing);
        most = hops > most ? hops : most;
    }
    return most;
}

typedef struct opening {
    weft_instance *instance;
    weft_tally *tallies;
} opening;

static size_t snapshot_bytes(const weft_site *site)
{
    return sizeof *site->snapshots[0] * site->routers * site->platform->snapshot_words;
}

/* On the thread that will run it. */
static void open_site(void *user, uint32_t i)
{
    const opening *open = user;
    weft_instance *instance = open->instance;
    weft_site *site = &instance->sites[i];
    site->platform = &instance->platform;
    site->tally = site->tallies = open->tallies;
    site->box = weft_partition_box(&instance->partition, site->block);
    site->routers = site->box->routers;
    weft_sources_open(site);
    weft_assembly_open(site);
    weft_pace_open(site);
    weft_processes_open(site);
    instance->platform.router->open(site);
    for (uint32_t s = 0; s < 2 && instance->platform.snapshot_words > 0; s++)
        site->snapshots[s] = weft_region_create(snapshot_bytes(site));
    weft_sources_reset(site);
}

static void start_site(void *user, uint32_t i)
{
    weft_instance *instance = user;
    weft_site *site = &instance->sites[i];
    weft_block *block = weft_engine_block(instance->engine, i);
    weft_time now = weft_engine_now(instance->engine);
    weft_sources_start(site, block, now);
    weft_processes_start(site, block, now);
    if (instance->platform.router->start)
        instance->platform.router->start(site, block, now);
}

void weft_instance_start(weft_instance *instance)
{
    weft_team_each(instance->threads, instance->n_sites, start_site, instance);
}

static void open_engine(weft_instance *instance, const weft_instance_plan *plan)
{
    uint32_t sites = instance->n_sites, slots = instance->partition.slots;
    const weft_network *network = instance->platform.network;
    /* ranks of programs have no timers, so that idle stretches are skipped by pages of the wheel */
    bool timed = network->n_traffic_classes > (network->jobs ? 1 : 0);
    weft_block_plan *block = weft_alloc(sizeof *block * sites);
    uint32_t *neighbour = weft_alloc(sizeof *neighbour * sites * slots);
    for (uint32_t i = 0; i < sites; i++) {
        const weft_site *site = &instance->sites[i];
        uint32_t *mine = neighbour + (size_t)i * slots;
        for (uint32_t s = 0; s < slots; s++)
            mine[s] = weft_partition_neighbour(&instance->partition, site->block, s);
        block[i] = (weft_block_plan){.state = &instance->sites[i],
                                     .name = site->block,
                                     .entities = site->routers,
                                     .hot = site->hot,
                                     .hot_bytes = site->hot_bytes,
                                     .timers = timed ? site->sources : 0,
                                     .n_neighbours = slots,
                                     .neighbours = mine};
    }
    instance->engine = weft_engine_create(
        &(weft_engine_plan){.model = &instance->platform.router->model,
                            .n_blocks = sites,
                            .blocks = block,
                            .window = instance->platform.router->lookahead(&instance->platform),
                            .timer_shift = instance->platform.page_shift,
                            .threads = instance->threads,
                            .start = plan->start,
                            .comm = plan->comm,
                            .owner = instance->owner,
                            .timed = plan->timed,
                            .fixed = plan->fixed});
    free(block);
    free(neighbour);
}

/* Whose is which block, and the list of ours. */
static void deal(weft_instance *instance, const weft_instance_plan *plan)
{
    uint32_t blocks = instance->partition.blocks, ranks = weft_comm_size(plan->comm);
    uint32_t rank = weft_comm_rank(plan->comm);
    instance->owner = weft_alloc(sizeof *instance->owner * blocks);
    weft_rank_map_blocks(&instance->partition, ranks, plan->costs, instance->owner);
    for (uint32_t b = 0; b < blocks; b++)
        instance->n_sites += instance->owner[b] == rank;
    instance->sites = weft_region_create(sizeof *instance->sites * instance->n_sites);
    for (uint32_t b = 0, i = 0; b < blocks; b++)
        if (instance->owner[b] == rank) {
            weft_partition_open(&instance->partition, b);
            instance->sites[i++].block = b;
        }
}

static weft_status check_sight(const weft_network *network, const weft_instance_plan *plan,
                               weft_error *err)
{
    uint32_t ranks = weft_comm_size(plan->comm);
    if (ranks == 1 || !weft_network_sees_all(network))
        return WEFT_OK;
    weft_status status = weft_fail(
        err, WEFT_BAD_INPUT,
        "routing.information global looks at the queues of all routers, which one process "
        "has to run: found %u; run this point in one process, or use local",
        ranks);
    return weft_scenario_locate(network->scenario, "routing", status, err);
}

/* What was measured can be evened out only with blocks to move. One block where routers see each
 * other. */
static uint32_t choose_blocks(const weft_network *network, const weft_instance_plan *plan)
{
    const weft_topology *topology = &network->topology;
    if (weft_network_sees_all(network))
        return 1;
    uint32_t ranks = weft_comm_size(plan->comm), threads = plan->threads ? plan->threads : 1;
    uint32_t blocks = weft_ownership_blocks(topology, ranks, threads, plan->blocks);
    if (!plan->blocks && plan->costs && ranks > 1 && blocks < 8 * ranks)
        return weft_partition_fit(topology, 8 * ranks);
    return blocks;
}

/* Where a program is divided, its ranks stay where they were read. */
static weft_instance_plan bound_plan(const weft_network *network, const weft_instance_plan *plan)
{
    weft_instance_plan bound = *plan;
    const weft_job_part *part = network->scenario->part;
    if (!part || !weft_job_set_divided(network->jobs))
        return bound;
    bound.threads = part->threads;
    bound.blocks = part->blocks;
    bound.costs = NULL;
    return bound;
}

weft_status weft_instance_open(weft_instance *instance, const weft_network *network,
                               const weft_instance_plan *plan, weft_error *err)
{
    *instance = (weft_instance){.threads = plan->threads ? plan->threads : 1};
    weft_platform_init(&instance->platform, network);
    instance->platform.trace = plan->trace;
    instance->platform.slowest = plan->slowest;
    instance->platform.interval = plan->interval;
    WEFT_TRY(weft_platform_check(&instance->platform, err));
    WEFT_TRY(check_sight(network, plan, err));
    instance->platform.snapshot_words = weft_watch_words(&instance->platform);
    weft_instance_plan bound = bound_plan(network, plan);
    weft_partition_init(&instance->partition, &network->topology, choose_blocks(network, &bound));
    if (instance->platform.ack_delay > 0)
        weft_partition_join(&instance->partition);
    instance->platform.partition = &instance->partition;
    deal(instance, &bound);
    weft_team_each(instance->threads, instance->n_sites, open_site,
                   &(opening){.instance = instance, .tallies = plan->tallies});
    open_engine(instance, plan);
    return WEFT_OK;
}

void weft_instance_close(weft_instance *instance)
{
    for (uint32_t i = 0; i < instance->n_sites; i++) {
        weft_site *site = &instance->sites[i];
        instance->platform.router->close(site);
        weft_assembly_close(site);
        weft_pace_close(site);
        weft_processes_close(site);
        weft_sources_close(site);
        for (uint32_t s = 0; s < 2; s++)
            if (site->snapshots[s])
                weft_region_destroy(site->snapshots[s], snapshot_bytes(site));
    }
    weft_engine_destroy(instance->engine);
    weft_region_destroy(instance->sites, sizeof *instance->sites * instance->n_sites);
    weft_partition_done(&instance->partition);
    free(instance->owner);
}

weft_site *weft_instance_find(const weft_instance *instance, uint32_t router, uint32_t *local)
{
    weft_place place = weft_partition_place(&instance->partition, router);
    uint32_t low = 0, high = instance->n_sites;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (instance->sites[middle].block <= place.block)
            low = middle;
        else
            high = middle;
    }
    *local = place.local;
    return high > 0 && instance->sites[low].block == place.block ? &instance->sites[low] : NULL;
}

int64_t weft_instance_bytes(const weft_instance *instance)
{
    int64_t routers = 0, assemblies = 0;
    for (uint32_t i = 0; i < instance->n_sites; i++) {
        routers += instance->sites[i].routers;
        assemblies += weft_assembly_bytes(&instance->sites[i]);
        assemblies += weft_processes_bytes(&instance->sites[i]);
        if (instance->platform.router->counting.stored)
            assemblies += instance->platform.router->counting.stored(&instance->sites[i]);
    }
    return routers * weft_platform_bytes(&instance->platform) + assemblies;
}
