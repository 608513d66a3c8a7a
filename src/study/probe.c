/* SPDX-License-Identifier: Apache-2.0 */
/* A verdict takes time: growth shows only after the network has been crossed many times (the
 * stop rule of stats/control.c). So a run may have as many packets as a verdict needs, but where
 * measure.limit.packets was given only PROLONGED times that; whatever still ends too soon proves
 * nothing. */
#include "study/probe.h"

#include "sim/buffering.h"
#include "sim/platform.h"
#include "sim/interval.h"
#include "study/outcome.h"
#include "study/theory.h"

#define HALF_WIDTH 0.02 /* a stable run need not be known better than this */
#define CROSSINGS  512 /* of the empty network: after so many growth can be told from filling … */
#define INTERVALS  256 /* … if there were as many sampling intervals for the checks */
#define PROLONGED  8

void weft_probe_scale(weft_scenario *scenario, double factor, weft_arena *arena)
{
    weft_class_settings *classes = WEFT_TAKE(arena, weft_class_settings, scenario->n_traffic);
    for (size_t i = 0; i < scenario->n_traffic; i++) {
        classes[i] = scenario->traffic[i];
        double *loads[] = {&classes[i].load, &classes[i].rho, &classes[i].rate};
        for (int k = 0; k < 3; k++)
            if (*loads[k] >= 0)
                *loads[k] *= factor;
    }
    scenario->traffic = classes;
    double *offered[] = {&scenario->offered_load, &scenario->offered_rho, &scenario->offered_rate};
    for (int k = 0; k < 3; k++)
        if (*offered[k] >= 0)
            *offered[k] *= factor;
}

/* The accepted load, from where the run is warm. */
static weft_estimate accepted(const weft_network *network, const weft_simulation *simulation,
                              bool unstable)
{
    const weft_control *control = weft_simulation_control(simulation);
    const weft_series *series = weft_simulation_series(simulation);
    weft_ratio flits = {.num = WEFT_COL_FLITS, .den = WEFT_PER_INTERVAL};
    double unit = (double)network->timing.period[WEFT_LINK_HOST] /
                  ((double)weft_simulation_interval(simulation) * network->bandwidth);
    uint32_t from = control->from;
    bool settled;
    if (unstable && network->vcs > 0 && control->goal.warmup_intervals < 0)
        from = weft_series_warmup(series, flits, &settled); /* latencies keep growing */
    weft_estimate found = weft_series_ratio(series, from, flits, control->goal.confidence);
    found.value *= unit;
    found.lo *= unit;
    found.hi *= unit;
    return found;
}

static weft_buffering buffering_of(const weft_network *network)
{
    weft_platform platform;
    weft_buffering buffering;
    weft_platform_init(&platform, network);
    weft_buffering_look(&buffering, &platform);
    return buffering;
}

static double crossing(const weft_network *network)
{
    weft_buffering b = buffering_of(network);
    return network->mean_flits * (double)network->timing.flit + network->mean_hops * (double)b.hop;
}

static double turnover(const weft_network *network)
{
    weft_buffering b = buffering_of(network);
    if (!b.finite)
        return 0;
    double each = (double)b.capacity * b.vcs + (double)b.shared, inputs = b.inputs;
    double flits = (b.by_packet ? b.longest : 1) * each * inputs * network->topology.routers;
    return flits / network->bandwidth * (double)network->timing.period[WEFT_LINK_HOST];
}

/* Packets that a run may have, where the scenario says so; what it does not say is no limit. */
static int64_t given_packets(const weft_measure *measure)
{
    return measure->limit_packets == WEFT_LIMIT_PACKETS ? INT64_MAX : measure->limit_packets;
}

/* Saturation is of traffic that goes on. */
static weft_status check_steady(const weft_scenario *scenario, const weft_network *network,
                                weft_error *err)
{
    if (network->jobs)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "the scenario has jobs, whose messages have no load that could saturate: "
                         "use weft run, or leave the section out");
    for (size_t i = 0; i < scenario->n_traffic; i++)
        if (scenario->traffic[i].stop.unit != WEFT_NO_TIME)
            return weft_fail(err, WEFT_BAD_INPUT,
                             "traffic.%.64s has a stop, behind which its load is gone: saturation "
                             "is of traffic that goes on; leave the stop out, or use weft run",
                             scenario->traffic[i].name);
    return WEFT_OK;
}

weft_status weft_probe_look(const weft_probe_plan *plan, weft_probe_outlook *outlook,
                            weft_error *err)
{
    weft_study_point point;
    WEFT_TRY(weft_study_point_open(plan->study, plan->point, &point, err));
    const weft_network *network = &point.network;
    const weft_measure *measure = &point.scenario.measure;
    weft_status status = check_steady(&point.scenario, network, err);
    if (status != WEFT_OK) {
        weft_study_point_close(&point);
        return status;
    }
    *outlook = (weft_probe_outlook){
        .bound = weft_theory_bound(network),
        .rho = network->rho / network->load,
        .crossing = crossing(network),
        .turnover = turnover(network),
        .finite = network->vcs > 0,
        .open = measure->limit_time.unit == WEFT_NO_TIME,
        .packets = measure->limit_packets,
    };
    weft_study_point_close(&point);
    return WEFT_OK;
}

static weft_stability judge(const weft_network *network, const weft_simulation *simulation,
                            weft_ending ending)
{
    weft_stability found = weft_control_stability(weft_simulation_control(simulation),
                                                  weft_simulation_series(simulation));
    if (ending == WEFT_END_SATURATED)
        return WEFT_UNSTABLE;
    return weft_outcome_overloaded(network) ? WEFT_UNSTABLE : found;
}

static weft_status measure(const weft_probe_plan *plan, const weft_network *network,
                           weft_probe *found, weft_error *err)
{
    weft_simulation *simulation;
    weft_ending ending;
    weft_study_job job = {.point = plan->point,
                          .team = weft_study_team(plan->study, network),
                          .sharing = plan->sharing,
                          .half_width = HALF_WIDTH,
                          .load = plan->load,
                          .stable = plan->stable,
                          .unstable = plan->unstable};
    WEFT_TRY(weft_study_simulate(plan->study, &job, network, &simulation, &ending, err));
    found->stability = judge(network, simulation, ending);
    found->accepted = accepted(network, simulation, found->stability != WEFT_STABLE);
    found->packets = weft_simulation_census(simulation).delivered;
    found->lost = weft_simulation_census(simulation).lost;
    found->ending = ending;
    weft_simulation_destroy(simulation);
    return WEFT_OK;
}

/* So many ticks as a setting. */
static weft_duration duration(const weft_timing *timing, weft_time ticks)
{
    if (timing->in_cycles)
        return (weft_duration){(double)ticks / (double)timing->cycle, WEFT_CYCLES};
    return (weft_duration){(double)ticks * timing->tick_ps, WEFT_PICOSECONDS};
}

/* Packets that arrive, at the load to be tried, in the time that a verdict needs. */
static double packets_needed(const weft_network *network, double factor)
{
    double ticks = CROSSINGS * crossing(network);
    double least = INTERVALS * (double)weft_interval_choose(network);
    return weft_interval_messages(network) * factor * (ticks > least ? ticks : least);
}

static void set_limits(const weft_probe_plan *plan, const weft_network *network, double factor,
                       weft_measure *measure)
{
    int64_t given = given_packets(measure);
    double most = given == INT64_MAX ? 0x1p62 : PROLONGED * (double)given;
    measure->early = false; /* a probe is for its verdict */
    if (plan->span > 0) {
        measure->warmup = duration(&network->timing, plan->span);
        measure->limit_time = duration(&network->timing, plan->span + plan->span / 2);
        measure->limit_packets = (int64_t)most;
        return;
    }
    double needed = packets_needed(network, factor), allowed = needed < most ? needed : most;
    if (allowed > (double)measure->limit_packets)
        measure->limit_packets = (int64_t)allowed;
}

weft_status weft_probe_run(const weft_probe_plan *plan, weft_probe *found, weft_error *err)
{
    weft_study_point point;
    WEFT_TRY(weft_study_point_open(plan->study, plan->point, &point, err));
    double factor = plan->load / point.network.load;
    set_limits(plan, &point.network, factor, &point.scenario.measure);
    weft_network_done(&point.network);
    weft_probe_scale(&point.scenario, factor, &point.arena);
    weft_status status = weft_network_build(&point.network, &point.scenario, &point.arena, err);
    point.built = status == WEFT_OK;
    bool ours = weft_comm_rank(plan->study->comm) == 0;
    if (point.built && (ours || weft_study_team(plan->study, &point.network)))
        status = measure(plan, &point.network, found, err);
    weft_study_point_close(&point);
    return status;
}
