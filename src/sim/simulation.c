/* SPDX-License-Identifier: Apache-2.0 */
/* Building a simulation, taking it down, and what it tells about itself. */
#include "base/memory.h"
#include "sim/jobs/processes.h"
#include "sim/jobs/run_jobs.h"
#include "sim/interval.h"
#include "sim/run.h"
#include "sim/watch/linkbins.h"

#include <stdlib.h>

#define CROSSINGS 256

/* Ticks of so many crossings of the empty network: until then, growth is filling. */
static weft_time filling_time(const weft_simulation *simulation)
{
    const weft_network *network = simulation->network;
    const weft_platform *platform = &simulation->instance.platform;
    weft_buffering buffering;
    weft_buffering_look(&buffering, platform);
    double crossing =
        network->mean_flits * (double)platform->flit + network->mean_hops * (double)buffering.hop;
    return (weft_time)(CROSSINGS * crossing);
}

/* The tick from which on all traffic classes send. */
static weft_time last_start(const weft_network *network)
{
    weft_time last = 0;
    for (uint32_t f = 0; f < network->n_traffic_classes; f++)
        if (network->traffic_classes[f].traffic.start > last)
            last = network->traffic_classes[f].traffic.start;
    return last;
}

/* Jobs run to their end, unless the scenario says otherwise. */
static int64_t limit_packets(const weft_network *network)
{
    int64_t limit = network->scenario->measure.limit_packets;
    return limit == WEFT_NONE_INT || (network->jobs && limit == WEFT_LIMIT_PACKETS) ? 0 : limit;
}

static weft_goal goal(const weft_simulation *simulation)
{
    const weft_measure *measure = &simulation->network->scenario->measure;
    weft_time limit = weft_timing_span(&simulation->network->timing, measure->limit_time);
    weft_time warmup = weft_timing_ticks(&simulation->network->timing, measure->warmup);
    weft_time interval = simulation->interval;
    return (weft_goal){
        .watched = {.num = WEFT_COL_LATENCY, .den = WEFT_COL_DELIVERED},
        .confidence = measure->confidence,
        .half_width = simulation->options.half_width > 0 ? simulation->options.half_width
                                                         : measure->half_width,
        .arrived = WEFT_COL_GENERATED,
        .left = WEFT_COL_GONE,
        .limit_intervals = measure->limit_time.unit == WEFT_NO_TIME ? 0 : limit / interval,
        .limit_packets = limit_packets(simulation->network),
        .warmup_intervals = simulation->network->jobs ? 0
                            : measure->warmup.unit == WEFT_NO_TIME
                                ? -1
                                : (warmup + interval - 1) / interval,
        .growth_intervals = filling_time(simulation) / interval,
        .begin_intervals = last_start(simulation->network) / interval,
        .early = measure->early,
    };
}

static void open_statistics(weft_simulation *sim)
{
    const weft_network *network = sim->network;
    const weft_measure *measure = &network->scenario->measure;
    sim->tally = weft_alloc(sizeof *sim->tally * sim->threads);
    for (unsigned t = 0; t < sim->threads; t++)
        weft_tally_init(&sim->tally[t], network->n_traffic_classes, weft_platform_hops_max(network),
                        measure->by);
    for (unsigned t = 0; t < sim->threads; t++)
        for (uint32_t f = 0; f < network->n_traffic_classes; f++) {
            const weft_promise *promise = &network->traffic_classes[f].promise;
            weft_tally_promise(&sim->tally[t], f, (uint64_t)promise->deadline, promise->flits);
        }
    sim->interval = weft_interval_choose(network);
    uint32_t groups = weft_tally_groups(sim->tally), width = weft_tally_width(sim->tally);
    sim->series = weft_series_create(groups * width, groups);
    sim->row = weft_alloc(sizeof *sim->row * groups * width);
    sim->bins = weft_alloc(sizeof *sim->bins * groups);
    sim->population = weft_alloc(sizeof *sim->population * network->n_traffic_classes);
    if (measure->series.unit != WEFT_NO_TIME)
        sim->timebins.width = weft_timing_span(&network->timing, measure->series);
    weft_ratewatch_init(&sim->rates, network);
    weft_linkbins_open(&sim->linkbins, network);
    if (measure->hurst)
        sim->hurst = weft_alloc(sizeof *sim->hurst * groups);
}

weft_status weft_simulation_create(const weft_network *network,
                                   const weft_simulation_options *options,
                                   weft_simulation **simulation, weft_error *err)
{
    *simulation = NULL;
    WEFT_TRY(weft_network_ready(network, false, err));
    weft_simulation *sim = weft_alloc(sizeof *sim);
    sim->network = network;
    sim->options = *options;
    sim->comm = weft_comm_size(options->comm) > 1 ? options->comm : NULL;
    sim->threads = options->threads ? options->threads : 1;
    weft_platform_init(&sim->instance.platform, network);
    open_statistics(sim);
    weft_run_jobs_init(sim);
    weft_goal wanted = goal(sim);
    weft_control_init(&sim->control, &wanted);
    weft_status status = weft_simulation_instance(sim, err);
    if (status != WEFT_OK) {
        weft_simulation_destroy(sim);
        return status;
    }
    *simulation = sim;
    return WEFT_OK;
}

void weft_simulation_destroy(weft_simulation *simulation)
{
    if (!simulation)
        return;
    weft_timebins_done(&simulation->timebins);
    weft_ratewatch_done(&simulation->rates);
    weft_linkbins_done(&simulation->linkbins);
    if (simulation->instance.engine)
        weft_instance_close(&simulation->instance);
    for (unsigned t = 0; t < simulation->threads; t++)
        weft_tally_done(&simulation->tally[t]);
    free(simulation->tally);
    free(simulation->words);
    weft_series_destroy(simulation->series);
    free(simulation->row);
    free(simulation->bins);
    free(simulation->population);
    free(simulation->hurst);
    free(simulation->began);
    free(simulation->finish);
    free(simulation->repetition);
    free(simulation->cpu_spent);
    free(simulation->steps);
    if (simulation->timeline.count > 0)
        weft_rank_log_close(&simulation->timeline);
    free(simulation->waits.at);
    free(simulation->half);
    free(simulation->flows_before);
    free(simulation->flows);
    free(simulation->links.loads);
    for (int k = 0; k < 4; k++)
        free(simulation->devices.load[k]);
    free(simulation);
}

weft_census weft_simulation_census(const weft_simulation *simulation)
{
    return simulation->census;
}

const weft_series *weft_simulation_series(const weft_simulation *simulation)
{
    return simulation->series;
}

const weft_hurst *weft_simulation_hurst(const weft_simulation *simulation)
{
    return simulation->hurst;
}

const weft_control *weft_simulation_control(const weft_simulation *simulation)
{
    return &simulation->control;
}

const weft_tally *weft_simulation_tally(const weft_simulation *simulation)
{
    return simulation->tally;
}

weft_time weft_simulation_interval(const weft_simulation *simulation)
{
    return simulation->interval;
}

weft_time weft_simulation_now(const weft_simulation *simulation)
{
    return weft_engine_now(simulation->instance.engine);
}

const int64_t *weft_simulation_finish(const weft_simulation *simulation)
{
    return simulation->finish;
}

const int64_t *weft_simulation_spent(const weft_simulation *simulation)
{
    return simulation->cpu_spent;
}

const int64_t *weft_simulation_steps(const weft_simulation *simulation)
{
    return simulation->steps;
}

const weft_process_times *weft_simulation_flows(const weft_simulation *simulation)
{
    return simulation->flows;
}

const int64_t *weft_simulation_began(const weft_simulation *simulation)
{
    return simulation->began;
}

const int64_t *weft_simulation_repetition(const weft_simulation *simulation)
{
    return simulation->repetition;
}

const int64_t *weft_simulation_half(const weft_simulation *simulation)
{
    return simulation->half;
}

const weft_rank_log *weft_simulation_timeline(const weft_simulation *simulation)
{
    return simulation->timeline.count > 0 ? &simulation->timeline : NULL;
}

const weft_longest_waits *weft_simulation_waits(const weft_simulation *simulation)
{
    return &simulation->waits;
}

uint64_t weft_simulation_events(const weft_simulation *simulation)
{
    return weft_engine_events(simulation->instance.engine);
}

int64_t weft_simulation_bytes(const weft_simulation *simulation)
{
    return weft_engine_bytes(simulation->instance.engine) +
           weft_instance_bytes(&simulation->instance);
}

const weft_link_loads *weft_simulation_links(const weft_simulation *simulation)
{
    return &simulation->links;
}

const weft_device_loads *weft_simulation_devices(const weft_simulation *simulation)
{
    return &simulation->devices;
}

const weft_fairness *weft_simulation_fairness(const weft_simulation *simulation)
{
    return &simulation->fairness;
}

const weft_bins *weft_simulation_bins(const weft_simulation *simulation)
{
    return &simulation->timebins;
}

const weft_rate_bins *weft_simulation_rates(const weft_simulation *simulation)
{
    return &simulation->rates;
}

const weft_link_bins *weft_simulation_link_bins(const weft_simulation *simulation)
{
    return &simulation->linkbins;
}

weft_engine_times weft_simulation_times(const weft_simulation *simulation)
{
    return weft_engine_timing(simulation->instance.engine);
}
