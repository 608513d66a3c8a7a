/* SPDX-License-Identifier: Apache-2.0 */
/* The built-in workload kinds. */
#ifndef WEFT_NET_TRAFFIC_WORKLOAD_H
#define WEFT_NET_TRAFFIC_WORKLOAD_H

#include "base/time.h"
#include "interweft/workload.h"

/* The components of open-loop traffic. */
typedef struct weft_open_loop {
    weft_pattern pattern;
    weft_arrival arrival;
    weft_length length;
    weft_time start, stop; /* messages arrive at ticks start … stop − 1 */
    bool weighted;         /* sources send at rates in proportion to the pattern's weights */
    bool plain;            /* not weighted, and arrivals have no memory */
} weft_open_loop;

extern const weft_workload_kind weft_workload_open_loop;

/* The tick nearest to a fine time; fine times begin again after 2^48 ticks. */
static inline weft_time weft_fine_time_tick(weft_fine_time at)
{
    return (weft_time)((at + ((weft_fine_time)1 << (WEFT_FRACTION_BITS - 1))) >>
                       WEFT_FRACTION_BITS);
}

static inline weft_fine_time weft_fine_time_at(weft_time tick)
{
    return (weft_fine_time)tick << WEFT_FRACTION_BITS;
}

/* Of two that are less than 2^47 ticks apart. */
static inline bool weft_fine_time_before(weft_fine_time a, weft_fine_time b)
{
    return (int64_t)(a - b) < 0;
}

/* The tick nearest to a fine time that is less than 2^47 ticks away from now, whatever now is. */
static inline weft_time weft_fine_time_near(weft_fine_time at, weft_time now)
{
    weft_fine_time half = (weft_fine_time)1 << (WEFT_FRACTION_BITS - 1);
    return now + ((int64_t)(at + half - weft_fine_time_at(now)) >> WEFT_FRACTION_BITS);
}

#endif
