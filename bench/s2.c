/* SPDX-License-Identifier: Apache-2.0 */
/* S2 on a torus of 16² and of 32³ routers at rho 0.3, through the whole simulation with its
 * statistics, against the bare torus loop. The two take turns; the best run of each counts.
 *
 *     bench_s2                   the table
 *     bench_s2 --count PACKETS   one run of 16² that prints its packet-hops: for callgrind */
#include "bare.h"
#include "base/memory.h"
#include "measure.h"
#include "scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 9

static void compare(const char *name, const char *dims, unsigned count, unsigned bits,
                    uint64_t packets)
{
    char limit[64];
    (void)snprintf(limit, sizeof limit, "packets: %llu", (unsigned long long)packets);
    weft_scene scene;
    weft_scene_open_s2(&scene, dims, 0, limit);
    weft_best bare = {0}, ours = {0};
    int64_t bytes = 0;
    for (int round = 0; round < ROUNDS; round++) {
        weft_stretch stretch = weft_stretch_start();
        uint64_t hops = weft_bare_torus(count, bits, 0.3, packets);
        weft_stretch_stop(&stretch);
        weft_best_take(&bare, hops, &stretch);
        stretch = weft_stretch_start();
        hops = weft_scene_run(&scene, &bytes);
        weft_stretch_stop(&stretch);
        weft_best_take(&ours, hops, &stretch);
    }
    printf("%-14s %10.2f %10.2f %7.3f %8.2f %10.1f %s\n", name, ours.rate * 1e-6, bare.rate * 1e-6,
           ours.rate / bare.rate, ours.cpu, (double)bytes / 1048576,
           ours.busy || bare.busy ? "busy" : "idle");
    weft_scene_close(&scene);
}

static int count(const char *packets)
{
    char limit[64];
    (void)snprintf(limit, sizeof limit, "packets: %lld", strtoll(packets, NULL, 10));
    weft_scene scene;
    weft_scene_open_s2(&scene, "16, 16", 0, limit);
    printf("%llu\n", (unsigned long long)weft_scene_run(&scene, NULL));
    weft_scene_close(&scene);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--count") == 0)
        return count(argv[2]);
    printf("%-14s %10s %10s %7s %8s %10s\n", "bench", "M hops/s", "bare", "ratio", "user s", "MiB");
    compare("s2-16x16", "16, 16", 2, 4, 500000);
    compare("s2-32x32x32", "32, 32, 32", 3, 5, 1000000);
    return 0;
}
