/* SPDX-License-Identifier: Apache-2.0 */
/* PHOLD on the kernel against the bare wheel's hold loop. The two take turns; the best run of each
 * counts.
 *
 *     bench_phold                  the table
 *     bench_phold --count EVENTS   one run of 65,536 entities that prints its events: for
 *                                  callgrind */
#include "bare.h"
#include "measure.h"
#include "unit/phold.h"

#include <stdio.h>
#include <string.h>

#define ROUNDS 9

/* Runs about so many events more; returns how many were done. */
static uint64_t run(phold *model, uint64_t events)
{
    uint64_t before = weft_engine_events(model->engine);
    weft_time ticks = (weft_time)(events * 100 / model->entities);
    weft_engine_run(model->engine, weft_engine_now(model->engine) + ticks);
    return weft_engine_events(model->engine) - before;
}

static void compare(const char *name, uint32_t entities, uint64_t events)
{
    phold *model = phold_create(1, &entities, 1);
    (void)run(model, 4 * (uint64_t)entities); /* memory is touched, the wheel is in its stride */
    weft_best bare = {0}, ours = {0};
    for (int round = 0; round < ROUNDS; round++) {
        weft_stretch stretch = weft_stretch_start();
        uint64_t done = weft_bare_hold(entities, events);
        weft_stretch_stop(&stretch);
        weft_best_take(&bare, done, &stretch);
        stretch = weft_stretch_start();
        done = run(model, events);
        weft_stretch_stop(&stretch);
        weft_best_take(&ours, done, &stretch);
    }
    double bytes =
        (double)weft_engine_bytes(model->engine) + (double)sizeof(phold_entity) * (double)entities;
    printf("%-14s %10.2f %10.2f %7.3f %8.2f %10.1f %s\n", name, ours.rate * 1e-6, bare.rate * 1e-6,
           ours.rate / bare.rate, ours.cpu, bytes / 1048576,
           ours.busy || bare.busy ? "busy" : "idle");
    phold_destroy(model);
}

static int count(const char *events)
{
    const uint32_t entities = 65536;
    phold *model = phold_create(1, &entities, 1);
    printf("%llu\n", (unsigned long long)run(model, strtoull(events, NULL, 10)));
    phold_destroy(model);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--count") == 0)
        return count(argv[2]);
    printf("%-14s %10s %10s %7s %8s %10s\n", "bench", "M events/s", "bare", "ratio", "user s",
           "MiB");
    compare("phold-65536", 65536, 10000000);
    compare("phold-1048576", 1048576, 20000000);
    return 0;
}
