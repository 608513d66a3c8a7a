/* SPDX-License-Identifier: Apache-2.0 */
/* The saturation load by bisection: the whole traffic of a point is scaled until its population just
 * does not grow.
 *
 * What is accepted at load 1.0: past saturation finite buffers fill up slowly and then hold the network in
 * a steady state that may lie well below what it carried at first. So such a network is run over a span that is
 * measured whole, after a warm-up as long, and both are doubled until the accepted load is known or a run has
 * more packets than the scenario allows. A time limit that the scenario gives is kept instead. */
#include "sim/buffering.h"
#include "sim/fabric.h"
#include "study/conductor.h"
#include "study/outcome.h"

#define HALF_WIDTH     0.02 /* a stable run need not be known better than this, … */
#define ACCEPTED_WIDTH 0.01 /* … the accepted load of a saturated one than that */
#define CROSSINGS      1024 /* of the empty network: the first warm-up */
#define DOUBLINGS      6    /* at most */

typedef struct probe { /* what one run at one load said */
    bool saturated;
    double rho;
    double crossing;        /* ticks a packet takes through the empty network */
    weft_estimate accepted; /* fraction of injection bandwidth */
    int64_t packets;        /* delivered */
    weft_ending ending;
} probe;

typedef struct trial { /* what to run */
    weft_study *study;
    size_t point;
    double load;
    weft_time span; /* ticks to warm up, and to measure; 0: as the scenario says */
} trial;

/* Multiplies every load of a scenario. */
static void scale(weft_scenario *scenario, double factor, weft_arena *arena)
{
    weft_traffic_class *classes = WEFT_TAKE(arena, weft_traffic_class, scenario->traffic_count);
    for (size_t i = 0; i < scenario->traffic_count; i++) {
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
                              bool saturated)
{
    const weft_control *control = weft_simulation_control(simulation);
    const weft_series *series = weft_simulation_series(simulation);
    weft_ratio flits = {.num = WEFT_COL_FLITS, .den = WEFT_PER_INTERVAL};
    double unit = (double)network->timing.period[WEFT_LINK_HOST] /
                  ((double)weft_simulation_interval(simulation) * network->bandwidth);
    uint32_t from = control->from;
    bool settled;
    if (saturated && network->lanes > 0 && control->goal.warmup_intervals < 0)
        from = weft_series_warmup(series, flits, &settled); /* latencies keep growing */
    weft_estimate found = weft_series_ratio(series, from, flits, control->goal.confidence);
    found.value *= unit;
    found.lo *= unit;
    found.hi *= unit;
    return found;
}

static double crossing(const weft_network *network)
{
    weft_fabric fabric;
    weft_buffering buffering;
    weft_fabric_init(&fabric, network);
    weft_buffering_look(&buffering, &fabric);
    return network->mean_flits * (double)fabric.flit + network->mean_hops * (double)buffering.hop;
}

static weft_status measure(const trial *t, const weft_network *network, probe *found,
                           weft_error *err)
{
    weft_simulation *simulation;
    weft_ending ending;
    weft_study_job job = {
        .point = t->point, .team = weft_study_team(t->study, network), .half_width = HALF_WIDTH};
    WEFT_TRY(weft_study_simulate(t->study, &job, network, &simulation, &ending, err));
    if (ending == WEFT_END_INTERRUPTED) {
        weft_simulation_destroy(simulation);
        return weft_fail(err, WEFT_STOPPED, "stopped");
    }
    bool saturated = weft_outcome_saturated(network, simulation, ending);
    *found = (probe){.saturated = saturated,
                     .rho = network->rho,
                     .crossing = crossing(network),
                     .accepted = accepted(network, simulation, saturated),
                     .packets = weft_simulation_census(simulation).delivered,
                     .ending = ending};
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

/* Runs a point with its traffic scaled to an offered load. */
static weft_status try_load(const trial *t, probe *found, weft_error *err)
{
    weft_study_point point;
    WEFT_TRY(weft_study_point_open(t->study, t->point, &point, err));
    double now = point.network.load;
    weft_timing timing = point.network.timing;
    weft_network_done(&point.network);
    scale(&point.scenario, t->load / now, &point.arena);
    if (t->span > 0) {
        point.scenario.measure.warmup = duration(&timing, t->span);
        point.scenario.measure.limit_time = duration(&timing, 2 * t->span);
        point.scenario.measure.limit_packets = WEFT_NONE_INT;
    }
    weft_status status = weft_network_build(&point.network, &point.scenario, &point.arena, err);
    point.built = status == WEFT_OK;
    bool ours = weft_crew_rank(t->study->crew) == 0;
    if (point.built && (ours || weft_study_team(t->study, &point.network)))
        status = measure(t, &point.network, found, err);
    weft_study_point_close(&point);
    return status;
}

static bool known(const weft_estimate *accepted)
{
    return accepted->independent &&
           accepted->hi - accepted->lo <= 2 * ACCEPTED_WIDTH * accepted->value;
}

/* Packets a run may have if its length is left open; 0: it is not, or buffers have no bounds. */
static weft_status most_packets(const trial *t, int64_t *packets, weft_error *err)
{
    weft_study_point point;
    WEFT_TRY(weft_study_point_open(t->study, t->point, &point, err));
    const weft_measure *given = &point.scenario.measure;
    bool open = point.network.lanes > 0 && given->limit_time.unit == WEFT_NO_TIME;
    *packets = !open ? 0 : given->limit_packets == WEFT_NONE_INT ? INT64_MAX : given->limit_packets;
    weft_study_point_close(&point);
    return WEFT_OK;
}

/* The run at load 1.0, and if finite buffers hold it back, runs until their steady state is known. */
static weft_status try_full(trial *t, probe *found, weft_error *err)
{
    int64_t most;
    WEFT_TRY(most_packets(t, &most, err));
    t->load = 1;
    WEFT_TRY(try_load(t, found, err));
    if (!found->saturated || most == 0)
        return WEFT_OK;
    for (unsigned i = 0; i <= DOUBLINGS; i++) {
        probe longer = {0};
        t->span = (weft_time)(CROSSINGS * found->crossing) << i;
        WEFT_TRY(try_load(t, &longer, err));
        if (longer.accepted.batches > 0)
            found->accepted = longer.accepted;
        if (known(&longer.accepted) || longer.packets >= most ||
            longer.ending == WEFT_END_LIMIT_WALL || longer.ending == WEFT_END_MEMORY)
            break;
    }
    t->span = 0;
    return WEFT_OK;
}

weft_status weft_study_saturate(weft_study *study, size_t i, double tolerance,
                                weft_saturation *found, weft_error *err)
{
    probe probed = {0};
    trial t = {.study = study, .point = i};
    *found = (weft_saturation){.unstable = 1};
    WEFT_TRY(try_full(&t, &probed, err));
    found->accepted = probed.accepted.value;
    found->accepted_lo = probed.accepted.lo;
    found->accepted_hi = probed.accepted.hi;
    double rho_per_load = probed.rho;
    if (!probed.saturated) {
        found->always_stable = true;
        found->load = found->unstable = 1;
        found->rho = rho_per_load;
        return WEFT_OK;
    }
    while (found->unstable - found->load > tolerance) {
        double middle = (found->load + found->unstable) / 2;
        if (middle * rho_per_load >= 1) { /* more than the links can carry */
            found->unstable = middle;
            continue;
        }
        t.load = middle;
        WEFT_TRY(try_load(&t, &probed, err));
        if (probed.saturated)
            found->unstable = middle;
        else
            found->load = middle;
    }
    found->rho = found->load * rho_per_load;
    return WEFT_OK;
}
