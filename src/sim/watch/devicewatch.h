/* SPDX-License-Identifier: Apache-2.0 */
/* Counters of devices over a span that begins after the warm-up: those of routers' ports, and the
 * messages of every source. As for links (linkwatch.h), the end is compared with a snapshot. The
 * cursor of a source counts its messages anyway, so fairness costs one number per source. */
#ifndef WEFT_SIM_WATCH_DEVICEWATCH_H
#define WEFT_SIM_WATCH_DEVICEWATCH_H

#include "sim/platform.h"
#include "sim/simulation.h"

/* Numbers in the snapshot of one router: its counters and its sources. */
uint32_t weft_devicewatch_marks(const weft_platform *platform);
/* Takes a snapshot of all devices of this process. */
void weft_devicewatch_note(const weft_instance *instance, weft_time now);
/* By all ranks (comm NULL: alone) together; on rank 0 both are filled, with malloc'ed lists. */
void weft_devicewatch_collect(const weft_instance *instance, weft_comm *comm, weft_time since,
                              weft_time now, weft_device_loads *devices, weft_fairness *fairness);

#endif
