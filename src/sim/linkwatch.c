/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/linkwatch.h"

#include "base/memory.h"

#define FIRST 32 /* intervals before the first look */

static size_t bytes(const weft_plant *plant)
{
    const weft_topology *topology = &plant->fabric.network->topology;
    return sizeof(int64_t) * topology->routers * topology->ports;
}

void weft_linkwatch_open(weft_linkwatch *watch, const weft_plant *plant, int64_t fixed)
{
    *watch = (weft_linkwatch){.plant = plant, .fixed = fixed};
    watch->busy = weft_region_create(bytes(plant));
}

void weft_linkwatch_close(weft_linkwatch *watch)
{
    if (watch->plant)
        weft_region_destroy(watch->busy, bytes(watch->plant));
    *watch = (weft_linkwatch){0};
}

static int64_t busy_now(const weft_linkwatch *watch, uint32_t router, uint32_t port, weft_time now)
{
    const weft_plant *plant = watch->plant;
    weft_place place = weft_partition_place(&plant->partition, router);
    return plant->fabric.router->link_busy(&plant->site[place.block], place.local, port, now);
}

void weft_linkwatch_look(weft_linkwatch *watch, uint64_t intervals, weft_time now)
{
    bool due = watch->fixed >= 0 ? intervals == (uint64_t)watch->fixed
                                 : intervals >= FIRST && (intervals & (intervals - 1)) == 0;
    if (!watch->plant || !due)
        return;
    const weft_topology *topology = &watch->plant->fabric.network->topology;
    watch->since = now;
    for (uint32_t r = 0; r < topology->routers; r++)
        for (uint32_t p = 0; p < topology->ports; p++)
            watch->busy[(size_t)r * topology->ports + p] = busy_now(watch, r, p, now);
}

int64_t weft_linkwatch_busy(const weft_linkwatch *watch, uint32_t router, uint32_t port,
                            weft_time now)
{
    uint32_t ports = watch->plant->fabric.network->topology.ports;
    return busy_now(watch, router, port, now) - watch->busy[(size_t)router * ports + port];
}
