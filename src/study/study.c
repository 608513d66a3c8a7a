/* SPDX-License-Identifier: Apache-2.0 */
/* A study: its scenario, what it may use, and one network of it run to its end. */
#include "base/file.h"
#include "base/memory.h"
#include "sim/platform.h"
#include "sim/ownership.h"
#include "study/context.h"
#include "study/beside.h"
#include "study/ranks/alike.h"
#include "study/portion/portion.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS_MAX 1024
#define LARGE       10000 /* routers from which all ranks work on one network together */

weft_status weft_study_options_count(const char *name, int64_t value, int64_t least, int64_t most,
                                     weft_error *err)
{
    if (value >= least && value <= most)
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_USAGE, "%s must be %lld … %lld, found %lld", name,
                     (long long)least, (long long)most, (long long)value);
}

weft_status weft_study_options_threads(int64_t threads, weft_error *err)
{
    return weft_study_options_count("threads", threads, 0, THREADS_MAX, err);
}

weft_status weft_study_options_check(const weft_study_options *options, weft_error *err)
{
    WEFT_TRY(weft_study_options_count("blocks", options->blocks, 0, 1 << 24, err));
    WEFT_TRY(weft_study_options_count("jobs", options->jobs, 0, INT32_MAX, err));
    WEFT_TRY(weft_study_options_threads(options->threads, err));
    WEFT_TRY(weft_study_options_count("ranks", options->ranks, 0, 1 << 20, err));
    if (options->memory < 0)
        return weft_fail(err, WEFT_BAD_USAGE, "memory must be 0 or more bytes, found %lld",
                         (long long)options->memory);
    if (!(options->checkpoint_s >= 0))
        return weft_fail(err, WEFT_BAD_USAGE, "checkpoint_s must be 0 or more seconds, found %g",
                         options->checkpoint_s);
    return WEFT_OK;
}

weft_status weft_study_options_file(const weft_study_options *options, weft_error *err)
{
    if (options->file && !options->text)
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_USAGE, "this is read from a file, found %s",
                     options->text ? "a text" : "the name of none");
}

weft_status weft_study_options_tolerance(double tolerance, weft_error *err)
{
    if (isfinite(tolerance) && tolerance >= 0)
        return WEFT_OK;
    return weft_fail(err, WEFT_BAD_USAGE, "the tolerance must be a load of 0 or more, found %g",
                     tolerance);
}

/* <scenario>.weft in the current directory. */
static char *default_results(const char *file, weft_arena *arena)
{
    if (strcmp(file, "-") == 0)
        return weft_arena_format(arena, "stdin.weft");
    const char *name = weft_bytes_name(file);
    const char *dot = strrchr(name, '.');
    size_t stem = dot && dot != name ? (size_t)(dot - name) : strlen(name);
    return weft_arena_format(arena, "%.*s.weft", (int)stem, name);
}

static weft_status read_plan(weft_study *study, const void *catalog, weft_error *err)
{
    weft_study_options *options = &study->options;
    const weft_registry *registry = weft_catalog_registry(catalog);
    if (!options->text)
        return weft_plan_read(options->file, options->overrides, registry, &study->arena,
                              &study->plan, err);
    if (!options->file)
        options->file = "scenario";
    return weft_plan_read_text(options->file, options->text, strlen(options->text),
                               options->overrides, registry, &study->arena, &study->plan, err);
}

weft_status weft_study_open(const weft_study_options *options, const weft_catalog *catalog,
                            weft_study **study, weft_error *err)
{
    return weft_study_open_plan(options, read_plan, catalog, study, err);
}

/* Threads that this process may have. */
static uint32_t own_threads(const weft_study *study)
{
    uint32_t wanted = (uint32_t)study->options.threads;
    uint32_t cores = weft_team_default(weft_comm_here(study->comm));
    return wanted && wanted < cores ? wanted : cores;
}

weft_status weft_study_open_plan(const weft_study_options *options,
                                 weft_status (*read)(weft_study *study, const void *user,
                                                     weft_error *err),
                                 const void *user, weft_study **study, weft_error *err)
{
    weft_study *opened = weft_alloc(sizeof *opened);
    *study = NULL;
    opened->options = *options;
    options = &opened->options;
    opened->comm = options->context ? options->context->comm : NULL;
    uint32_t here = weft_comm_here(opened->comm);
    opened->memory = options->memory ? options->memory : weft_memory_available() / 4 * 3 / here;
    opened->at_once = 1;
    weft_arena_init(&opened->arena);
    weft_status status = weft_study_options_check(options, err);
    if (status == WEFT_OK)
        status = weft_alike_input(opened->comm, options->text ? NULL : options->file, err);
    if (status == WEFT_OK)
        status = read(opened, user, err);
    if (status == WEFT_OK && options->one_load)
        status = weft_plan_keep_one_load(opened->plan, err);
    if (status == WEFT_OK && options->points)
        status = weft_portion_choose(opened, options->points, err);
    status = weft_comm_agree(opened->comm, status, err);
    if (status == WEFT_OK) {
        opened->checkpoints =
            options->results ? options->results : default_results(options->file, &opened->arena);
        status = weft_alike_study(opened, err);
    }
    if (status != WEFT_OK) {
        weft_study_close(opened);
        return status;
    }
    opened->least_threads = weft_comm_least(opened->comm, own_threads(opened));
    opened->results = options->part ? options->part : opened->checkpoints;
    opened->programs = weft_job_programs_create();
    opened->monitor = weft_alloc(sizeof *opened->monitor);
    weft_monitor_init(opened->monitor, weft_portion_points(opened));
    opened->monitor->spread = weft_comm_size(opened->comm) > 1;
    *study = opened;
    return WEFT_OK;
}

void weft_study_close(weft_study *study)
{
    if (!study)
        return;
    if (study->monitor)
        weft_monitor_done(study->monitor);
    free(study->monitor);
    weft_job_programs_destroy(study->programs);
    weft_result_close(study->kept);
    weft_arena_done(&study->arena);
    free(study);
}

weft_result *weft_study_result(weft_study *study)
{
    return study->kept;
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

static bool is_of_grid(const void *study, const char *key)
{
    for (size_t i = 0; i < weft_study_points(study); i++)
        if (strcmp(weft_study_point_key(study, i), key) == 0)
            return true;
    return false;
}

void weft_study_keep(const weft_study *study, weft_result *result)
{
    weft_result_keep(result, is_of_grid, study);
}

/* ", run it on so many processes or more", the least number of them that fits; nothing if none
 * does. */
static void say_what_fits(const weft_study *study, const weft_network *network, int64_t needed,
                          char *text, size_t size)
{
    weft_cost_plan plan = {.blocks = (uint32_t)study->options.blocks,
                           .threads = weft_study_threads(study, network, 1)};
    uint32_t routers = network->topology.routers;
    int64_t first = needed / study->memory + 1;
    plan.ranks = first < routers ? (uint32_t)first : routers;
    text[0] = '\0';
    for (; plan.ranks <= routers; plan.ranks += 1 + plan.ranks / 16) {
        weft_cost cost = weft_simulation_cost(network, &plan);
        if (cost.bytes_at_start / plan.ranks > study->memory ||
            cost.bytes_a_process > study->memory)
            continue;
        snprintf(text, size, ", run it on %u processes or more", plan.ranks);
        return;
    }
}

/* Estimates may be a fifth too high: what packets need while the network runs refuses it only
 * beyond. */
weft_status weft_study_afford(const weft_study *study, const weft_network *network, uint32_t ranks,
                              weft_error *err)
{
    weft_cost_plan plan = {.blocks = (uint32_t)study->options.blocks,
                           .ranks = ranks,
                           .threads = weft_study_threads(study, network, ranks)};
    weft_cost cost = weft_simulation_cost(network, &plan);
    double mib = 1 << 20, limit = (double)study->memory / mib;
    int64_t start = cost.bytes_at_start / ranks, least = cost.bytes_at_rest / ranks;
    bool steady = network->vcs > 0 ||
                  (network->rho < 1 && network->load < 1 && weft_network_reception(network) < 1);
    bool grows = steady && cost.bytes_a_process / 5 * 4 > study->memory;
    if (study->memory == 0 || (start <= study->memory && !grows))
        return WEFT_OK;
    char fits[64], each[64] = "";
    say_what_fits(study, network, cost.bytes_running, fits, sizeof fits);
    if (ranks > 1)
        snprintf(each, sizeof each, " in each of %u processes", ranks);
    if (least > study->memory)
        return weft_fail(
            err, WEFT_BAD_INPUT,
            "this network needs %.1f MiB%s before the first packet moves (%lld B per router, %u "
            "routers), %.1f MiB may be used: choose a smaller one%s%s, or allow more with --memory",
            (double)least / mib, each, (long long)cost.bytes_per_router, network->topology.routers,
            limit,
            network->scenario->measure.links == WEFT_LINKS_OFF ? "" : ", set measure.links: off",
            fits);
    return weft_fail(err, WEFT_BAD_INPUT,
                     "this network with its %s needs about %.1f MiB%s, %.1f MiB may be used: offer "
                     "less load%s%s, or allow more with --memory",
                     start > study->memory ? "packets of the first instants" : "packets in flight",
                     (double)(start > study->memory ? start : cost.bytes_a_process) / mib, each,
                     limit, network->scenario->endpoint.backlog > 0 ? " or backlog" : "", fits);
}

weft_comm *weft_study_team(const weft_study *study, const weft_network *network)
{
    return network->topology.routers >= LARGE ? study->comm : NULL;
}

/* Threads where so many points share the process. Processes that share a network all get the same
 * number, whatever machines they are on: into how many blocks it is cut follows from it. */
static uint32_t threads_beside(const weft_study *study, const weft_network *network, uint32_t ranks,
                               uint32_t beside)
{
    uint32_t wanted = (uint32_t)study->options.threads;
    if (wanted && study->options.blocks)
        return wanted; /* by hand */
    double events = weft_simulation_cost(network, &(weft_cost_plan){.threads = 1}).events_a_window;
    double part = ranks > 1 ? ranks : 1;
    uint32_t most = ranks > 1 ? study->least_threads : own_threads(study);
    return weft_schedule_threads(most / beside ? most / beside : 1, events / part,
                                 network->topology.routers / part);
}

uint32_t weft_study_threads(const weft_study *study, const weft_network *network, uint32_t ranks)
{
    return threads_beside(study, network, ranks, study->at_once);
}

typedef struct watcher { /* between the simulation's callbacks and the caller's */
    const weft_study *study;
    const weft_study_job *job;
    const char *key;
    const weft_timing *timing;
    unsigned seen; /* wishes for checkpoints */
} watcher;

static void watch(void *user, const weft_state *state)
{
    const watcher *w = user;
    const weft_study *study = w->study;
    if (weft_comm_rank(study->comm) > 0)
        return;
    double half = (state->latency.hi - state->latency.lo) / 2;
    weft_progress progress = {.point = w->job->point + 1,
                              .key = w->key,
                              .share = state->share,
                              .packets = (double)state->packets,
                              .packet_hops = (double)state->packet_hops,
                              .time = state->now,
                              .latency = weft_timing_value(w->timing, state->latency.value),
                              .half_width = weft_timing_value(w->timing, half),
                              .load = w->job->load,
                              .stable = w->job->stable,
                              .unstable = w->job->unstable};
    weft_monitor_tell(study->monitor, &study->options, &progress);
}

static weft_request request(void *user)
{
    watcher *w = user;
    const weft_sharing *sharing = w->job->sharing;
    if (sharing && weft_farm_serve(sharing->farm))
        return WEFT_REQUEST_STOP;
    return weft_monitor_ask(w->study->monitor, &w->study->options, &w->seen);
}

static void notice(void *user, const char *text)
{
    const watcher *w = user;
    weft_monitor_notice(w->study->monitor, &w->study->options, text);
}

weft_status weft_study_simulate(weft_study *study, const weft_study_job *job,
                                const weft_network *network, weft_simulation **simulation,
                                weft_ending *ending, weft_error *err)
{
    watcher w = {.study = study,
                 .job = job,
                 .key = network->scenario->key,
                 .timing = &network->timing,
                 .seen = weft_monitor_wishes(study->monitor)};
    weft_sharing *sharing = job->sharing;
    uint32_t ranks = weft_comm_size(job->team), beside = sharing ? sharing->beside : 1;
    weft_simulation_options options = {.blocks = (uint32_t)study->options.blocks,
                                       .threads = threads_beside(study, network, ranks, beside),
                                       .comm = job->team,
                                       .memory = sharing ? sharing->memory : study->memory,
                                       .half_width = job->half_width,
                                       .request = request,
                                       .progress = watch,
                                       .folder = job->folder,
                                       .period_s = study->options.checkpoint_s,
                                       .notice = notice,
                                       .user = &w};
    weft_status status = weft_study_afford(study, network, ranks, err);
    WEFT_TRY(weft_comm_agree(job->team, status, err)); /* machines differ in memory */
    WEFT_TRY(weft_simulation_create(network, &options, simulation, err));
    status = weft_simulation_run(*simulation, ending, err);
    if (status == WEFT_OK && *ending == WEFT_END_MEMORY && sharing && !sharing->whole) {
        sharing->later = true;
        status = weft_fail(err, WEFT_STOPPED, "it needs more than its part of the memory");
    }
    if (status == WEFT_OK && *ending == WEFT_END_INTERRUPTED)
        status = weft_fail(err, WEFT_STOPPED, "stopped%s",
                           weft_study_in_memory(study)
                               ? ""
                               : "; the same command goes on with the points that are missing");
    if (status != WEFT_OK)
        weft_simulation_destroy(*simulation);
    return status;
}

/* A network that can be simulated, or none. */
static weft_status build(weft_study_point *point, weft_error *err)
{
    WEFT_TRY(weft_network_build(&point->network, &point->scenario, &point->arena, err));
    weft_platform platform;
    weft_platform_init(&platform, &point->network);
    weft_status status = weft_platform_check(&platform, err);
    if (status != WEFT_OK)
        weft_network_done(&point->network);
    return status;
}

/* Threads are the most that a run may have: which process has which ranks must not depend on what
 * is known of the network only when they are read. */
static void set_part(const weft_study *study, const weft_comm *team, weft_study_point *point)
{
    point->part = (weft_job_part){.ranks = weft_comm_size(team),
                                  .rank = weft_comm_rank(team),
                                  .threads = study->least_threads,
                                  .blocks = (uint32_t)study->options.blocks,
                                  .find = weft_ownership_find};
    point->scenario.part = point->part.ranks > 1 ? &point->part : NULL;
}

weft_status weft_study_point_open(weft_study *study, size_t i, weft_study_point *point,
                                  weft_error *err)
{
    return weft_study_point_open_part(study, i, NULL, point, err);
}

weft_status weft_study_point_open_part(weft_study *study, size_t i, const weft_comm *team,
                                       weft_study_point *point, weft_error *err)
{
    weft_arena_init(&point->arena);
    weft_status status = weft_plan_point(study->plan, i, &point->arena, &point->scenario, err);
    if (status == WEFT_OK) {
        set_part(study, team, point);
        point->scenario.programs = study->programs;
        status = build(point, err);
    }
    point->built = status == WEFT_OK;
    if (status != WEFT_OK)
        weft_arena_done(&point->arena);
    return status;
}

void weft_study_point_close(weft_study_point *point)
{
    if (point->built)
        weft_network_done(&point->network);
    weft_arena_done(&point->arena);
}

weft_status weft_study_estimate(weft_study *study, size_t i, uint32_t members,
                                weft_schedule_item *item, weft_cost *cost, weft_error *err)
{
    weft_study_point point;
    uint32_t wanted = (uint32_t)study->options.ranks;
    assert(members >= 1);
    wanted = wanted < members ? wanted : members;
    const weft_comm *team = members > 1 && wanted != 1 ? study->comm : NULL;
    WEFT_TRY(weft_study_point_open_part(study, i, team, &point, err));
    if (wanted == 0 && weft_network_sees_all(&point.network))
        wanted = 1;
    *cost = weft_simulation_cost(
        &point.network, &(weft_cost_plan){.blocks = (uint32_t)study->options.blocks,
                                          .threads = weft_study_threads(study, &point.network, 1)});
    *item = (weft_schedule_item){.seconds = cost->seconds,
                                 .events_a_window = cost->events_a_window,
                                 .bytes = cost->bytes_running,
                                 .width = wanted};
    weft_status status = weft_study_afford(study, &point.network, wanted ? wanted : members, err);
    weft_study_point_close(&point);
    return status;
}
