/* SPDX-License-Identifier: Apache-2.0 */
/* One tick of input-queued routers. */
#ifndef WEFT_SIM_ROUTER_INPUT_QUEUED_RUN_H
#define WEFT_SIM_ROUTER_INPUT_QUEUED_RUN_H

#include "sim/router/input_queued/record.h"

/* The code for a site's routers, once its layouts are known. */
weft_iq_runner weft_iq_choose_run(const weft_iq *iq);
/* Delivers the events of a tick, in any order, and decides. */
void weft_iq_run(weft_iq *iq, weft_block *block, const weft_batch *batch);

#endif
