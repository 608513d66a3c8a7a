/* SPDX-License-Identifier: Apache-2.0 */
/* The input-queued router on a torus: traversals (a packet granted its way through a router) per
 * second of user time, events and instructions of each, memory. Generation, statistics and
 * links' loads included; uniform traffic, 4 VCs, buffers of 4 packets, link 1, crossbar 1,
 * stages 2, credit 2 unless told otherwise.
 *
 *     bench_router                            the table
 *     bench_router --million [TICKS]          32^4 routers, 16-cycle links, rho .3, 600 ticks
 *     bench_router --count TICKS DIMS FLITS LOAD [SETTINGS]   prints its traversals, for callgrind
 */
#include "base/memory.h"
#include "measure.h"
#include "scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct sample {
    int64_t traversals, events;
    int64_t bytes, endpoints;
    int64_t hops; /* made, by packets on their way too */
    double accepted;
} sample;

/* Settings: more of the router's. */
static void open_scene(weft_scene *scene, const char *dims, unsigned latency, unsigned flits,
                       const char *load, const char *settings)
{
    char text[1024];
    (void)snprintf(text, sizeof text,
                   "interweft: 1\n"
                   "topology: {kind: torus, dims: [%s]}\n"
                   "links: {latency: %u cycles}\n"
                   "router: {kind: input-queued, vcs: 4, buffer: %u flits%s}\n"
                   "routing: {kind: dimension-order}\n"
                   "traffic:\n"
                   "  all: {pattern: uniform, arrival: poisson, length: %u flits, %s}\n"
                   "measure: {half-width: 0.0001%%, warmup: 0 cycles,\n"
                   "          limit: {time: 16777216 cycles, packets: 1000000000000}}\n",
                   dims, latency, flits == 1 ? 8 : 4 * flits, settings, flits, load);
    weft_scene_open(scene, text);
}

typedef struct stop { /* at the first sampling time at or after `tick` */
    weft_simulation *simulation;
    weft_time tick;
} stop;

static weft_request request(void *user)
{
    const stop *at = user;
    return weft_simulation_now(at->simulation) >= at->tick ? WEFT_REQUEST_STOP : WEFT_REQUEST_NONE;
}

static sample run(const weft_scene *scene, weft_time ticks)
{
    weft_error err;
    weft_ending ending;
    stop at = {.tick = ticks};
    weft_simulation_options options = {.request = request, .user = &at};
    sample found = {.endpoints = scene->network.endpoints};
    weft_scene_must(weft_simulation_create(&scene->network, &options, &at.simulation, &err), &err);
    weft_simulation *simulation = at.simulation;
    weft_scene_must(weft_simulation_run(simulation, &ending, &err), &err);
    const weft_series *series = weft_simulation_series(simulation);
    int64_t delivered = (int64_t)weft_series_total(series, WEFT_COL_DELIVERED);
    found.traversals = delivered + (int64_t)weft_series_total(series, WEFT_COL_HOPS);
    found.events = (int64_t)weft_simulation_events(simulation);
    found.bytes = weft_simulation_bytes(simulation);
    found.accepted = (double)(int64_t)weft_series_total(series, WEFT_COL_FLITS) /
                     ((double)weft_simulation_now(simulation) * (double)found.endpoints);
    found.hops = weft_simulation_links(simulation)->total / (int64_t)scene->network.mean_flits;
    weft_simulation_destroy(simulation);
    return found;
}

static void show(const char *dims, unsigned flits, double load, const char *settings,
                 long long ticks)
{
    weft_scene scene;
    weft_best best = {0};
    sample found = {0};
    char text[32];
    (void)snprintf(text, sizeof text, "load: %g", load);
    open_scene(&scene, dims, 1, flits, text, settings);
    for (int round = 0; round < 3; round++) {
        weft_stretch stretch = weft_stretch_start();
        found = run(&scene, ticks);
        weft_stretch_stop(&stretch);
        weft_best_take(&best, (uint64_t)found.traversals, &stretch);
    }
    weft_scene_close(&scene);
    printf("%-12s %5u %5.2f %-14s %9.3f %8.2f %8.2f %10.0f %s\n", dims, flits, load,
           *settings ? settings + 2 : "", found.accepted, best.rate * 1e-6,
           (double)found.events / (double)found.traversals,
           (double)found.bytes / (double)found.endpoints, best.busy ? "busy" : "idle");
}

static int million(const char *ticks)
{
    weft_scene scene;
    open_scene(&scene, "32, 32, 32, 32", 16, 16, "rho: 0.3", "");
    weft_stretch stretch = weft_stretch_start();
    sample found = run(&scene, strtoll(ticks, NULL, 10));
    weft_stretch_stop(&stretch);
    weft_scene_close(&scene);
    printf("%-14s %10s %8s %8s %10s\n", "bench", "M hops/s", "wall s", "user s", "peak MiB");
    printf("%-14s %10.2f %8.2f %8.2f %10.1f %s\n", "router-million",
           (double)found.hops / stretch.cpu * 1e-6, stretch.wall, stretch.cpu,
           (double)weft_memory_peak() / 1048576, stretch.busy ? "busy" : "idle");
    return 0;
}

int main(int argc, char **argv)
{
    if (argc >= 2 && strcmp(argv[1], "--million") == 0)
        return million(argc > 2 ? argv[2] : "600");
    if (argc >= 6 && strcmp(argv[1], "--count") == 0) {
        weft_scene scene;
        char load[32];
        (void)snprintf(load, sizeof load, "load: %s", argv[5]);
        open_scene(&scene, argv[3], 1, (unsigned)strtoul(argv[4], NULL, 10), load,
                   argc > 6 ? argv[6] : "");
        printf("%lld\n", (long long)run(&scene, strtoll(argv[2], NULL, 10)).traversals);
        weft_scene_close(&scene);
        return 0;
    }
    printf("%-12s %5s %5s %-14s %9s %8s %8s %10s\n", "torus", "flits", "load", "", "accepted",
           "M trav/s", "events", "B/endpoint");
    const double loads[] = {.1, .3, .6, 1};
    for (int i = 0; i < 4; i++)
        show("8, 8", 16, loads[i], "", 100000);
    for (int i = 0; i < 4; i++)
        show("8, 8, 8, 8", 16, i == 2 ? .65 : loads[i], "", 4000);
    show("8, 8, 8, 8", 16, .5, "", 4000);
    for (int i = 1; i < 4; i++)
        show("8, 8, 8, 8", 16, i == 2 ? .65 : loads[i], ", queues: voq", 4000);
    show("8, 8", 1, .1, "", 20000);
    show("8, 8", 1, .5, "", 20000);
    return 0;
}
