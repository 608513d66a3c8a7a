/* SPDX-License-Identifier: Apache-2.0 */
/* Closed loop: ranks of a program that wait for messages, on a fat tree of 1,024 endpoints with
 * credits. Recursive doubling of 8 bytes again and again; a message is a packet of one flit.
 * Messages per second of user time and instructions of each, network and hosts together; the bound
 * that `weft run` adds is not in it.
 *
 *     bench_closed                          three levels of 16-port, two of 64-port switches
 *     bench_closed --count REPEATS [TREE]   prints its messages, for callgrind
 */
#include "measure.h"
#include "scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TREE_16 "form: m-port, arity: 16, levels: 3"
#define TREE_64 "arity: 32, levels: 2"

static uint64_t run(const char *tree, long repeats)
{
    char text[1024];
    weft_scene scene;
    weft_error err;
    weft_ending ending;
    weft_simulation *simulation;
    weft_simulation_options options = {0};
    (void)snprintf(text, sizeof text,
                   "interweft: 1\n"
                   "topology: {kind: fat-tree, %s}\n"
                   "links: {latency: 10 cycles, flit: 8 B}\n"
                   "router: {kind: input-queued, vcs: 2, buffer: 16 flits}\n"
                   "routing: {kind: d-mod-k}\n"
                   "endpoint: {mtu: 64 B}\n"
                   "host: {overhead: 100 cycles}\n"
                   "jobs:\n"
                   "  reduce: {collective: allreduce/recursive-doubling, ranks: 1024, size: 8 B,\n"
                   "           repeat: %ld}\n",
                   tree, repeats);
    weft_scene_open(&scene, text);
    weft_scene_must(weft_simulation_create(&scene.network, &options, &simulation, &err), &err);
    weft_scene_must(weft_simulation_run(simulation, &ending, &err), &err);
    uint64_t messages =
        (uint64_t)weft_series_total(weft_simulation_series(simulation), WEFT_COL_DELIVERED);
    weft_simulation_destroy(simulation);
    weft_scene_close(&scene);
    return messages;
}

static void show(const char *name, const char *tree)
{
    weft_best best = {0};
    for (int round = 0; round < 5; round++) {
        weft_stretch stretch = weft_stretch_start();
        uint64_t messages = run(tree, 100);
        weft_stretch_stop(&stretch);
        weft_best_take(&best, messages, &stretch);
    }
    printf("%-16s %8.2f %s\n", name, best.rate * 1e-6, best.busy ? "busy" : "idle");
}

int main(int argc, char **argv)
{
    if (argc >= 3 && strcmp(argv[1], "--count") == 0) {
        uint64_t messages = run(argc > 3 ? argv[3] : TREE_16, strtol(argv[2], NULL, 10));
        printf("%llu\n", (unsigned long long)messages);
        return 0;
    }
    printf("%-16s %8s\n", "fat tree", "M mess/s");
    show("16 ports, 3", TREE_16);
    show("64 ports, 2", TREE_64);
    return 0;
}
