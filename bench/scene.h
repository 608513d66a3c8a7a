/* SPDX-License-Identifier: Apache-2.0 */
/* A scenario from text to a network that can be simulated, as the study does it. */
#ifndef WEFT_BENCH_SCENE_H
#define WEFT_BENCH_SCENE_H

#include "config/scenario.h"
#include "net/network.h"
#include "sim/simulation.h"

typedef struct weft_scene {
    weft_registry registry;
    weft_arena arena;
    weft_scenario scenario;
    weft_network network;
} weft_scene;

/* Ends the program with the message if something went wrong. */
void weft_scene_must(weft_status status, const weft_error *err);
/* Ends the program with a message if the text is wrong. */
void weft_scene_open(weft_scene *scene, const char *text);
/* The first point of a scenario file; overrides: "key=value", NULL-terminated. */
void weft_scene_open_file(weft_scene *scene, const char *file, const char *const *overrides);
void weft_scene_close(weft_scene *scene);
/* Uniform Poisson traffic of exponential 64-flit packets through S2 routers in dimension order.
 * dims: "16, 16"; latency: cycles; limit: "packets: 50000"; rho 0.3 or as given. */
void weft_scene_open_s2(weft_scene *scene, const char *dims, unsigned latency, const char *limit);
void weft_scene_open_s2_at(weft_scene *scene, const char *dims, unsigned latency, double rho,
                           const char *limit);
/* Packet-hops of the packets of this process that are still on their way. */
int64_t weft_scene_under_way(const weft_simulation *simulation);
/* All packet-hops; under_way: of all processes. */
uint64_t weft_scene_hops(const weft_simulation *simulation, int64_t under_way);
/* Runs a new simulation of the scene to its end; returns the packet-hops.
 * bytes: what the simulation held at the end; may be NULL. */
uint64_t weft_scene_run(const weft_scene *scene, int64_t *bytes);

#endif
