/* SPDX-License-Identifier: Apache-2.0 */
/* A million routers: 32⁴ torus, rho 0.3, 16-cycle links, 2,000 cycles, one core. Before it, what a
 * router with its endpoint costs at rest: the growth of the resident set by an idle 16⁴ torus.
 *
 *     bench_million [CYCLES] */
#include "base/memory.h"
#include "measure.h"
#include "scene.h"

#include <stdio.h>
#include <stdlib.h>

/* Resident bytes per router of a network that has been built and not run. */
static double rest(const char *dims, double routers)
{
    weft_scene scene;
    weft_scene_open_s2(&scene, dims, 16, "time: 1000 cycles");
    int64_t before = weft_memory_resident();
    weft_error err;
    weft_simulation *simulation;
    weft_simulation_options options = {0};
    if (weft_simulation_create(&scene.network, &options, &simulation, &err) != WEFT_OK) {
        (void)fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    double bytes = (double)(weft_memory_resident() - before) / routers;
    weft_simulation_destroy(simulation);
    weft_scene_close(&scene);
    return bytes;
}

int main(int argc, char **argv)
{
    char limit[64];
    (void)snprintf(limit, sizeof limit, "time: %lld cycles",
                   argc > 1 ? strtoll(argv[1], NULL, 10) : 2000);
    printf("%-14s %10s %8s %8s %10s\n", "bench", "M hops/s", "wall s", "user s", "peak MiB");
    double at_rest = rest("16, 16, 16, 16", 65536);
    weft_scene scene;
    weft_scene_open_s2(&scene, "32, 32, 32, 32", 16, limit);
    weft_stretch stretch = weft_stretch_start();
    uint64_t hops = weft_scene_run(&scene, NULL);
    weft_stretch_stop(&stretch);
    weft_scene_close(&scene);
    printf("%-14s %10.2f %8.2f %8.2f %10.1f %s\n", "million", (double)hops / stretch.cpu * 1e-6,
           stretch.wall, stretch.cpu, (double)weft_memory_peak() / 1048576,
           stretch.busy ? "busy" : "idle");
    printf("%-14s %10.0f bytes per router with its endpoint, 4D torus\n", "at-rest", at_rest);
    return 0;
}
