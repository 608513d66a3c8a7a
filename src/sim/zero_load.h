/* SPDX-License-Identifier: Apache-2.0 */
/* The latency of a message that is alone in the network: what a run approaches as its load goes
 * to zero, and what no load can beat. */
#ifndef WEFT_SIM_ZERO_LOAD_H
#define WEFT_SIM_ZERO_LOAD_H

#include "analysis/bounds/bounds.h"
#include "sim/site.h"

typedef struct weft_zero_load {
    double ticks; /* mean over its messages; 0: not known */
    bool exact;   /* else the least it can be … */
    bool sampled; /* … or as destinations or routes were drawn */
} weft_zero_load;

/* What endpoints can send and receive, for the bounds of a network. */
weft_bounds_plan weft_zero_load_plan(const weft_platform *platform, uint64_t budget);
/* Of one flow, with what its bounds say of its paths. */
weft_zero_load weft_zero_load_traffic_class(const weft_platform *platform,
                                            const weft_bounds *bounds, uint32_t traffic_class);
/* Of all messages together. */
weft_zero_load weft_zero_load_all(const weft_platform *platform, const weft_bounds *bounds);

#endif
