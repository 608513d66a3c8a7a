/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/fabric.h"

#include "base/memory.h"
#include "net/traffic/common/size.h"
#include "sim/assembly.h"
#include "sim/source.h"
#include "sim/watch/devicewatch.h"

#include <assert.h>
#include <stdlib.h>

#define PAGE_CYCLES_SHIFT 6 /* sources are looked at every 64 cycles */
#define HOPS_UNKNOWN      255u

/* Flits of the longest packet. */
static uint32_t longest_packet(const weft_scenario *scenario)
{
    weft_size mtu = scenario->endpoint.mtu;
    uint32_t flits = mtu.unit == WEFT_NO_SIZE ? WEFT_PACKET_MAX
                                              : weft_size_within(mtu, scenario->links.flit.value);
    return flits < WEFT_PACKET_MAX ? flits : WEFT_PACKET_MAX;
}

static bool has_port(int porting, bool by_default)
{
    return porting == WEFT_PORT_DEFAULT ? by_default : porting == WEFT_PORT_ONE;
}

/* By default only routers without virtual channels let messages in without limit. */
static void init_endpoints(weft_fabric *fabric)
{
    const weft_timing *timing = &fabric->network->timing;
    const weft_endpoint_settings *set = &fabric->network->scenario->endpoint;
    fabric->endpoint_ports = set->ports > 0 ? (uint32_t)set->ports : 1;
    fabric->mtu = longest_packet(fabric->network->scenario);
    fabric->send_delay = weft_timing_ticks(timing, set->delay);
    fabric->bus_period = timing->bus_period;
    fabric->bus_latency = weft_timing_ticks(timing, set->bus_latency);
    fabric->dma = weft_timing_ticks(timing, set->dma);
    fabric->injection_port = has_port(set->injection, fabric->network->vcs > 0);
    fabric->reception_port = has_port(set->reception, true);
}

void weft_fabric_init(weft_fabric *fabric, const weft_network *network)
{
    const weft_scenario *scenario = network->scenario;
    const weft_timing *timing = &network->timing;
    unsigned shift = PAGE_CYCLES_SHIFT;
    while (((weft_time)1 << (shift - PAGE_CYCLES_SHIFT)) < timing->cycle && shift < 40)
        shift++;
    *fabric = (weft_fabric){
        .network = network,
        .router = (const weft_router_kind *)(const void *)scenario->router.kind,
        .router_settings = scenario->router.settings,
        .flit = timing->flit,
        .latency = timing->latency,
        .host_latency = timing->host_latency,
        .count_links = scenario->measure.links != WEFT_LINKS_OFF,
        .devices = scenario->measure.devices,
        .fair = network->vcs > 0,
        .page_shift = shift,
    };
    for (int c = 0; c < (int)WEFT_LINK_CLASSES; c++) {
        fabric->period[c] = timing->period[c];
        fabric->wire[c] = timing->wire[c];
    }
    init_endpoints(fabric);
}

/* Flits of the longest packet that the traffic can make, or more. */
static uint32_t longest_of(const weft_fabric *fabric)
{
    uint32_t most = 0;
    for (uint32_t f = 0; f < fabric->network->n_flows; f++)
        most = fabric->network->flows[f].most_flits > most ? fabric->network->flows[f].most_flits
                                                           : most;
    return most < fabric->mtu ? most : fabric->mtu;
}

static weft_status too_long(const weft_fabric *fabric, const char *what, weft_time ticks,
                            weft_error *err)
{
    const weft_timing *timing = &fabric->network->timing;
    double unit = weft_timing_value(timing, 1);
    return weft_fail(err, WEFT_BAD_INPUT,
                     "%s takes %.6g %s, %lld ticks of %.6g %s; less than 2^30 (%.4g %s) can be "
                     "simulated: round rates and times, so that their greatest common divisor, the "
                     "tick, is longer",
                     what, unit * (double)ticks, weft_timing_unit(timing), (long long)ticks, unit,
                     weft_timing_unit(timing), unit * 0x1p30, weft_timing_unit(timing));
}

/* Routers keep ticks in 32 bits: no step from one to the next, and no packet, may take too many. */
static weft_status check_steps(const weft_fabric *fabric, weft_error *err)
{
    const struct {
        const char *what;
        weft_time ticks;
    } delays[] = {{"links.host.latency", fabric->host_latency},
                  {"endpoint.delay", fabric->send_delay},
                  {"endpoint.bus-latency", fabric->bus_latency},
                  {"endpoint.dma", fabric->dma},
                  {"router: the way to the next router",
                   fabric->network->topology.links ? fabric->router->lookahead(fabric) : 0}};
    for (size_t i = 0; i < sizeof delays / sizeof *delays; i++)
        if (delays[i].ticks >= WEFT_STEP_MAX)
            return too_long(fabric, delays[i].what, delays[i].ticks, err);
    uint32_t flits = longest_of(fabric);
    for (int c = 0; c < (int)WEFT_LINK_CLASSES; c++) {
        weft_time packet = flits * fabric->period[c];
        if (fabric->wire[c] >= WEFT_STEP_MAX)
            return too_long(fabric, "links.latency: a wire", fabric->wire[c], err);
        if (packet >= WEFT_STEP_MAX)
            return too_long(fabric, "links.rate: the longest packet", packet, err);
    }
    return WEFT_OK;
}

/* Without a place in the scenario. */
static weft_status check(const weft_fabric *fabric, weft_error *err)
{
    const weft_router_kind *router = fabric->router;
    const weft_endpoint_settings *set = &fabric->network->scenario->endpoint;
    bool in = set->injection == WEFT_PORT_UNLIMITED, out = set->reception == WEFT_PORT_UNLIMITED;
    if (fabric->network->vcs > 0 && (in || out))
        return weft_fail(err, WEFT_BAD_INPUT,
                         "endpoint.%s: unlimited is for routers without virtual channels; these "
                         "have endpoint.ports links to every endpoint: use one-port",
                         in ? "injection" : "reception");
    if (fabric->devices && !router->gauges)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "measure.devices: router %s counts nothing by devices: use input-queued "
                         "or output-queued, or off",
                         router->carriage.base.name);
    if (fabric->network->scenario->measure.by == WEFT_BY_HISTORY &&
        fabric->network->topology.concentration > WEFT_MARKED_HOSTS)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "measure.by history needs at most %d endpoints at a router, found %u: use "
                         "hops",
                         (int)WEFT_MARKED_HOSTS, fabric->network->topology.concentration);
    for (uint32_t f = 0; f < fabric->network->n_flows && !router->redraws; f++)
        if (weft_length_redraws(&fabric->network->flows[f].traffic.length))
            return weft_fail(err, WEFT_BAD_INPUT,
                             "traffic.%s.length: lengths that are drawn anew at every hop need a "
                             "router that stores packets whole: use router shared-queue",
                             fabric->network->flows[f].name);
    WEFT_TRY(check_steps(fabric, err));
    if (router->check)
        WEFT_TRY(router->check(fabric, err));
    if (router->lookahead(fabric) < 1)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "nothing between two routers takes time: give router.header or "
                         "links.latency at least one tick");
    return WEFT_OK;
}

weft_status weft_fabric_check(const weft_fabric *fabric, weft_error *err)
{
    return weft_scenario_locate(fabric->network->scenario, "router", check(fabric, err), err);
}

int64_t weft_fabric_bytes(const weft_fabric *fabric)
{
    int64_t snapshot = fabric->count_links ? (int64_t)sizeof(int64_t) : 0;
    return fabric->router->bytes(fabric) + weft_sources_bytes(fabric) +
           snapshot * fabric->network->topology.ports +
           (int64_t)sizeof(int64_t) * weft_devicewatch_marks(fabric);
}

/* The farthest minimal distance; 0: not known. */
static uint32_t farthest(const weft_topology *topology)
{
    const weft_lattice *lattice = &topology->lattice;
    uint32_t hops = 0;
    if (topology->kind->diameter)
        return topology->kind->diameter(topology);
    for (uint32_t d = 0; d < lattice->dims; d++)
        hops += lattice->full ? 1 : lattice->wraps[d] ? lattice->size[d] / 2 : lattice->size[d] - 1;
    return hops;
}

/* The longest way of a routing, for statistics by hops: where nobody knows, those that are not
 * minimal are taken for three times as long at most. */
static uint32_t longest(const weft_routing *routing)
{
    if (routing->kind->max_hops)
        return routing->kind->max_hops(routing);
    uint32_t hops = farthest(routing->topology);
    if (!routing->kind->always_minimal)
        hops = 3 * hops < HOPS_UNKNOWN ? 3 * hops : HOPS_UNKNOWN;
    return hops > 0 ? hops : HOPS_UNKNOWN;
}

uint32_t weft_fabric_hops_max(const weft_network *network)
{
    uint32_t most = 0;
    for (uint32_t f = 0; f < network->n_flows; f++) {
        uint32_t hops = longest(&network->flows[f].routing);
        most = hops > most ? hops : most;
    }
    return most;
}

typedef struct opening {
    weft_plant *plant;
    weft_tally *tallies;
} opening;

/* On the thread that will run it. */
static void open_site(void *user, uint32_t i)
{
    const opening *open = user;
    weft_plant *plant = open->plant;
    weft_site *site = &plant->sites[i];
    site->fabric = &plant->fabric;
    site->tally = site->tallies = open->tallies;
    site->box = weft_partition_box(&plant->partition, site->block);
    site->routers = site->box->routers;
    weft_sources_open(site);
    weft_assembly_open(site);
    plant->fabric.router->open(site);
    if (plant->fabric.count_links)
        site->noted = weft_region_create(sizeof *site->noted * site->routers *
                                         plant->fabric.network->topology.ports);
    size_t marks = plant->fabric.marks;
    if (marks)
        site->marks = weft_region_create(sizeof *site->marks * site->routers * marks);
    weft_sources_reset(site);
}

static void start_site(void *user, uint32_t i)
{
    weft_plant *plant = user;
    weft_site *site = &plant->sites[i];
    weft_block *block = weft_engine_block(plant->engine, i);
    weft_time now = weft_engine_now(plant->engine);
    weft_sources_start(site, block, now);
    if (plant->fabric.router->start)
        plant->fabric.router->start(site, block, now);
}

void weft_plant_start(weft_plant *plant)
{
    weft_team_each(plant->threads, plant->n_sites, start_site, plant);
}

static void open_engine(weft_plant *plant, const weft_plant_plan *plan)
{
    uint32_t sites = plant->n_sites, slots = plant->partition.slots;
    weft_block_plan *block = weft_alloc(sizeof *block * sites);
    uint32_t *neighbour = weft_alloc(sizeof *neighbour * sites * slots);
    for (uint32_t i = 0; i < sites; i++) {
        const weft_site *site = &plant->sites[i];
        uint32_t *mine = neighbour + (size_t)i * slots;
        for (uint32_t s = 0; s < slots; s++)
            mine[s] = weft_partition_neighbour(&plant->partition, site->block, s);
        block[i] = (weft_block_plan){.state = &plant->sites[i],
                                     .name = site->block,
                                     .entities = site->routers,
                                     .hot = site->hot,
                                     .hot_bytes = site->hot_bytes,
                                     .timers = site->sources,
                                     .n_neighbours = slots,
                                     .neighbours = mine};
    }
    plant->engine = weft_engine_create(
        &(weft_engine_plan){.model = &plant->fabric.router->model,
                            .n_blocks = sites,
                            .blocks = block,
                            .window = plant->fabric.router->lookahead(&plant->fabric),
                            .timer_shift = plant->fabric.page_shift,
                            .threads = plant->threads,
                            .start = plan->start,
                            .crew = plan->crew,
                            .owner = plant->owner,
                            .timed = plan->timed,
                            .fixed = plan->fixed});
    free(block);
    free(neighbour);
}

/* Whose is which block, and the list of ours. */
static void deal(weft_plant *plant, const weft_plant_plan *plan)
{
    uint32_t blocks = plant->partition.blocks, ranks = weft_crew_size(plan->crew);
    uint32_t rank = weft_crew_rank(plan->crew);
    plant->owner = weft_alloc(sizeof *plant->owner * blocks);
    weft_deal_blocks(&plant->partition, ranks, plan->costs, plant->owner);
    for (uint32_t b = 0; b < blocks; b++)
        plant->n_sites += plant->owner[b] == rank;
    plant->sites = weft_region_create(sizeof *plant->sites * plant->n_sites);
    for (uint32_t b = 0, i = 0; b < blocks; b++)
        if (plant->owner[b] == rank) {
            weft_partition_open(&plant->partition, b);
            plant->sites[i++].block = b;
        }
}

/* What was measured can be evened out only with blocks to move. */
static uint32_t choose_blocks(const weft_topology *topology, const weft_plant_plan *plan)
{
    uint32_t ranks = weft_crew_size(plan->crew), threads = plan->threads ? plan->threads : 1;
    uint32_t blocks =
        plan->blocks ? plan->blocks : weft_partition_default(topology, ranks, threads);
    if (!plan->blocks && plan->costs && ranks > 1 && blocks < 8 * ranks)
        blocks = 8 * ranks;
    return weft_partition_fit(topology, blocks > ranks ? blocks : ranks);
}

weft_status weft_plant_open(weft_plant *plant, const weft_network *network,
                            const weft_plant_plan *plan, weft_error *err)
{
    *plant = (weft_plant){.threads = plan->threads ? plan->threads : 1};
    weft_fabric_init(&plant->fabric, network);
    plant->fabric.trace = plan->trace;
    plant->fabric.interval = plan->interval;
    WEFT_TRY(weft_fabric_check(&plant->fabric, err));
    plant->fabric.marks = weft_devicewatch_marks(&plant->fabric);
    weft_partition_init(&plant->partition, &network->topology,
                        choose_blocks(&network->topology, plan));
    plant->fabric.partition = &plant->partition;
    deal(plant, plan);
    weft_team_each(plant->threads, plant->n_sites, open_site,
                   &(opening){.plant = plant, .tallies = plan->tallies});
    open_engine(plant, plan);
    return WEFT_OK;
}

void weft_plant_close(weft_plant *plant)
{
    size_t link_bytes = sizeof(int64_t) * plant->fabric.network->topology.ports;
    for (uint32_t i = 0; i < plant->n_sites; i++) {
        weft_site *site = &plant->sites[i];
        plant->fabric.router->close(site);
        weft_assembly_close(site);
        weft_sources_close(site);
        if (site->noted)
            weft_region_destroy(site->noted, link_bytes * site->routers);
        if (site->marks)
            weft_region_destroy(site->marks,
                                sizeof *site->marks * site->routers * plant->fabric.marks);
    }
    weft_engine_destroy(plant->engine);
    weft_region_destroy(plant->sites, sizeof *plant->sites * plant->n_sites);
    weft_partition_done(&plant->partition);
    free(plant->owner);
}

weft_site *weft_plant_find(const weft_plant *plant, uint32_t router, uint32_t *local)
{
    weft_place place = weft_partition_place(&plant->partition, router);
    uint32_t low = 0, high = plant->n_sites;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (plant->sites[middle].block <= place.block)
            low = middle;
        else
            high = middle;
    }
    *local = place.local;
    return high > 0 && plant->sites[low].block == place.block ? &plant->sites[low] : NULL;
}

int64_t weft_plant_bytes(const weft_plant *plant)
{
    int64_t routers = 0, assemblies = 0;
    for (uint32_t i = 0; i < plant->n_sites; i++) {
        routers += plant->sites[i].routers;
        assemblies += weft_assembly_bytes(&plant->sites[i]);
        if (plant->fabric.router->stored)
            assemblies += plant->fabric.router->stored(&plant->sites[i]);
    }
    return routers * weft_fabric_bytes(&plant->fabric) + assemblies;
}
