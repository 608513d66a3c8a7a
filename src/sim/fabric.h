/* SPDX-License-Identifier: Apache-2.0 */
/* From a network to something that runs: fabric, partition, sites and the engine over them. */
#ifndef WEFT_SIM_FABRIC_H
#define WEFT_SIM_FABRIC_H

#include "sim/deal.h"
#include "sim/router.h"

typedef struct weft_plant_plan {
    uint32_t blocks;         /* of all processes; 0: by size */
    unsigned threads;        /* of this process; 0 is 1 */
    weft_crew *crew;         /* NULL: this process alone */
    const weft_costs *costs; /* measured earlier; NULL: none */
    weft_time start;         /* first tick */
    weft_tally *tallies;     /* one per thread */
    bool timed, fixed;       /* see weft_engine_plan */
    const weft_trace *trace; /* NULL: nobody watches */
    weft_time interval;      /* between two meetings; 0: not known */
} weft_plant_plan;

typedef struct weft_plant {
    weft_fabric fabric;
    weft_partition partition;
    uint32_t *owner; /* rank of every block; NULL: all are ours */
    uint32_t n_sites;
    unsigned threads;
    weft_site *sites; /* per block of this process, by ascending number */
    weft_engine *engine;
} weft_plant;

/* Builds the part of the network that is this process'; nothing is in it yet. */
WEFT_MUST_USE weft_status weft_plant_open(weft_plant *plant, const weft_network *network,
                                          const weft_plant_plan *plan, weft_error *err);
/* Lets every source begin, from the engine's first tick on: from where the site's cursors stand. */
void weft_plant_start(weft_plant *plant);
void weft_plant_close(weft_plant *plant);
/* The site that holds a router, and its number there; NULL: it is another process'. */
weft_site *weft_plant_find(const weft_plant *plant, uint32_t router, uint32_t *local);
/* Bytes of this process' routers with their endpoints, at rest. */
int64_t weft_plant_bytes(const weft_plant *plant);

/* The fabric of a network, without building anything. */
void weft_fabric_init(weft_fabric *fabric, const weft_network *network);
/* Can it be simulated? What cannot is told with its place in the scenario. */
WEFT_MUST_USE weft_status weft_fabric_check(const weft_fabric *fabric, weft_error *err);
int64_t weft_fabric_bytes(const weft_fabric *fabric); /* one router with its endpoints, at rest */
uint32_t weft_fabric_hops_max(const weft_network *network);

#endif
