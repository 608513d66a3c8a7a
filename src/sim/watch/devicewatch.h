/* SPDX-License-Identifier: Apache-2.0 */
/* Counters of devices over a span that begins after the warm-up (snapshot.h): those of routers'
 * ports, and the messages of every source. The cursor of a source counts its messages anyway, so
 * fairness costs one number per source. */
#ifndef WEFT_SIM_WATCH_DEVICEWATCH_H
#define WEFT_SIM_WATCH_DEVICEWATCH_H

#include "sim/simulation.h"
#include "sim/watch/snapshot.h"

/* Numbers in the snapshot of one router: its counters and its sources. */
uint32_t weft_devicewatch_words(const weft_platform *platform);
/* The snapshot of one router. */
void weft_devicewatch_note(const weft_site *site, uint32_t router, weft_time now, int64_t *words);
/* By all ranks (comm NULL: alone) together; on rank 0 both are filled, with malloc'ed lists. */
void weft_devicewatch_collect(const weft_snapshots *before, weft_comm *comm, weft_time now,
                              weft_device_loads *devices, weft_fairness *fairness);

#endif
