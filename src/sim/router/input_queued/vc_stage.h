/* SPDX-License-Identifier: Apache-2.0 */
/* The optional VC-allocation stage: a packet is given its output VC one tick before it may ask
 * for the crossbar, and owns it until its tail has left. */
#ifndef WEFT_SIM_ROUTER_INPUT_QUEUED_VC_STAGE_H
#define WEFT_SIM_ROUTER_INPUT_QUEUED_VC_STAGE_H

#include "sim/router/input_queued/record.h"

/* Gives VCs to the fronts that ask for one at t; *bound is brought forward to the number of
 * ticks until it must be called again. */
void weft_iq_allocate_vcs(weft_iq *iq, char *record, uint32_t t, uint32_t *bound);

/* The owner of a VC was granted the crossbar; its tail leaves at `end`. */
static inline void weft_iq_release_vc(const weft_iq_layout *layout, char *record, uint32_t out,
                                      uint32_t vc, uint32_t end)
{
    weft_iq_claim *claim = &weft_iq_claims(layout, record)[out * layout->n_vcs + vc];
    claim->free = end;
    claim->held = 0;
}

#endif
