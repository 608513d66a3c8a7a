/* SPDX-License-Identifier: Apache-2.0 */
/* Which queues of input-queued routers wait for which others. */
#ifndef WEFT_SIM_ROUTER_INPUT_QUEUED_KNOT_H
#define WEFT_SIM_ROUTER_INPUT_QUEUED_KNOT_H

#include "sim/site.h"
#include "sim/watch/knot.h"

/* Of a site's routers, at a sync point: the queues all of whose fronts have waited for `patience`
 * ticks and more and lack room wherever they could go. Patience longer than credits travel: what
 * has come by then is all there will be. */
void weft_iq_waits(const weft_site *site, weft_time now, weft_time patience, weft_waits *waits);

#endif
