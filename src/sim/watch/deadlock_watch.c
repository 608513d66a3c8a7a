/* SPDX-License-Identifier: Apache-2.0 */
/* A deadlock is found PATIENCE + PERIOD latencies after the last of its packets came to stand,
 * at most. */
#include "sim/watch/deadlock_watch.h"

#include <string.h>

#define PATIENCE 8
#define PERIOD   11
#define STARVING 1000

void weft_deadlock_watch_init(weft_deadlock_watch *deadlock_watch, const weft_platform *platform,
                              weft_time interval)
{
    memset(deadlock_watch, 0, sizeof *deadlock_watch);
    if (!platform->router->waits)
        return;
    const weft_network *network = platform->network;
    weft_buffering b;
    weft_buffering_look(&b, platform);
    double latency =
        (network->mean_hops + 1) * (double)b.hop + network->mean_flits * (double)b.period;
    weft_time least = b.hop + b.credit + b.longest * b.period; /* what is on its way arrives */
    deadlock_watch->latency = latency < 1e12 ? (weft_time)latency : (weft_time)1e12;
    if (PATIENCE * deadlock_watch->latency < least)
        deadlock_watch->latency = least / PATIENCE + 1;
    deadlock_watch->waits.starving = (uint64_t)(STARVING * deadlock_watch->latency);
    deadlock_watch->interval = interval;
}

void weft_deadlock_watch_done(weft_deadlock_watch *deadlock_watch)
{
    weft_waits_done(&deadlock_watch->waits);
}

weft_time weft_deadlock_watch_due(const weft_deadlock_watch *deadlock_watch, weft_time now)
{
    return deadlock_watch->latency ? now + PERIOD * deadlock_watch->latency : INT64_MAX;
}

/* Where samples are frequent, not at all of them; which follows from the time alone. */
static bool is_time(const weft_deadlock_watch *deadlock_watch, weft_time now)
{
    weft_time period = PERIOD * deadlock_watch->latency, last = now - deadlock_watch->interval;
    return deadlock_watch->interval >= period || now / period != last / period;
}

int64_t weft_deadlock_watch_look(weft_deadlock_watch *deadlock_watch, const weft_instance *instance,
                                 weft_time now, bool whatever)
{
    weft_waits_clear(&deadlock_watch->waits);
    if (!deadlock_watch->latency || !(whatever || is_time(deadlock_watch, now)))
        return 0;
    for (uint32_t i = 0; i < instance->n_sites; i++)
        instance->platform.router->waits(&instance->sites[i], now,
                                         whatever ? 0 : PATIENCE * deadlock_watch->latency,
                                         &deadlock_watch->waits);
    return deadlock_watch->waits.queues;
}

bool weft_deadlock_watch_judge(weft_deadlock_watch *deadlock_watch, weft_comm *comm)
{
    weft_waits_gather(&deadlock_watch->waits, comm);
    memset(&deadlock_watch->knot, 0, sizeof deadlock_watch->knot);
    if (weft_comm_rank(comm) == 0)
        weft_knot_find(&deadlock_watch->waits, &deadlock_watch->knot);
    if (comm)
        comm->kind->broadcast(comm, &deadlock_watch->knot, sizeof deadlock_watch->knot);
    return deadlock_watch->knot.queues > 0;
}

int64_t weft_deadlock_watch_starved(weft_deadlock_watch *deadlock_watch,
                                    const weft_instance *instance, weft_comm *comm)
{
    (void)weft_deadlock_watch_look(deadlock_watch, instance, weft_engine_now(instance->engine),
                                   true);
    int64_t starved = deadlock_watch->waits.starved;
    if (comm)
        comm->kind->sum(comm, &starved, 1);
    return starved;
}
