/* SPDX-License-Identifier: Apache-2.0 */
/* Ticks in records and packets are kept in 32 bits and compared by their difference. The sweep
 * brings those that lie far back forward before they look like the future. */
#ifndef WEFT_SIM_ROUTER_INPUT_QUEUED_SWEEP_H
#define WEFT_SIM_ROUTER_INPUT_QUEUED_SWEEP_H

#include "sim/router/input_queued/record.h"

/* At a sync point, at tick `now`; does nothing if the last sweep is not long ago. Sync points
 * are at most WEFT_SWEEP apart. */
void weft_iq_sweep(weft_iq *iq, weft_time now);

#endif
