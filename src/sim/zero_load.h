/* SPDX-License-Identifier: Apache-2.0 */
/* Zero-load latency: of a message that is alone in the network, the limit and the lower bound of
 * latency over all loads. */
#ifndef WEFT_SIM_ZERO_LOAD_H
#define WEFT_SIM_ZERO_LOAD_H

#include "analysis/bounds/bounds.h"
#include "sim/site.h"

typedef struct weft_zero_load {
    double ticks; /* mean over its messages; 0: not known */
    bool exact;   /* else a lower bound, … */
    bool sampled; /* … or an estimate over drawn destinations or routes */
} weft_zero_load;

/* Rates of endpoints, for the bounds of a network. */
weft_bounds_plan weft_zero_load_plan(const weft_platform *platform, uint64_t budget);
/* Zero-load latency of one traffic class; its bounds hold the path statistics. */
weft_zero_load weft_zero_load_traffic_class(const weft_platform *platform,
                                            const weft_bounds *bounds, uint32_t traffic_class);
/* Zero-load latency of all messages together. */
weft_zero_load weft_zero_load_all(const weft_platform *platform, const weft_bounds *bounds);

#endif
