/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints of a simulation, read (checkpoint_write.c has the format). A run goes on from the
 * newest checkpoint that every process finds whole; a damaged one is reported, and the one before
 * it is taken. A process takes the routers that are its own from the chunks of their boxes. */
#include "base/memory.h"
#include "kernel/checkpoint.h"
#include "sim/assembly.h"
#include "sim/jobs/processes.h"
#include "sim/jobs/run_jobs.h"
#include "sim/pace.h"
#include "sim/run.h"
#include "sim/source.h"
#include "sim/validate.h"
#include "sim/watch/linkbins.h"

#include <stdlib.h>
#include <string.h>

/* Reads one record of so many bytes, its length included. */
static void read_router(weft_instance *instance, weft_time now, size_t bytes, weft_unpack *from,
                        uint64_t *found)
{
    const weft_topology *topology = &instance->platform.network->topology;
    uint32_t router = weft_unpack_u32(from), local;
    weft_site *site =
        router < topology->routers ? weft_instance_find(instance, router, &local) : NULL;
    if (!site) {
        if (router >= topology->routers || !weft_unpack_bytes(from, bytes - 2 * sizeof router))
            weft_unpack_fail(from);
        return;
    }
    weft_sources_load(site, local, now, from);
    weft_assembly_load(site, local, from);
    weft_pace_load(site, local, from);
    weft_processes_load(site, local, now, from);
    instance->platform.router->checkpoint.load(site, local, now, from);
    size_t words = instance->platform.snapshot_words;
    for (uint32_t s = 0; s < 2; s++)
        for (size_t w = 0; w < words; w++)
            site->snapshots[s][local * words + w] = weft_unpack_count(from);
    ++*found;
}

static void read_routers(weft_instance *instance, weft_time now, weft_unpack *from, uint64_t *found)
{
    uint32_t routers = weft_unpack_u32(from);
    for (uint32_t i = 0; i < routers && !from->failed; i++) {
        const unsigned char *start = from->at;
        size_t left = weft_unpack_left(from), bytes = weft_unpack_u32(from);
        if (bytes < 2 * sizeof(uint32_t) || bytes > left) {
            weft_unpack_fail(from);
            return;
        }
        read_router(instance, now, bytes, from, found);
        if (from->at != start + bytes)
            weft_unpack_fail(from);
    }
}

/* Inputs of a router, or outputs of any router a packet may have come by. */
static weft_tier inputs_of(const weft_platform *platform, uint32_t router)
{
    const weft_topology *topology = &platform->network->topology;
    return platform->router->checkpoint.by_input
               ? weft_topology_tier(topology, router)
               : (weft_tier){.ports = topology->ports, .concentration = topology->concentration};
}

/* True if such a packet, or credit, may be on its way to this router. */
static bool is_valid(const weft_platform *platform, uint32_t router, const weft_event *event)
{
    const weft_network *network = platform->network;
    weft_tier tier = inputs_of(platform, router);
    uint32_t port = weft_event_port(platform->key, event), flits = weft_packet_flits(event);
    uint32_t vc = weft_packet_vc(event);
    bool inside = port < tier.ports + tier.concentration * platform->endpoint_ports;
    switch (weft_event_kind(event)) {
    case WEFT_CREDIT:
        return platform->router->checkpoint.credit && inside;
    case WEFT_ACK:
        return platform->paced && router < network->topology.edge_routers &&
               weft_ack_source(event) <
                   network->topology.concentration * network->n_traffic_classes;
    case WEFT_HEADER:
        inside = port < tier.ports;
        break;
    case WEFT_ENTER:
    case WEFT_DELIVER:
        break;
    case WEFT_DEPART:
        inside = port < tier.ports && !platform->router->counting.held;
        break;
    default:
        return false;
    }
    bool follows = weft_packet_follows(event);
    return inside && weft_packet_valid(platform, router, event) && flits <= platform->mtu &&
           (vc == 0 || vc < network->vcs + weft_network_managed(network)) &&
           (!follows || weft_platform_cuts(platform, weft_packet_traffic_class(event)));
}

static void read_event(weft_instance *instance, weft_time now, weft_unpack *from)
{
    const weft_network *network = instance->platform.network;
    uint32_t router = weft_unpack_u32(from), local = 0;
    weft_time at = weft_unpack_i64(from);
    weft_event read = {.key = weft_unpack_u32(from)};
    for (int i = 0; i < 5; i++)
        read.data[i] = weft_unpack_u32(from);
    weft_event plain = read;
    if (instance->platform.router->checkpoint.plain)
        instance->platform.router->checkpoint.plain(&instance->platform, &plain);
    if (from->failed || router >= network->topology.routers || at < now ||
        at - now >= WEFT_FAR_AHEAD || !is_valid(&instance->platform, router, &plain)) {
        weft_unpack_fail(from);
        return;
    }
    weft_site *site = weft_instance_find(instance, router, &local);
    if (!site)
        return;
    if (weft_event_kind(&read) == WEFT_CREDIT &&
        instance->platform.router->checkpoint.credit(site, local, &read, at, now, from))
        return;
    weft_event *event =
        weft_emit(weft_engine_block(instance->engine, (uint32_t)(site - instance->sites)), at);
    read.when = event->when;
    read.to = local;
    *event = read;
}

static weft_status read_chunk(weft_instance *instance, const weft_checkpoint *checkpoint, size_t c,
                              uint64_t *found, weft_error *err)
{
    weft_time now = weft_engine_now(instance->engine);
    void *data;
    WEFT_TRY(weft_checkpoint_read(checkpoint, c, &data, err));
    weft_unpack from = weft_unpack_of(data, checkpoint->chunks[c].bytes);
    read_routers(instance, now, &from, found);
    uint64_t events = weft_unpack_u64(&from);
    for (uint64_t i = 0; i < events && !from.failed; i++)
        read_event(instance, now, &from);
    bool whole = weft_unpack_end(&from);
    free(data);
    if (!whole)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "%s: checkpoint %llu does not fit this network (box %u)",
                         checkpoint->folder, (unsigned long long)checkpoint->generation,
                         checkpoint->chunks[c].box);
    return WEFT_OK;
}

/* Per box: true if a router of this process lies in it. */
static bool *list_boxes(const weft_instance *instance, const weft_partition *boxes)
{
    bool *ours = weft_alloc(sizeof *ours * boxes->blocks);
    for (uint32_t i = 0; i < instance->n_sites; i++)
        for (uint32_t local = 0; local < instance->sites[i].routers; local++) {
            uint32_t router =
                weft_partition_router(&instance->partition, instance->sites[i].block, local);
            ours[weft_partition_place(boxes, router).block] = true;
        }
    return ours;
}

/* The routers of this process, from chunks that any processes wrote, into an instance that has just
 * been opened. */
static weft_status read_instance(weft_instance *instance, const weft_checkpoint *checkpoint,
                                 weft_error *err)
{
    const weft_topology *topology = &instance->platform.network->topology;
    weft_partition boxes;
    weft_partition_init(&boxes, topology, weft_simulation_boxes(topology));
    bool *ours = list_boxes(instance, &boxes);
    uint64_t found = 0, wanted = 0;
    weft_status status = WEFT_OK;
    for (size_t c = 0; c < checkpoint->n_chunks && status == WEFT_OK; c++)
        if (checkpoint->chunks[c].box < boxes.blocks && ours[checkpoint->chunks[c].box])
            status = read_chunk(instance, checkpoint, c, &found, err);
    for (uint32_t i = 0; i < instance->n_sites; i++)
        wanted += instance->sites[i].routers;
    if (status == WEFT_OK && found != wanted)
        status = weft_fail(err, WEFT_BAD_INPUT,
                           "%s: checkpoint %llu holds %llu of the %llu routers looked for",
                           checkpoint->folder, (unsigned long long)checkpoint->generation,
                           (unsigned long long)found, (unsigned long long)wanted);
    free(ours);
    weft_partition_done(&boxes);
    return status;
}

/* The cost of each box so far. */
static void read_costs(const weft_checkpoint *checkpoint, weft_costs *costs)
{
    for (uint32_t b = 0; b < costs->boxes; b++)
        costs->cost[b] = 1; /* a box that never had an event still has to be visited */
    for (size_t c = 0; c < checkpoint->n_chunks; c++)
        if (checkpoint->chunks[c].box < costs->boxes)
            costs->cost[checkpoint->chunks[c].box] += checkpoint->chunks[c].cost;
}

/* Reads the head; *now is the tick of the checkpoint. */
static weft_status load_head(weft_simulation *simulation, const weft_checkpoint *checkpoint,
                             weft_time *now, weft_error *err)
{
    weft_arena arena;
    weft_arena_init(&arena);
    weft_unpack from = weft_unpack_of(checkpoint->head, checkpoint->head_bytes);
    uint32_t format = weft_unpack_u32(&from);
    const weft_scenario *scenario = simulation->network->scenario;
    const char *held = weft_unpack_text(&from, &arena);
    bool same = strcmp(held, scenario->identity) == 0;
    bool files = !same && strncmp(held, scenario->text, strlen(scenario->text)) == 0;
    same = weft_unpack_u64(&from) == simulation->network->seed && same;
    weft_arena_done(&arena);
    if (format != WEFT_SIMULATION_FORMAT || !same)
        return weft_fail(err, WEFT_BAD_INPUT, "%s: checkpoint %llu is of another %s",
                         checkpoint->folder, (unsigned long long)checkpoint->generation,
                         format != WEFT_SIMULATION_FORMAT ? "version of weft"
                         : files ? "content of a file that the scenario names"
                                 : "scenario");
    *now = weft_unpack_count(&from);
    bool fits = weft_unpack_i64(&from) == simulation->interval && *now > 0;
    simulation->spent = weft_unpack_double(&from);
    simulation->generated = weft_unpack_count(&from);
    simulation->delivered = weft_unpack_count(&from);
    simulation->made = weft_unpack_count(&from);
    simulation->received = weft_unpack_count(&from);
    simulation->hops = weft_unpack_count(&from);
    simulation->lost = weft_unpack_count(&from);
    simulation->waiting = weft_unpack_count(&from);
    simulation->snapshots.since[0] = weft_unpack_count(&from);
    simulation->snapshots.since[1] = weft_unpack_count(&from);
    simulation->snapshots.younger = weft_unpack_u32(&from);
    for (uint32_t f = 0; f < simulation->network->n_traffic_classes; f++)
        simulation->population[f] = weft_unpack_count(&from);
    for (uint32_t j = 0; simulation->began && j < simulation->network->jobs->n_jobs; j++)
        simulation->began[j] = weft_unpack_count(&from);
    for (size_t i = 0; i < simulation->n_steps; i++)
        simulation->steps[i] = weft_unpack_count(&from);
    weft_run_jobs_load(simulation, &from);
    weft_series_load(simulation->series, &from);
    weft_control_load(&simulation->control, &from);
    weft_timebins_load(&simulation->timebins, &from);
    weft_ratewatch_load(&simulation->rates, &from);
    weft_linkbins_load(&simulation->linkbins, &from);
    for (uint32_t g = 0; simulation->hurst && g < weft_tally_groups(simulation->tally); g++)
        weft_hurst_load(&simulation->hurst[g], &from);
    for (int s = 0; s < 2; s++) {
        weft_time since = simulation->snapshots.since[s];
        fits = fits && since >= 0 && since <= *now;
    }
    if (!fits || simulation->snapshots.younger > 1 || !weft_unpack_end(&from) ||
        *now % simulation->interval != 0 ||
        (uint64_t)(*now / simulation->interval) != weft_series_intervals(simulation->series))
        return weft_fail(err, WEFT_BAD_INPUT, "%s: the head of checkpoint %llu makes no sense",
                         checkpoint->folder, (unsigned long long)checkpoint->generation);
    return WEFT_OK;
}

static weft_status open_instance(weft_simulation *simulation, weft_time start,
                                 const weft_costs *costs, weft_error *err)
{
    weft_instance_plan plan = {.blocks = simulation->options.blocks,
                               .trace = simulation->options.trace,
                               .slowest = simulation->options.slowest,
                               .interval = simulation->interval,
                               .threads = simulation->threads,
                               .comm = simulation->comm,
                               .costs = costs,
                               .start = start,
                               .tallies = simulation->tally,
                               .timed = simulation->options.timed,
                               .fixed = simulation->options.fixed};
    WEFT_TRY(weft_instance_open(&simulation->instance, simulation->network, &plan, err));
    simulation->snapshots.instance = &simulation->instance;
    simulation->snapshots.fixed = simulation->control.goal.warmup_intervals;
    return WEFT_OK;
}

/* Undoes everything that was loaded. */
static void forget(weft_simulation *simulation)
{
    const weft_network *network = simulation->network;
    weft_goal goal = simulation->control.goal;
    uint32_t groups = weft_tally_groups(simulation->tally);
    uint32_t width = weft_tally_width(simulation->tally);
    weft_series_destroy(simulation->series);
    simulation->series = weft_series_create(groups * width, groups);
    weft_control_init(&simulation->control, &goal);
    weft_timebins_done(&simulation->timebins);
    weft_ratewatch_done(&simulation->rates);
    weft_ratewatch_init(&simulation->rates, network);
    if (network->scenario->measure.series.unit != WEFT_NO_TIME)
        simulation->timebins.width =
            weft_timing_span(&network->timing, network->scenario->measure.series);
    weft_linkbins_done(&simulation->linkbins);
    weft_linkbins_open(&simulation->linkbins, network);
    if (simulation->hurst)
        memset(simulation->hurst, 0, sizeof *simulation->hurst * groups);
    memset(simulation->population, 0, sizeof *simulation->population * network->n_traffic_classes);
    weft_run_jobs_init(simulation);
    simulation->spent = 0;
    simulation->generated = simulation->delivered = simulation->waiting = 0;
    simulation->made = simulation->received = simulation->hops = simulation->lost = 0;
    simulation->snapshots = (weft_snapshots){0};
    if (simulation->instance.engine)
        weft_instance_close(&simulation->instance);
    simulation->instance = (weft_instance){0};
}

/* Credits, of buffers on both ends of a link: one process alone sees both. */
static weft_status check_credits(const weft_simulation *simulation,
                                 const weft_checkpoint *checkpoint, weft_error *err)
{
    const weft_instance *instance = &simulation->instance;
    if (simulation->comm || !instance->platform.router->audit ||
        instance->platform.router->audit(instance))
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_INPUT, "%s: the credits of checkpoint %llu do not add up",
                     checkpoint->folder, (unsigned long long)checkpoint->generation);
}

/* Loads one generation; all processes agree whether it worked. */
static weft_status resume(weft_simulation *simulation, uint64_t generation, weft_error *err)
{
    weft_checkpoint *checkpoint = NULL;
    weft_time now = 0;
    weft_status status =
        weft_checkpoint_open(simulation->options.folder, generation, &checkpoint, err);
    if (status == WEFT_OK)
        status = load_head(simulation, checkpoint, &now, err);
    status = weft_comm_agree(simulation->comm, status, err);
    if (status == WEFT_OK) {
        weft_costs costs = {.boxes = weft_simulation_boxes(&simulation->network->topology)};
        costs.cost = weft_alloc(sizeof *costs.cost * costs.boxes);
        read_costs(checkpoint, &costs);
        status = open_instance(simulation, now, &costs, err);
        free(costs.cost);
        if (status == WEFT_OK)
            status = read_instance(&simulation->instance, checkpoint, err);
        if (status == WEFT_OK)
            status = check_credits(simulation, checkpoint, err);
        status = weft_comm_agree(simulation->comm, status, err);
    }
    weft_checkpoint_close(checkpoint);
    return status;
}

static void say(const weft_simulation *simulation, const char *text)
{
    if (simulation->options.notice && weft_simulation_leads(simulation))
        simulation->options.notice(simulation->options.user, text);
}

weft_status weft_simulation_instance(weft_simulation *simulation, weft_error *err)
{
    const char *folder = simulation->options.folder;
    uint64_t below = UINT64_MAX;
    while (folder) {
        uint64_t generation =
            weft_simulation_leads(simulation) ? weft_checkpoint_newest(folder, below) : 0;
        generation = weft_simulation_broadcast(simulation, generation);
        if (generation == 0)
            break;
        weft_error why, text;
        if (resume(simulation, generation, &why) == WEFT_OK) {
            simulation->resumed = generation;
            weft_instance_start(&simulation->instance);
            return WEFT_OK;
        }
        forget(simulation);
        simulation->passed_over = true;
        (void)weft_fail(&text, WEFT_OK, "%.3900s; going on from before it", why.text);
        say(simulation, text.text);
        below = generation;
    }
    WEFT_TRY(weft_comm_agree(simulation->comm, open_instance(simulation, 0, NULL, err), err));
    weft_instance_start(&simulation->instance);
    return WEFT_OK;
}
