/* SPDX-License-Identifier: Apache-2.0 */
/* Places of the records of a site's routers. Routers that differ in size or in the classes of their
 * links differ in layout: a site has groups of one layout each. */
#ifndef WEFT_SIM_ROUTER_INPUT_QUEUED_LAYOUT_GROUPS_H
#define WEFT_SIM_ROUTER_INPUT_QUEUED_LAYOUT_GROUPS_H

#include "sim/router/input_queued/record.h"

/* Finds the groups of iq->site, and takes and frees the records: all zero, but for the head's id
 * and group. */
void weft_iq_groups_open(weft_iq *iq);
void weft_iq_groups_close(weft_iq *iq);
/* Bytes of a record, the mean over all routers of a network rounded up. */
int64_t weft_iq_mean_bytes(const weft_platform *platform);

#endif
