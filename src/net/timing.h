/* SPDX-License-Identifier: Apache-2.0 */
/* Conversion of a scenario's durations and rates to whole ticks, and back to a unit for output.
 *
 * A scenario given in cycles has ticks of one cycle, or of the part of it that makes every flit
 * time and delay whole. Otherwise a tick is the greatest common divisor of all its flit times and
 * delays, in whole picoseconds. Where something runs n times faster than a link
 * (WEFT_PARAM_FACTOR), the n-th part of every flit time is whole too. */
#ifndef WEFT_NET_TIMING_H
#define WEFT_NET_TIMING_H

#include "base/time.h"
#include "config/scenario.h"
#include "interweft/topology.h"

typedef struct weft_timing {
    bool in_cycles;                          /* output is in cycles; else in nanoseconds */
    double tick_ps;                          /* 0: unknown (cycles without a clock) */
    weft_time cycle;                         /* ticks */
    uint32_t classes;                        /* of links: named ones, then of single links */
    weft_time period[WEFT_LINK_CLASSES_MAX]; /* ticks of one flit on a link, by its class … */
    weft_time wire[WEFT_LINK_CLASSES_MAX];   /* … and its latency */
    weft_time flit, latency;                 /* period and wire of local links */
    weft_time host_latency;
    weft_time bus_period; /* ticks of one flit on an endpoint's I/O bus; 0: no limit */
} weft_timing;

/* Classes of links where the scenario's do not suffice: of the named ones, and of single links from
 * WEFT_LINK_CLASSES on. */
typedef struct weft_single_links {
    weft_link_settings named[WEFT_LINK_CLASSES];
    uint32_t count;
    weft_link_settings at[WEFT_LINK_CLASSES_MAX - WEFT_LINK_CLASSES];
} weft_single_links;

/* single: NULL for none. */
WEFT_MUST_USE weft_status weft_timing_build(weft_timing *timing, const weft_scenario *scenario,
                                            const weft_single_links *single, weft_error *err);
/* Rounded to the nearest tick. */
weft_time weft_timing_ticks(const weft_timing *timing, weft_duration duration);
/* The same of a span, which 0 ticks would leave out: a tick at least, if it is above 0. */
weft_time weft_timing_span(const weft_timing *timing, weft_duration duration);
const char *weft_timing_unit(const weft_timing *timing); /* "cycles" or "ns" */
/* Ticks in that unit. */
double weft_timing_value(const weft_timing *timing, double ticks);

#endif
