/* SPDX-License-Identifier: Apache-2.0 */
/* What devices have done over a span that begins after the warm-up: the counters of routers'
 * ports, and how many messages every source has sent. Like links (linkwatch.h) they are
 * remembered at times and compared with the end. A source's cursor counts its messages anyway,
 * so fairness costs a mark for each. */
#ifndef WEFT_SIM_WATCH_DEVICEWATCH_H
#define WEFT_SIM_WATCH_DEVICEWATCH_H

#include "sim/platform.h"
#include "sim/simulation.h"

/* Marks of one router: what its counters and its sources said. */
uint32_t weft_devicewatch_marks(const weft_platform *platform);
/* Remembers all of this process' devices. */
void weft_devicewatch_note(const weft_instance *instance, weft_time now);
/* All members of the communicator (NULL: alone) together; on rank 0 both are filled, with malloc'ed
 * lists. */
void weft_devicewatch_collect(const weft_instance *instance, weft_comm *comm, weft_time since,
                              weft_time now, weft_device_loads *devices, weft_fairness *fairness);

#endif
