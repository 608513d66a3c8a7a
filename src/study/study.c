/* SPDX-License-Identifier: Apache-2.0 */
/* A study: its scenario, what it may use, and one network of it run to its end. */
#include "base/memory.h"
#include "study/conductor.h"
#include "study/context.h"

#include <stdlib.h>
#include <string.h>

#define LARGE 10000 /* routers from which several threads pay */

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
    opened->crew = options->context ? options->context->crew : NULL;
    uint32_t here = opened->crew ? opened->crew->here : 1;
    opened->memory = options->memory ? options->memory : weft_memory_available() / 4 * 3 / here;
    weft_arena_init(&opened->arena);
    weft_status status =
        weft_plan_read(options->file, options->overrides, weft_catalog_registry(catalog),
                       &opened->arena, &opened->plan, err);
    status = weft_crew_share(opened->crew, status, err);
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

weft_status weft_study_afford(const weft_study *study, const weft_network *network, uint32_t ranks,
                              weft_error *err)
{
    weft_cost cost = weft_simulation_cost(network, (uint32_t)study->options.blocks);
    double mib = 1 << 20, limit = (double)study->memory / mib;
    if (study->memory == 0 || cost.bytes_at_start / ranks <= study->memory)
        return WEFT_OK;
    int64_t fits = (cost.bytes_at_start + study->memory - 1) / study->memory;
    if (cost.bytes_at_rest / ranks > study->memory)
        return weft_fail(
            err, WEFT_BAD_INPUT,
            "this network needs %.1f MiB before the first packet moves (%lld B per "
            "router, %u routers), %.1f MiB may be used%s: choose a smaller one%s, run it on %lld "
            "processes or more, or allow more with --memory",
            (double)cost.bytes_at_rest / mib, (long long)cost.bytes_per_router,
            network->topology.routers, limit * ranks, ranks > 1 ? " by all processes together" : "",
            network->scenario->measure.links == WEFT_LINKS_OFF ? "" : ", set measure.links: off",
            (long long)fits);
    return weft_fail(err, WEFT_BAD_INPUT,
                     "the packets of the first instants need %.1f MiB, %.1f MiB may be used: offer "
                     "less load or backlog, run it on %lld processes or more, or allow more with "
                     "--memory",
                     (double)cost.bytes_at_start / mib, limit * ranks, (long long)fits);
}

weft_crew *weft_study_team(const weft_study *study, const weft_network *network)
{
    return network->topology.routers >= LARGE ? study->crew : NULL;
}

uint32_t weft_study_threads(const weft_study *study, const weft_network *network)
{
    if (study->options.threads)
        return (uint32_t)study->options.threads;
    if (network->topology.routers < LARGE)
        return 1;
    return weft_team_default(study->crew ? study->crew->here : 1);
}

typedef struct watcher { /* between the simulation's callbacks and the caller's */
    const weft_study *study;
    const weft_study_job *job;
    const char *key;
    const weft_timing *timing;
} watcher;

static void watch(void *user, const weft_state *state)
{
    const watcher *w = user;
    const weft_study *study = w->study;
    if (!study->options.progress || (study->crew && study->crew->rank > 0))
        return;
    double half = (state->latency.hi - state->latency.lo) / 2;
    weft_progress progress = {.point = w->job->point + 1,
                              .points = weft_plan_points(study->plan),
                              .done = study->done,
                              .key = w->key,
                              .share = state->share,
                              .packets = (double)state->packets,
                              .packet_hops = (double)state->packet_hops,
                              .time = state->now,
                              .latency = weft_timing_value(w->timing, state->latency.value),
                              .half_width = weft_timing_value(w->timing, half)};
    study->options.progress(study->options.user, &progress);
}

static weft_wish wish(void *user)
{
    const watcher *w = user;
    const weft_study_options *options = &w->study->options;
    if (w->job->farm && weft_farm_serve(w->job->farm))
        return WEFT_WISH_STOP;
    return options->wish ? options->wish(options->user) : WEFT_WISH_NONE;
}

static void notice(void *user, const char *text)
{
    const watcher *w = user;
    if (w->study->options.notice)
        w->study->options.notice(w->study->options.user, text);
}

weft_status weft_study_simulate(weft_study *study, const weft_study_job *job,
                                const weft_network *network, weft_simulation **simulation,
                                weft_ending *ending, weft_error *err)
{
    watcher w = {
        .study = study, .job = job, .key = network->scenario->key, .timing = &network->timing};
    weft_simulation_options options = {.blocks = (uint32_t)study->options.blocks,
                                       .threads = weft_study_threads(study, network),
                                       .crew = job->team,
                                       .memory = study->memory,
                                       .half_width = job->half_width,
                                       .wish = wish,
                                       .progress = watch,
                                       .folder = job->folder,
                                       .period_s = study->options.checkpoint_s,
                                       .notice = notice,
                                       .user = &w};
    WEFT_TRY(weft_study_afford(study, network, job->team ? job->team->size : 1, err));
    WEFT_TRY(weft_simulation_create(network, &options, simulation, err));
    weft_status status = weft_simulation_run(*simulation, ending, err);
    if (status != WEFT_OK)
        weft_simulation_destroy(*simulation);
    return status;
}

weft_status weft_study_network(weft_study *study, size_t i, weft_arena *arena,
                               weft_scenario *scenario, weft_network *network, weft_error *err)
{
    WEFT_TRY(weft_plan_point(study->plan, i, arena, scenario, err));
    return weft_network_build(network, scenario, arena, err);
}
