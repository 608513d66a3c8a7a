/* SPDX-License-Identifier: Apache-2.0 */
/* Credit loops of forwarding tables: the channels that packets of all hosts of a fabric wait for,
 * as far as their paths are left. A channel is a VL of a link; by SL2VL tables the SL of a path
 * gives the VL at every switch, without them there is one VL. */
#ifndef WEFT_ANALYSIS_FLOWS_LOOPS_H
#define WEFT_ANALYSIS_FLOWS_LOOPS_H

#include "analysis/flows/flows.h"

typedef struct weft_flows_channel {
    size_t link; /* its place */
    uint32_t vl;
} weft_flows_channel;

/* The channels of a loop, each waiting for the next and the last for the first; *count 0: there is
 * no loop. The caller frees them. */
weft_flows_channel *weft_flows_find_loop(const weft_flows *job, uint32_t *count);

#endif
