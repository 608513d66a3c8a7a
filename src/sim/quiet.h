/* SPDX-License-Identifier: Apache-2.0 */
/* The latency of a message that is alone in the network: what a run approaches as its load goes
 * to zero, and what no load can beat. */
#ifndef WEFT_SIM_QUIET_H
#define WEFT_SIM_QUIET_H

#include "analysis/bounds/bounds.h"
#include "sim/site.h"

typedef struct weft_quiet {
    double ticks; /* mean over its messages; 0: not known */
    bool exact;   /* else the least it can be … */
    bool sampled; /* … or as destinations or routes were drawn */
} weft_quiet;

/* What endpoints can send and receive, for the bounds of a network. */
weft_bounds_plan weft_quiet_plan(const weft_platform *platform, uint64_t budget);
/* Of one flow, with what its bounds say of its paths. */
weft_quiet weft_quiet_flow(const weft_platform *platform, const weft_bounds *bounds, uint32_t flow);
/* Of all messages together. */
weft_quiet weft_quiet_all(const weft_platform *platform, const weft_bounds *bounds);

#endif
