/* SPDX-License-Identifier: Apache-2.0 */
/* Pause instead of credits (IEEE 802.1Qbb; rules in docs/theory/input-queued.md). A buffer that is
 * filled to xoff tells its sender to pause, one that has fallen to xon to resume, and the sender
 * knows a delay later. No message is needed for that: a sender knows what it has sent, and credit
 * bursts tell what has left, so it follows the level of the buffer itself, a delay behind. It does
 * so when somebody looks, over all ticks since the last look. */
#ifndef WEFT_SIM_ROUTER_INPUT_QUEUED_PAUSE_H
#define WEFT_SIM_ROUTER_INPUT_QUEUED_PAUSE_H

#include "base/pack.h"
#include "sim/router/input_queued/record.h"

/* Follows the buffers behind an output up to tick t, all of whose events have come; adds the bursts
 * that are complete to its credits, and returns how many are left. */
uint32_t weft_iq_pause_see(const weft_iq_layout *layout, weft_iq_port *out, uint32_t t);
/* A packet starts at t: its first unit will be seen in the buffer of a VC from tick `start` on. */
void weft_iq_pause_sent(const weft_iq_layout *layout, weft_iq_port *out, uint32_t vc,
                        uint32_t units, uint32_t start, uint32_t t);
/* Ticks from t until one of the VCs is not paused, by what is known; WEFT_IQ_NEVER. */
uint32_t weft_iq_pause_wait(const weft_iq_layout *layout, weft_iq_port *out, uint32_t vcs,
                            uint32_t t);
/* Units that VC w may use at t: all there are, or none. */
int32_t weft_iq_pause_at(const weft_iq_layout *layout, weft_iq_port *out, uint32_t w, uint32_t t);
/* The VCs that were paused in the tick before t. */
uint32_t weft_iq_paused_before(const weft_iq_layout *layout, weft_iq_port *out, uint32_t t);
/* May a packet take VC w, now or when all that is known has come? */
bool weft_iq_pause_ends(const weft_iq_layout *layout, weft_iq_port *out, uint32_t w);

/* Of all outputs and injection links of a router; its credits and their bursts come first. */
void weft_iq_pause_set_up(const weft_iq_layout *layout, char *record);
void weft_iq_pause_save(const weft_iq_layout *layout, char *record, weft_pack *pack);
void weft_iq_pause_load(const weft_iq_layout *layout, char *record, uint32_t t, weft_unpack *from);

#endif
