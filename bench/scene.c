/* SPDX-License-Identifier: Apache-2.0 */
/* The line of arrows from text to network, without results. */
#include "scene.h"

#include "sim/run.h"
#include "study/kinds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void weft_scene_must(weft_status status, const weft_error *err)
{
    if (status == WEFT_OK)
        return;
    (void)fprintf(stderr, "%s\n", err->text);
    exit(1);
}

static void begin(weft_scene *scene)
{
    *scene = (weft_scene){0};
    weft_registry_init(&scene->registry);
    weft_kinds_register(&scene->registry);
    weft_arena_init(&scene->arena);
}

static void build(weft_scene *scene, const weft_plan *plan)
{
    weft_error err;
    weft_scene_must(weft_plan_point(plan, 0, &scene->arena, &scene->scenario, &err), &err);
    weft_scene_must(weft_network_build(&scene->network, &scene->scenario, &scene->arena, &err),
                    &err);
}

void weft_scene_open(weft_scene *scene, const char *text)
{
    weft_error err;
    weft_plan *plan;
    begin(scene);
    weft_scene_must(weft_plan_read_text("bench", text, strlen(text), NULL, &scene->registry,
                                        &scene->arena, &plan, &err),
                    &err);
    build(scene, plan);
}

void weft_scene_open_file(weft_scene *scene, const char *file, const char *const *overrides)
{
    weft_error err;
    weft_plan *plan;
    begin(scene);
    weft_scene_must(weft_plan_read(file, overrides, &scene->registry, &scene->arena, &plan, &err),
                    &err);
    build(scene, plan);
}

void weft_scene_close(weft_scene *scene)
{
    weft_network_done(&scene->network);
    weft_arena_done(&scene->arena);
    weft_registry_done(&scene->registry);
}

void weft_scene_open_s2(weft_scene *scene, const char *dims, unsigned latency, const char *limit)
{
    weft_scene_open_s2_at(scene, dims, latency, 0.3, limit);
}

void weft_scene_open_s2_at(weft_scene *scene, const char *dims, unsigned latency, double rho,
                           const char *limit)
{
    char text[1024];
    (void)snprintf(text, sizeof text,
                   "interweft: 1\n"
                   "topology: {kind: torus, dims: [%s]}\n"
                   "links: {latency: %u cycles}\n"
                   "routing: {kind: minimal-oblivious, selection: dimension-order}\n"
                   "traffic:\n"
                   "  all: {pattern: uniform, arrival: poisson,\n"
                   "        length: {kind: exponential, mean: 64 flits}, rho: %.17g}\n"
                   "measure: {by: hops, half-width: 0.0001%%, links: off, limit: {%s}}\n",
                   dims, latency, rho, limit);
    weft_scene_open(scene, text);
}

static void count_hops(void *user, uint32_t block, weft_time at, const weft_event *event)
{
    int64_t *hops = user;
    (void)block;
    (void)at;
    if (weft_event_packet(event))
        *hops += weft_packet_hops(event);
}

int64_t weft_scene_under_way(const weft_simulation *simulation)
{
    int64_t hops = 0;
    weft_engine_visit(simulation->instance.engine, count_hops, &hops);
    return hops;
}

uint64_t weft_scene_hops(const weft_simulation *simulation, int64_t under_way)
{
    const weft_series *series = weft_simulation_series(simulation);
    return (uint64_t)(under_way + (int64_t)weft_series_total(series, WEFT_COL_HOPS));
}

uint64_t weft_scene_run(const weft_scene *scene, int64_t *bytes)
{
    weft_error err;
    weft_simulation *simulation;
    weft_ending ending;
    weft_simulation_options options = {0};
    weft_scene_must(weft_simulation_create(&scene->network, &options, &simulation, &err), &err);
    weft_scene_must(weft_simulation_run(simulation, &ending, &err), &err);
    uint64_t hops = weft_scene_hops(simulation, weft_scene_under_way(simulation));
    if (bytes)
        *bytes = weft_simulation_bytes(simulation);
    weft_simulation_destroy(simulation);
    return hops;
}
