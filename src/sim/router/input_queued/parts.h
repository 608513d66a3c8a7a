/* SPDX-License-Identifier: Apache-2.0 */
/* Where the records of a site's routers lie. Routers that differ in size differ in layout; those
 * of one span follow each other in a site too, so it has a few parts of one layout each. */
#ifndef WEFT_SIM_ROUTER_INPUT_QUEUED_PARTS_H
#define WEFT_SIM_ROUTER_INPUT_QUEUED_PARTS_H

#include "sim/router/input_queued/record.h"

/* Finds the parts of iq->site, and takes and frees the records: all zero, but for the head's id
 * and part. */
void weft_iq_parts_open(weft_iq *iq);
void weft_iq_parts_close(weft_iq *iq);
/* Bytes of a record, the mean over all routers of a network rounded up. */
int64_t weft_iq_mean_bytes(const weft_platform *platform);

#endif
