/* SPDX-License-Identifier: Apache-2.0 */
/* The conductor: config → net → sim → stats → result, point after point. */
#include "study/conductor.h"

#include "base/memory.h"
#include "study/outcome.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* <scenario>.weft in the current directory. */
static char *default_results(const char *file, weft_arena *arena)
{
    const char *name = strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
    const char *dot = strrchr(name, '.');
    size_t stem = dot && dot != name ? (size_t)(dot - name) : strlen(name);
    return weft_arena_format(arena, "%.*s.weft", (int)stem, name);
}

weft_status weft_study_open(const weft_study_options *options, const weft_catalog *catalog,
                            weft_study **study, weft_error *err)
{
    weft_study *opened = weft_alloc(sizeof *opened);
    *study = NULL;
    opened->options = *options;
    opened->memory = options->memory ? options->memory : weft_memory_available() / 4 * 3;
    weft_arena_init(&opened->arena);
    weft_status status =
        weft_plan_read(options->file, options->overrides, weft_catalog_registry(catalog),
                       &opened->arena, &opened->plan, err);
    if (status != WEFT_OK) {
        weft_study_close(opened);
        return status;
    }
    opened->results =
        options->results ? options->results : default_results(options->file, &opened->arena);
    *study = opened;
    return WEFT_OK;
}

void weft_study_close(weft_study *study)
{
    if (!study)
        return;
    weft_arena_done(&study->arena);
    free(study);
}

size_t weft_study_points(const weft_study *study)
{
    return weft_plan_points(study->plan);
}

const char *weft_study_point_key(const weft_study *study, size_t i)
{
    return weft_plan_key(study->plan, i);
}

const char *weft_study_results(const weft_study *study)
{
    return study->results;
}

weft_status weft_study_afford(const weft_study *study, const weft_network *network, weft_error *err)
{
    weft_cost cost = weft_simulation_cost(network, (uint32_t)study->options.blocks);
    double mib = 1 << 20, limit = (double)study->memory / mib;
    if (study->memory == 0 || cost.bytes_at_start <= study->memory)
        return WEFT_OK;
    if (cost.bytes_at_rest > study->memory)
        return weft_fail(
            err, WEFT_BAD_INPUT,
            "this network needs %.1f MiB before the first packet moves (%lld B per "
            "router, %u routers), %.1f MiB may be used: choose a smaller one%s, or "
            "allow more with --memory",
            (double)cost.bytes_at_rest / mib, (long long)cost.bytes_per_router,
            network->topology.routers, limit,
            network->scenario->measure.links == WEFT_LINKS_OFF ? "" : ", set measure.links: off");
    return weft_fail(err, WEFT_BAD_INPUT,
                     "the packets of the first instants need %.1f MiB, %.1f MiB may be used: offer "
                     "less load or backlog, or allow more with --memory",
                     (double)cost.bytes_at_start / mib, limit);
}

typedef struct watcher { /* between the simulation's progress and the caller's */
    weft_study *study;
    size_t point;
    const char *key;
    const weft_timing *timing;
} watcher;

static bool watch(void *user, const weft_state *state)
{
    const watcher *w = user;
    const weft_study *study = w->study;
    if (!study->options.progress)
        return true;
    double half = (state->latency.hi - state->latency.lo) / 2;
    weft_progress progress = {.point = w->point + 1,
                              .points = weft_plan_points(study->plan),
                              .key = w->key,
                              .share = state->share,
                              .packets = (double)state->packets,
                              .packet_hops = (double)state->packet_hops,
                              .time = state->now,
                              .latency = weft_timing_value(w->timing, state->latency.value),
                              .half_width = weft_timing_value(w->timing, half)};
    return study->options.progress(study->options.user, &progress);
}

weft_status weft_study_simulate(weft_study *study, size_t point, const weft_network *network,
                                double half_width, weft_simulation **simulation,
                                weft_ending *ending, weft_error *err)
{
    watcher w = {
        .study = study, .point = point, .key = network->scenario->key, .timing = &network->timing};
    weft_simulation_options options = {.blocks = (uint32_t)study->options.blocks,
                                       .memory = study->memory,
                                       .half_width = half_width,
                                       .progress = watch,
                                       .user = &w};
    WEFT_TRY(weft_study_afford(study, network, err));
    WEFT_TRY(weft_simulation_create(network, &options, simulation, err));
    weft_status status = weft_simulation_run(*simulation, ending, err);
    if (status != WEFT_OK)
        weft_simulation_destroy(*simulation);
    return status;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static weft_status stopped(weft_error *err)
{
    return weft_fail(err, WEFT_STOPPED,
                     "stopped; the same command goes on with the points that are "
                     "missing");
}

/* Runs point i on a network that is built, and commits it. */
static weft_status run_network(weft_study *study, size_t i, const weft_network *network,
                               weft_arena *arena, weft_result *result, weft_error *err)
{
    weft_simulation *simulation;
    weft_ending ending;
    weft_point point;
    double began = seconds();
    WEFT_TRY(weft_study_simulate(study, i, network, 0, &simulation, &ending, err));
    weft_status status = WEFT_OK;
    if (ending == WEFT_END_INTERRUPTED) {
        status = stopped(err);
    } else {
        weft_outcome_build(&point, network, simulation, ending, arena);
        point.wall_seconds = seconds() - began;
        point.peak_bytes = weft_memory_peak();
        status = weft_result_commit(result, &point, err);
        if (status == WEFT_OK && study->options.finished)
            study->options.finished(study->options.user, &point);
    }
    weft_simulation_destroy(simulation);
    return status;
}

weft_status weft_study_network(weft_study *study, size_t i, weft_arena *arena,
                               weft_scenario *scenario, weft_network *network, weft_error *err)
{
    WEFT_TRY(weft_plan_point(study->plan, i, arena, scenario, err));
    return weft_network_build(network, scenario, arena, err);
}

static weft_status run_point(weft_study *study, size_t i, weft_result *result, weft_error *err)
{
    weft_arena arena;
    weft_arena_init(&arena);
    weft_scenario *scenario = WEFT_TAKE(&arena, weft_scenario, 1);
    weft_network *network = WEFT_TAKE(&arena, weft_network, 1);
    weft_status status = weft_study_network(study, i, &arena, scenario, network, err);
    if (status == WEFT_OK) {
        status = run_network(study, i, network, &arena, result, err);
        weft_network_done(network);
    }
    weft_arena_done(&arena);
    return status;
}

/* Every point must be sound before the first is run: nobody wants to learn of a mistake at night. */
static weft_status check_points(weft_study *study, weft_error *err)
{
    for (size_t i = 0; i < weft_plan_points(study->plan); i++) {
        weft_arena arena;
        weft_arena_init(&arena);
        weft_scenario *scenario = WEFT_TAKE(&arena, weft_scenario, 1);
        weft_network *network = WEFT_TAKE(&arena, weft_network, 1);
        weft_status status = weft_study_network(study, i, &arena, scenario, network, err);
        if (status == WEFT_OK) {
            status = weft_study_afford(study, network, err);
            weft_network_done(network);
        }
        weft_arena_done(&arena);
        WEFT_TRY(status);
    }
    return WEFT_OK;
}

weft_status weft_study_run(weft_study *study, weft_error *err)
{
    weft_result *result;
    WEFT_TRY(check_points(study, err));
    WEFT_TRY(weft_result_create(study->results, weft_plan_title(study->plan),
                                weft_plan_text(study->plan), study->options.fresh, &result, err));
    weft_status status = WEFT_OK;
    for (size_t i = 0; i < weft_plan_points(study->plan) && status == WEFT_OK; i++)
        if (!weft_result_has(result, weft_plan_key(study->plan, i)))
            status = run_point(study, i, result, err);
    weft_result_close(result);
    return status;
}
