/* SPDX-License-Identifier: Apache-2.0 */
/* One input-queued router with its packets and its endpoints' next ones as bytes, and back.
 * Bounds and wake-ups are derived and not written; so are the packets' outputs. */
#ifndef WEFT_SIM_ROUTER_INPUT_QUEUED_SAVE_H
#define WEFT_SIM_ROUTER_INPUT_QUEUED_SAVE_H

#include "base/pack.h"
#include "sim/router/input_queued/record.h"

void weft_iq_save(const weft_iq *iq, uint32_t router, weft_pack *pack);
/* What makes no sense fails the reader. */
void weft_iq_load(weft_iq *iq, uint32_t router, weft_time now, weft_unpack *from);

/* A credit that was on its way. Where routers of a block write credits straight into each
 * other's records it is written, too: one that came later could be known before it otherwise. */
bool weft_iq_load_credit(weft_iq *iq, uint32_t router, const weft_event *event, weft_time at,
                         weft_time now, weft_unpack *from);

#endif
