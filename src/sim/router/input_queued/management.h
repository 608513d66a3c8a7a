/* SPDX-License-Identifier: Apache-2.0 */
/* VL 15, subnet management. It has no credits: a packet that finds `management-buffer` others
 * waiting at its input is dropped. A packet that waits, its head ready, has its output and its line
 * into the crossbar reserved: nothing else is granted there, so it waits for what has begun and
 * for other packets of management alone. */
#ifndef WEFT_SIM_ROUTER_INPUT_QUEUED_MANAGEMENT_H
#define WEFT_SIM_ROUTER_INPUT_QUEUED_MANAGEMENT_H

#include "sim/router/input_queued/record.h"

/* Refuses settings with which VL 15 would wait for more than the packet on the wire. */
WEFT_MUST_USE weft_status weft_iq_management_check(const weft_platform *platform, weft_error *err);

/* A packet of VL 15 comes to an input (1), or leaves it (−1). */
static inline void weft_iq_management_count(const weft_iq_layout *layout, char *record, uint32_t in,
                                            uint32_t more)
{
    weft_iq_managed(layout, record)[in] += more;
    weft_iq_managed(layout, record)[layout->ins] += more;
}

/* Takes requests for what is reserved away from others; their lines look again in the next tick.
 * wants: line × VCs sets of outputs, vcs: per line those that ask. Returns how many lines ask. */
uint32_t weft_iq_give_way(weft_iq *iq, char *record, uint32_t t, uint64_t *asks, uint64_t *wants,
                          uint16_t *vcs);

#endif
