/* SPDX-License-Identifier: Apache-2.0 */
/* Packets of input-queued routers that wait, and their causes (sim/watch/blocked.h). */
#ifndef WEFT_SIM_ROUTER_INPUT_QUEUED_BLOCKED_H
#define WEFT_SIM_ROUTER_INPUT_QUEUED_BLOCKED_H

#include "sim/site.h"
#include "sim/watch/blocked.h"

/* Shows a router of a site, by its number there, with its endpoints. */
void weft_iq_blocked(const weft_site *site, uint32_t router, weft_time now,
                     const weft_blocked_view *view);
/* Lets the site note moves in its trace, or not. */
void weft_iq_note_moves(weft_site *site, bool on);

#endif
