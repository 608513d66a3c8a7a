/* SPDX-License-Identifier: Apache-2.0 */
/* The saturation load by bisection: the whole traffic of a point is scaled until its population just
 * does not grow. */
#include "study/conductor.h"
#include "study/outcome.h"

#define HALF_WIDTH 0.02 /* a stable run need not be known better than this */

typedef struct probe { /* what one run at one load said */
    bool saturated;
    double rho;
    weft_estimate accepted; /* fraction of injection bandwidth */
} probe;

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

static weft_status measure(weft_study *study, size_t i, const weft_network *network, probe *found,
                           weft_error *err)
{
    weft_simulation *simulation;
    weft_ending ending;
    weft_study_job job = {
        .point = i, .team = weft_study_team(study, network), .half_width = HALF_WIDTH};
    WEFT_TRY(weft_study_simulate(study, &job, network, &simulation, &ending, err));
    if (ending == WEFT_END_INTERRUPTED) {
        weft_simulation_destroy(simulation);
        return weft_fail(err, WEFT_STOPPED, "stopped");
    }
    const weft_control *control = weft_simulation_control(simulation);
    double unit = (double)network->timing.flit /
                  ((double)weft_simulation_interval(simulation) * network->endpoints);
    found->saturated = weft_outcome_saturated(network, simulation, ending);
    found->rho = network->rho;
    found->accepted = weft_series_ratio(
        weft_simulation_series(simulation), control->from,
        (weft_ratio){.num = WEFT_COL_FLITS, .den = WEFT_PER_INTERVAL}, control->goal.confidence);
    found->accepted.value *= unit;
    found->accepted.lo *= unit;
    found->accepted.hi *= unit;
    weft_simulation_destroy(simulation);
    return WEFT_OK;
}

/* Runs point i with its traffic scaled to an offered load. */
static weft_status try_load(weft_study *study, size_t i, double load, probe *found, weft_error *err)
{
    weft_study_point point;
    WEFT_TRY(weft_study_point_open(study, i, &point, err));
    double now = point.network.load;
    weft_network_done(&point.network);
    scale(&point.scenario, load / now, &point.arena);
    weft_status status = weft_network_build(&point.network, &point.scenario, &point.arena, err);
    point.built = status == WEFT_OK;
    bool ours = weft_crew_rank(study->crew) == 0;
    if (point.built && (ours || weft_study_team(study, &point.network)))
        status = measure(study, i, &point.network, found, err);
    weft_study_point_close(&point);
    return status;
}

weft_status weft_study_saturate(weft_study *study, size_t i, double tolerance,
                                weft_saturation *found, weft_error *err)
{
    probe probed = {0};
    *found = (weft_saturation){.unstable = 1};
    WEFT_TRY(try_load(study, i, 1, &probed, err));
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
        WEFT_TRY(try_load(study, i, middle, &probed, err));
        if (probed.saturated)
            found->unstable = middle;
        else
            found->load = middle;
    }
    found->rho = found->load * rho_per_load;
    return WEFT_OK;
}
