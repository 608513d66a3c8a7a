/* SPDX-License-Identifier: Apache-2.0 */
/* ACKs and notifications out of band: an event from the router where a packet leaves to that of its
 * source, and what it changes there (sim/pace.h). */
#ifndef WEFT_SIM_ROUTER_INPUT_QUEUED_ACK_H
#define WEFT_SIM_ROUTER_INPUT_QUEUED_ACK_H

#include "sim/router/input_queued/record.h"

/* A packet will have been delivered at tick `end`: its source will know some time later, if its law
 * wants to know. */
void weft_iq_acknowledge(const weft_iq *iq, weft_block *block, const weft_event *packet,
                         weft_time end);
/* The staged packet of a source, if there is one, waits for its gap. */
void weft_iq_space(weft_iq *iq, uint32_t source);
/* Applies the ACKs that have come for the sources of an endpoint (of the site). */
void weft_iq_apply_acks(weft_iq *iq, uint32_t endpoint, weft_time now);

#endif
