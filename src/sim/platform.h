/* SPDX-License-Identifier: Apache-2.0 */
/* An instance of a simulation: a network with its platform, partition, sites and engine. */
#ifndef WEFT_SIM_PLATFORM_H
#define WEFT_SIM_PLATFORM_H

#include "sim/rank_map.h"
#include "sim/router.h"

typedef struct weft_instance_plan {
    uint32_t blocks;              /* of all processes; 0: by size */
    unsigned threads;             /* of this process; 0 is 1 */
    weft_comm *comm;              /* NULL: this process alone */
    const weft_costs *costs;      /* measured earlier; NULL: none */
    weft_time start;              /* first tick */
    weft_tally *tallies;          /* one per thread */
    bool timed, fixed;            /* see weft_engine_plan */
    const weft_trace *trace;      /* NULL: none */
    struct weft_slowest *slowest; /* NULL: nobody asks */
    weft_time interval;           /* between two sync points; 0: not known */
} weft_instance_plan;

typedef struct weft_instance {
    weft_platform platform;
    weft_partition partition;
    uint32_t *owner; /* rank of every block; NULL: all are ours */
    uint32_t n_sites;
    unsigned threads;
    weft_site *sites; /* per block of this process, by ascending number */
    weft_engine *engine;
} weft_instance;

/* Builds this process' part of the network, without packets. */
WEFT_MUST_USE weft_status weft_instance_open(weft_instance *instance, const weft_network *network,
                                             const weft_instance_plan *plan, weft_error *err);
/* Starts every source at its cursor, from the engine's first tick on. */
void weft_instance_start(weft_instance *instance);
void weft_instance_close(weft_instance *instance);
/* The site that holds a router, and its number there; NULL: it is another process'. */
weft_site *weft_instance_find(const weft_instance *instance, uint32_t router, uint32_t *local);
/* Bytes of this process' routers with their endpoints, at rest. */
int64_t weft_instance_bytes(const weft_instance *instance);

/* The platform of a network, without building anything. */
void weft_platform_init(weft_platform *platform, const weft_network *network);
/* Refuses a platform that cannot be simulated, with its place in the scenario. */
WEFT_MUST_USE weft_status weft_platform_check(const weft_platform *platform, weft_error *err);
/* Bytes of one router with its endpoints, at rest. */
int64_t weft_platform_bytes(const weft_platform *platform);
uint32_t weft_platform_hops_max(const weft_network *network);

#endif
