/* SPDX-License-Identifier: Apache-2.0 */
/* The same network with one of its jobs. */
#include "net/network.h"

const weft_network *weft_network_alone(const weft_network *network, uint32_t job, weft_arena *arena)
{
    weft_network *alone = WEFT_TAKE(arena, weft_network, 1);
    weft_job_set *set = WEFT_TAKE(arena, weft_job_set, 1);
    *alone = *network;
    *set = *network->jobs;
    set->jobs = WEFT_TAKE(arena, weft_job, set->n_jobs);
    for (uint32_t j = 0; j < set->n_jobs; j++) {
        set->jobs[j] = network->jobs->jobs[j];
        set->jobs[j].after = WEFT_NOWHERE;
        set->jobs[j].background = set->jobs[j].silent = j != job;
    }
    alone->jobs = set;
    for (uint32_t f = 0; f + 1 < alone->n_traffic_classes; f++) {
        weft_traffic_class *traffic_class = &alone->traffic_classes[f];
        traffic_class->traffic.stop = 0;
        traffic_class->workload.self = &traffic_class->traffic;
    }
    return alone;
}
