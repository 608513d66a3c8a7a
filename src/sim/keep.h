/* SPDX-License-Identifier: Apache-2.0 */
/* The routers of an instance in a checkpoint: primary state by global number, in chunks of the
 * *chart*, a cut of the network that depends on nothing but its size. Wake-ups, timers, outboxes
 * and mailboxes are derived and not written. */
#ifndef WEFT_SIM_KEEP_H
#define WEFT_SIM_KEEP_H

#include "kernel/checkpoint.h"
#include "sim/platform.h"

/* Boxes of the chart. */
uint32_t weft_keep_boxes(const weft_topology *topology);

/* Writes all routers of this process and the packets on their way to them. */
WEFT_MUST_USE weft_status weft_keep_write(const weft_instance *instance, weft_checkpoint_part *part,
                                          weft_error *err);
/* Reads those of this process from what any processes wrote, into an instance that has just been
 * opened. */
WEFT_MUST_USE weft_status weft_keep_read(weft_instance *instance, const weft_checkpoint *checkpoint,
                                         weft_error *err);
/* What each box has cost so far. */
void weft_keep_costs(const weft_checkpoint *checkpoint, weft_costs *costs);

#endif
