/* SPDX-License-Identifier: Apache-2.0 */
/* From a network to something that runs: fabric, partition, sites and the engine over them. */
#ifndef WEFT_SIM_FABRIC_H
#define WEFT_SIM_FABRIC_H

#include "sim/router.h"

typedef struct weft_plant {
    weft_fabric fabric;
    weft_partition partition;
    weft_site *site; /* per block */
    weft_engine *engine;
} weft_plant;

/* All sites count into `tally`. */
WEFT_MUST_USE weft_status weft_plant_open(weft_plant *plant, const weft_network *network,
                                          uint32_t blocks, weft_tally *tally, weft_error *err);
void weft_plant_close(weft_plant *plant);
/* Counts messages that wait at their sources up to tick `now`; returns how many there are. */
int64_t weft_plant_count(weft_plant *plant, weft_time now);
int64_t weft_plant_bytes_per_router(const weft_plant *plant);

/* The fabric of a network, without building anything. */
void weft_fabric_init(weft_fabric *fabric, const weft_network *network);
int64_t weft_fabric_bytes(const weft_fabric *fabric); /* one router with its endpoints, at rest */
uint32_t weft_fabric_hops_max(const weft_network *network);

#endif
