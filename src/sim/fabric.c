/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/fabric.h"

#include "base/memory.h"
#include "sim/source.h"

#include <assert.h>
#include <stdlib.h>

#define PAGE_CYCLES_SHIFT 6 /* sources are looked at every 64 cycles */

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
        .injection_port = scenario->endpoint.injection == WEFT_PORT_ONE,
        .reception_port = scenario->endpoint.reception == WEFT_PORT_ONE,
        .count_links = scenario->measure.links != WEFT_LINKS_OFF,
        .page_shift = shift,
    };
}

int64_t weft_fabric_bytes(const weft_fabric *fabric)
{
    int64_t snapshot = fabric->count_links ? (int64_t)sizeof(int64_t) : 0;
    return fabric->router->bytes(fabric) + weft_sources_bytes(fabric) +
           snapshot * fabric->network->topology.ports;
}

/* The farthest minimal distance, for statistics by hops. */
uint32_t weft_fabric_hops_max(const weft_network *network)
{
    const weft_lattice *lattice = &network->topology.lattice;
    uint32_t hops = 0;
    for (uint32_t d = 0; d < lattice->dims; d++)
        hops += lattice->wraps[d] ? lattice->size[d] / 2 : lattice->size[d] - 1;
    return lattice->dims ? hops : 255;
}

static void open_site(weft_plant *plant, uint32_t block, weft_tally *tally)
{
    weft_site *site = &plant->site[block];
    *site = (weft_site){.fabric = &plant->fabric,
                        .tally = tally,
                        .box = weft_partition_box(&plant->partition, block),
                        .block = block};
    site->routers = site->box->routers;
    weft_sources_open(site);
    plant->fabric.router->open(site);
}

static void open_engine(weft_plant *plant)
{
    uint32_t blocks = plant->partition.blocks, slots = plant->partition.slots;
    weft_block_plan *plan = weft_alloc(sizeof *plan * blocks);
    uint32_t *neighbour = weft_alloc(sizeof *neighbour * blocks * slots);
    for (uint32_t b = 0; b < blocks; b++) {
        uint32_t *mine = neighbour + (size_t)b * slots;
        for (uint32_t s = 0; s < slots; s++)
            mine[s] = weft_partition_neighbour(&plant->partition, b, s);
        plan[b] = (weft_block_plan){.state = &plant->site[b],
                                    .entities = plant->site[b].routers,
                                    .hot = plant->site[b].hot,
                                    .hot_bytes = plant->site[b].hot_bytes,
                                    .timers = plant->site[b].sources,
                                    .neighbours = slots,
                                    .neighbour = mine};
    }
    plant->engine = weft_engine_create(
        &(weft_engine_plan){.model = &plant->fabric.router->model,
                            .blocks = blocks,
                            .block = plan,
                            .window = plant->fabric.router->lookahead(&plant->fabric),
                            .timer_shift = plant->fabric.page_shift});
    free(plan);
    free(neighbour);
}

weft_status weft_plant_open(weft_plant *plant, const weft_network *network, uint32_t blocks,
                            weft_tally *tally, weft_error *err)
{
    *plant = (weft_plant){0};
    weft_fabric_init(&plant->fabric, network);
    if (plant->fabric.router->lookahead(&plant->fabric) < 1)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "nothing between two routers takes time: give router.header or "
                         "links.latency at least one tick");
    const weft_topology *topology = &network->topology;
    weft_partition_init(&plant->partition, topology,
                        blocks ? blocks : weft_partition_default(topology, 1));
    plant->fabric.partition = &plant->partition;
    plant->site = weft_region_create(sizeof *plant->site * plant->partition.blocks);
    for (uint32_t b = 0; b < plant->partition.blocks; b++)
        open_site(plant, b, tally);
    open_engine(plant);
    for (uint32_t b = 0; b < plant->partition.blocks; b++)
        weft_sources_start(&plant->site[b], weft_engine_block(plant->engine, b));
    return WEFT_OK;
}

void weft_plant_close(weft_plant *plant)
{
    for (uint32_t b = 0; b < plant->partition.blocks; b++) {
        plant->fabric.router->close(&plant->site[b]);
        weft_sources_close(&plant->site[b]);
    }
    weft_engine_destroy(plant->engine);
    weft_region_destroy(plant->site, sizeof *plant->site * plant->partition.blocks);
    weft_partition_done(&plant->partition);
}

int64_t weft_plant_count(weft_plant *plant, weft_time now)
{
    int64_t waiting = 0;
    for (uint32_t b = 0; b < plant->partition.blocks; b++)
        waiting += weft_sources_count(&plant->site[b], now);
    return waiting;
}

int64_t weft_plant_bytes_per_router(const weft_plant *plant)
{
    return weft_fabric_bytes(&plant->fabric);
}
