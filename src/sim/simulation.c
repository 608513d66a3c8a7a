/* SPDX-License-Identifier: Apache-2.0 */
/* The run: interval after interval, each time all blocks have reached the same tick, the threads'
 * tallies become one row of the series and the control decides. Nothing is decided anywhere else. */
#include "sim/simulation.h"

#include "base/memory.h"
#include "sim/fabric.h"
#include "sim/interval.h"
#include "sim/linkwatch.h"
#include "sim/timebins.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

#define CROSSINGS 256

struct weft_simulation {
    const weft_network *network;
    weft_simulation_options options;
    weft_plant plant; /* fabric, sites, engine */
    weft_tally tally;
    weft_time interval;
    weft_series *series;
    weft_control control;
    weft_i128 *row;
    weft_histogram *bins;
    int64_t *population; /* per flow, at the end of the last interval */
    int64_t waiting;     /* messages of which no packet exists yet */
    int64_t generated, delivered, hops;
    weft_linkwatch links;
    weft_bins timebins;
};

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Ticks of so many crossings of the empty network: until then, growth is filling. */
static weft_time filling_time(const weft_simulation *simulation)
{
    const weft_network *network = simulation->network;
    const weft_fabric *fabric = &simulation->plant.fabric;
    double hop = (double)fabric->router->lookahead(fabric);
    double crossing = network->mean_flits * (double)fabric->flit + network->mean_hops * hop;
    return (weft_time)(CROSSINGS * crossing);
}

static weft_goal goal(const weft_simulation *simulation)
{
    const weft_measure *measure = &simulation->network->scenario->measure;
    weft_time limit = weft_timing_ticks(&simulation->network->timing, measure->limit_time);
    weft_time warmup = weft_timing_ticks(&simulation->network->timing, measure->warmup);
    weft_time interval = simulation->interval;
    return (weft_goal){
        .watched = {.num = WEFT_COL_LATENCY, .den = WEFT_COL_DELIVERED},
        .confidence = measure->confidence,
        .half_width = simulation->options.half_width > 0 ? simulation->options.half_width
                                                         : measure->half_width,
        .arrived = WEFT_COL_GENERATED,
        .left = WEFT_COL_DELIVERED,
        .limit_intervals = measure->limit_time.unit == WEFT_NO_TIME ? 0 : limit / interval,
        .limit_packets = measure->limit_packets == WEFT_NONE_INT ? 0 : measure->limit_packets,
        .warmup_intervals =
            measure->warmup.unit == WEFT_NO_TIME ? -1 : (warmup + interval - 1) / interval,
        .growth_intervals = filling_time(simulation) / interval,
    };
}

weft_status weft_simulation_create(const weft_network *network,
                                   const weft_simulation_options *options,
                                   weft_simulation **simulation, weft_error *err)
{
    const weft_measure *measure = &network->scenario->measure;
    *simulation = NULL;
    weft_simulation *sim = weft_alloc(sizeof *sim);
    sim->network = network;
    sim->options = *options;
    weft_tally_init(&sim->tally, network->flows, weft_fabric_hops_max(network),
                    measure->by == WEFT_BY_HOPS);
    weft_status status = weft_plant_open(&sim->plant, network, options->blocks, &sim->tally, err);
    if (status != WEFT_OK) {
        weft_tally_done(&sim->tally);
        free(sim);
        return status;
    }
    sim->interval = weft_interval_choose(network);
    uint32_t groups = weft_tally_groups(&sim->tally), width = weft_tally_width(&sim->tally);
    sim->series = weft_series_create(groups * width, groups);
    sim->row = weft_alloc(sizeof *sim->row * groups * width);
    sim->bins = weft_alloc(sizeof *sim->bins * groups);
    sim->population = weft_alloc(sizeof *sim->population * network->flows);
    weft_goal wanted = goal(sim);
    weft_control_init(&sim->control, &wanted);
    if (measure->links != WEFT_LINKS_OFF)
        weft_linkwatch_open(&sim->links, &sim->plant, wanted.warmup_intervals);
    if (measure->series.unit != WEFT_NO_TIME)
        sim->timebins.width = weft_timing_ticks(&network->timing, measure->series);
    *simulation = sim;
    return WEFT_OK;
}

void weft_simulation_destroy(weft_simulation *simulation)
{
    if (!simulation)
        return;
    weft_linkwatch_close(&simulation->links);
    weft_timebins_done(&simulation->timebins);
    weft_plant_close(&simulation->plant);
    weft_tally_done(&simulation->tally);
    weft_series_destroy(simulation->series);
    free(simulation->row);
    free(simulation->bins);
    free(simulation->population);
    free(simulation);
}

/* Runs one interval and appends its row. */
static void step(weft_simulation *simulation)
{
    weft_time start = weft_engine_now(simulation->plant.engine);
    weft_time end = start + simulation->interval;
    weft_linkwatch_look(&simulation->links, weft_series_intervals(simulation->series), start);
    weft_tally_clear(&simulation->tally, start);
    weft_engine_run(simulation->plant.engine, end);
    simulation->waiting = weft_plant_count(&simulation->plant, end);
    weft_tally_row(&simulation->tally, simulation->interval, simulation->population,
                   simulation->row, simulation->bins);
    weft_series_add(simulation->series, simulation->row, simulation->bins);
    simulation->generated += (int64_t)simulation->row[WEFT_COL_GENERATED];
    simulation->delivered += (int64_t)simulation->row[WEFT_COL_DELIVERED];
    simulation->hops += (int64_t)simulation->row[WEFT_COL_HOPS];
    if (simulation->timebins.width)
        weft_timebins_add(&simulation->timebins, start, simulation->row,
                          simulation->generated - simulation->delivered);
}

static bool report(weft_simulation *simulation)
{
    if (!simulation->options.progress)
        return true;
    const weft_control *control = &simulation->control;
    const weft_goal *goal_ = &control->goal;
    double share = 0, part;
    if (goal_->limit_packets)
        share = (double)simulation->delivered / (double)goal_->limit_packets;
    if (goal_->limit_intervals) {
        part = (double)weft_series_intervals(simulation->series) / (double)goal_->limit_intervals;
        share = part > share ? part : share;
    }
    if (control->watched.batches && control->watched.hi > control->watched.lo) {
        double ratio = goal_->half_width * control->watched.value * 2 /
                       (control->watched.hi - control->watched.lo);
        part = ratio * ratio; /* intervals shrink with the root of the length */
        share = part > share ? part : share;
    }
    weft_state state = {.now = weft_engine_now(simulation->plant.engine),
                        .packets = simulation->delivered,
                        .packet_hops = simulation->hops,
                        .share = share < 1 ? share : 1,
                        .latency = control->watched};
    if (!control->watched.batches)
        state.latency.value = NAN;
    return simulation->options.progress(simulation->options.user, &state);
}

/* Packets made = delivered + on their way, and the population agrees with both. */
static weft_status conserve(const weft_simulation *simulation, weft_error *err)
{
    weft_census census = weft_simulation_census(simulation);
    if (census.generated == census.delivered + census.in_flight + census.waiting)
        return WEFT_OK;
    return weft_fail(err, WEFT_BROKEN,
                     "packets are not conserved at tick %lld: %lld generated, %lld delivered, "
                     "%lld in flight, %lld waiting at their sources",
                     (long long)weft_engine_now(simulation->plant.engine),
                     (long long)census.generated, (long long)census.delivered,
                     (long long)census.in_flight, (long long)census.waiting);
}

static weft_ending limit_reached(const weft_simulation *simulation)
{
    const weft_goal *goal_ = &simulation->control.goal;
    if (goal_->limit_intervals &&
        weft_series_intervals(simulation->series) >= (uint64_t)goal_->limit_intervals)
        return WEFT_END_LIMIT_TIME;
    return WEFT_END_LIMIT_PACKETS;
}

weft_status weft_simulation_run(weft_simulation *simulation, weft_ending *ending, weft_error *err)
{
    weft_duration wall = simulation->network->scenario->measure.limit_wall;
    double began = seconds(), shown = began, wall_s = wall.value * 1e-12;
    for (;;) {
        step(simulation);
        weft_verdict verdict = weft_control_step(&simulation->control, simulation->series);
        if (verdict != WEFT_GO_ON) {
            *ending = verdict == WEFT_CONVERGED   ? WEFT_END_CONVERGED
                      : verdict == WEFT_SATURATED ? WEFT_END_SATURATED
                                                  : limit_reached(simulation);
            break;
        }
        if (weft_engine_overrun(simulation->plant.engine)) {
            *ending = WEFT_END_SATURATED;
            break;
        }
        if (simulation->options.memory &&
            weft_simulation_bytes(simulation) > simulation->options.memory) {
            *ending = WEFT_END_MEMORY;
            break;
        }
        double now = seconds();
        if (wall.unit != WEFT_NO_TIME && now - began > wall_s) {
            *ending = WEFT_END_LIMIT_WALL;
            break;
        }
        if (now - shown > 0.2) {
            shown = now;
            if (!report(simulation)) {
                *ending = WEFT_END_INTERRUPTED;
                break;
            }
        }
    }
    weft_control_finish(&simulation->control, simulation->series);
    return conserve(simulation, err);
}

static void count_packet(void *user, uint32_t block, const weft_event *event)
{
    (void)block;
    if (weft_event_kind(event) != WEFT_WAKE)
        ++*(int64_t *)user;
}

weft_census weft_simulation_census(const weft_simulation *simulation)
{
    weft_census census = {.generated = simulation->generated,
                          .delivered = simulation->delivered,
                          .waiting = simulation->waiting};
    weft_engine_visit(simulation->plant.engine, count_packet, &census.in_flight);
    return census;
}

const weft_series *weft_simulation_series(const weft_simulation *simulation)
{
    return simulation->series;
}

const weft_control *weft_simulation_control(const weft_simulation *simulation)
{
    return &simulation->control;
}

const weft_tally *weft_simulation_tally(const weft_simulation *simulation)
{
    return &simulation->tally;
}

weft_time weft_simulation_interval(const weft_simulation *simulation)
{
    return simulation->interval;
}

weft_time weft_simulation_now(const weft_simulation *simulation)
{
    return weft_engine_now(simulation->plant.engine);
}

uint64_t weft_simulation_events(const weft_simulation *simulation)
{
    return weft_engine_events(simulation->plant.engine);
}

int64_t weft_simulation_bytes(const weft_simulation *simulation)
{
    return weft_engine_bytes(simulation->plant.engine) +
           weft_plant_bytes_per_router(&simulation->plant) * simulation->network->topology.routers;
}

weft_time weft_simulation_links_since(const weft_simulation *simulation)
{
    return simulation->links.since;
}

int64_t weft_simulation_link_busy(const weft_simulation *simulation, uint32_t router, uint32_t port)
{
    return weft_linkwatch_busy(&simulation->links, router, port,
                               weft_engine_now(simulation->plant.engine));
}

const weft_bins *weft_simulation_bins(const weft_simulation *simulation)
{
    return &simulation->timebins;
}
