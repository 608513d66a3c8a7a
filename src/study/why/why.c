/* SPDX-License-Identifier: Apache-2.0 */
/* The point is run again from its own scenario and seed, so that what is seen is what was
 * measured; as long as a survey needs, and no longer. */
#include "study/why/why.h"

#include "base/memory.h"
#include "config/scenario.h"
#include "sim/zero_load.h"
#include "study/why/rerun.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FILLING  300  /* zero-load latencies before the first sample … */
#define MEASURED 700  /* … and in which samples are taken */
#define LEAST    4000 /* flit times of both together, at least */
#define SAMPLES  500

static double value_of(const weft_point *point, const char *name, const char *by)
{
    const weft_metric *metric = weft_point_metric(point, name, "", by, 0);
    return metric ? metric->value : NAN;
}

/* So many ticks as a setting. */
static weft_duration ticks_as_duration(const weft_timing *timing, double ticks)
{
    if (timing->in_cycles)
        return (weft_duration){ticks / (double)timing->cycle, WEFT_CYCLES};
    return (weft_duration){ticks * timing->tick_ps, WEFT_PICOSECONDS};
}

weft_bounds weft_why_bounds(const weft_network *network)
{
    weft_platform platform;
    weft_bounds bounds;
    weft_platform_init(&platform, network);
    weft_bounds_plan plan = weft_zero_load_plan(&platform, WEFT_BOUNDS_QUICK);
    weft_bounds_find(&bounds, network, &plan);
    return bounds;
}

/* The throughput bound of the same network without its faults; 0: it has none, or is not known. */
static double bound_without_faults(const weft_study_point *point)
{
    if (!point->network.topology.faults)
        return 0;
    weft_scenario whole = point->scenario;
    weft_arena arena;
    weft_network network;
    weft_error ignored = {0};
    weft_arena_init(&arena);
    whole.faults = (weft_fault_settings){.at = whole.faults.at};
    double bound = 0;
    if (weft_network_build(&network, &whole, &arena, &ignored) == WEFT_OK) {
        bound = weft_why_bounds(&network).throughput;
        weft_network_done(&network);
    }
    weft_arena_done(&arena);
    return bound;
}

/* When to look, in ticks. */
weft_waitwatch_plan weft_why_plan(const weft_network *network, const weft_bounds *bounds)
{
    weft_platform platform;
    weft_platform_init(&platform, network);
    double latency = weft_zero_load_all(&platform, bounds).ticks;
    double least = LEAST * (double)network->timing.flit / (FILLING + MEASURED);
    latency = latency > least ? latency : least;
    return (weft_waitwatch_plan){.from = (weft_time)(FILLING * latency),
                                 .until = (weft_time)((FILLING + MEASURED) * latency),
                                 .samples = SAMPLES};
}

weft_status weft_why_limit(weft_study_point *point, double ticks, weft_error *err)
{
    weft_measure *measure = &point->scenario.measure;
    measure->limit_time = ticks_as_duration(&point->network.timing, ticks);
    measure->limit_packets = INT64_MAX / 2;
    measure->warmup = (weft_duration){.unit = WEFT_NO_TIME};
    weft_network_done(&point->network);
    point->built = false;
    WEFT_TRY(weft_network_build(&point->network, &point->scenario, &point->arena, err));
    point->built = true;
    return WEFT_OK;
}

static weft_status run_survey(const weft_network *network, weft_waitwatch *survey,
                              weft_rerun_caller *who, weft_error *err)
{
    weft_simulation *simulation;
    weft_ending ending;
    weft_trace trace = {.note = weft_waitwatch_note, .user = survey};
    weft_simulation_options options = {.half_width = 1e-6,
                                       .request = weft_rerun_request,
                                       .progress = weft_rerun_progress,
                                       .user = who,
                                       .look = weft_waitwatch_look,
                                       .looker = survey,
                                       .trace = &trace};
    WEFT_TRY(weft_simulation_create(network, &options, &simulation, err));
    weft_status status = weft_simulation_run(simulation, &ending, err);
    weft_simulation_destroy(simulation);
    if (status == WEFT_OK && ending == WEFT_END_INTERRUPTED)
        return weft_fail(err, WEFT_STOPPED, "stopped");
    if (status == WEFT_OK && survey->samples < 2 * WEFT_WAITWATCH_BATCHES)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "the run ended before it could be surveyed: %u samples, at least %d are "
                         "needed",
                         survey->samples, 2 * WEFT_WAITWATCH_BATCHES);
    weft_waitwatch_finish(survey);
    return status;
}

static weft_status examine(weft_study_point *point, weft_rerun_caller *who, weft_why *why,
                           weft_error *err)
{
    weft_platform platform;
    weft_platform_init(&platform, &point->network);
    if (!platform.router->blocked)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "routers of kind %s do not tell what packets wait for; weft explain knows "
                         "input-queued ones",
                         platform.router->carriage.base.name);
    weft_bounds bounds = weft_why_bounds(&point->network);
    weft_waitwatch_plan plan = weft_why_plan(&point->network, &bounds);
    double healthy = bound_without_faults(point);
    weft_buffering buffering;
    weft_buffering_look(&buffering, &platform);
    WEFT_TRY(weft_why_limit(point, 1.02 * (double)plan.until, err));
    weft_waitwatch survey;
    who->until = (double)plan.until;
    weft_waitwatch_init(&survey, &point->network, &plan);
    weft_status status = run_survey(&point->network, &survey, who, err);
    if (status == WEFT_OK) {
        const weft_timing *timing = &point->network.timing;
        why->unit = weft_timing_unit(timing);
        why->from = weft_timing_value(timing, (double)survey.first);
        why->until = weft_timing_value(timing, (double)survey.last);
        why->samples = survey.samples;
        weft_why_judge(&(weft_why_case){.survey = &survey,
                                        .network = &point->network,
                                        .bounds = &bounds,
                                        .buffering = &buffering,
                                        .healthy = healthy},
                       why);
    }
    weft_waitwatch_done(&survey);
    return status;
}

weft_status weft_why_find(weft_result *result, size_t i, const weft_catalog *catalog,
                          const weft_why_options *options, weft_why **why, weft_error *err)
{
    const weft_point *stored;
    weft_rerun rerun;
    weft_rerun_caller who = {.options = options, .what = "survey"};
    *why = NULL;
    WEFT_TRY(weft_rerun_open(&rerun, result, i, catalog, options, NULL, err));
    weft_why *made = weft_alloc(sizeof *made);
    weft_status status = weft_result_read(result, i, &stored, err);
    if (status == WEFT_OK) {
        made->key = strdup(stored->key);
        made->latency = value_of(stored, "latency", "");
        made->zero_load = value_of(stored, "latency", "bound");
        made->accepted = value_of(stored, "accepted", "");
        made->offered = value_of(stored, "offered load", "");
        status = examine(&rerun.point, &who, made, err);
    }
    weft_rerun_close(&rerun);
    if (status != WEFT_OK) {
        weft_why_destroy(made);
        return status;
    }
    *why = made;
    return WEFT_OK;
}

void weft_why_destroy(weft_why *why)
{
    if (why)
        free((char *)(uintptr_t)why->key);
    free(why);
}
