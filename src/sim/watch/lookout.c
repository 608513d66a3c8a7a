/* SPDX-License-Identifier: Apache-2.0 */
/* A deadlock is found PATIENCE + PERIOD latencies after the last of its packets came to stand,
 * at most. */
#include "sim/watch/lookout.h"

#include <string.h>

#define PATIENCE 8
#define PERIOD   11
#define STARVING 1000

void weft_lookout_init(weft_lookout *lookout, const weft_fabric *fabric, weft_time interval)
{
    memset(lookout, 0, sizeof *lookout);
    if (!fabric->router->waits)
        return;
    const weft_network *network = fabric->network;
    weft_buffering b;
    weft_buffering_look(&b, fabric);
    double latency =
        (network->mean_hops + 1) * (double)b.hop + network->mean_flits * (double)b.period;
    weft_time least = b.hop + b.credit + b.longest * b.period; /* what is on its way arrives */
    lookout->latency = latency < 1e12 ? (weft_time)latency : (weft_time)1e12;
    if (PATIENCE * lookout->latency < least)
        lookout->latency = least / PATIENCE + 1;
    lookout->waits.starving = (uint64_t)(STARVING * lookout->latency);
    lookout->interval = interval;
}

void weft_lookout_done(weft_lookout *lookout)
{
    weft_waits_done(&lookout->waits);
}

weft_time weft_lookout_due(const weft_lookout *lookout, weft_time now)
{
    return lookout->latency ? now + PERIOD * lookout->latency : INT64_MAX;
}

/* Where samples are frequent, not at all of them; which follows from the time alone. */
static bool is_time(const weft_lookout *lookout, weft_time now)
{
    weft_time period = PERIOD * lookout->latency, last = now - lookout->interval;
    return lookout->interval >= period || now / period != last / period;
}

int64_t weft_lookout_look(weft_lookout *lookout, const weft_plant *plant, weft_time now,
                          bool whatever)
{
    weft_waits_clear(&lookout->waits);
    if (!lookout->latency || !(whatever || is_time(lookout, now)))
        return 0;
    for (uint32_t i = 0; i < plant->n_sites; i++)
        plant->fabric.router->waits(&plant->sites[i], now,
                                    whatever ? 0 : PATIENCE * lookout->latency, &lookout->waits);
    return lookout->waits.queues;
}

bool weft_lookout_judge(weft_lookout *lookout, weft_crew *crew)
{
    weft_waits_gather(&lookout->waits, crew);
    memset(&lookout->knot, 0, sizeof lookout->knot);
    if (weft_crew_rank(crew) == 0)
        weft_knot_find(&lookout->waits, &lookout->knot);
    if (crew)
        crew->kind->broadcast(crew, &lookout->knot, sizeof lookout->knot);
    return lookout->knot.queues > 0;
}

int64_t weft_lookout_starved(weft_lookout *lookout, const weft_plant *plant, weft_crew *crew)
{
    (void)weft_lookout_look(lookout, plant, weft_engine_now(plant->engine), true);
    int64_t starved = lookout->waits.starved;
    if (crew)
        crew->kind->sum(crew, &starved, 1);
    return starved;
}
