/* SPDX-License-Identifier: Apache-2.0 */
/* Utilisation of every link over a span that begins after the warm-up.
 *
 * The length of the warm-up is known only at the end, so a snapshot of the counters is taken
 * whenever the number of intervals is a power of two: the last one lies in the second half of the
 * run, which no accepted warm-up reaches. With a fixed warm-up it is taken at its end. Each process
 * counts its own links; at the end rank 0 collects those of the report. */
#ifndef WEFT_SIM_WATCH_LINKWATCH_H
#define WEFT_SIM_WATCH_LINKWATCH_H

#include "sim/platform.h"
#include "sim/simulation.h"

typedef struct weft_linkwatch {
    const weft_instance *instance;
    int64_t fixed; /* intervals of a fixed warm-up; −1: detected */
    weft_time since;
} weft_linkwatch;

/* Called before every interval; takes the snapshots of devices (devicewatch.h) too. */
void weft_linkwatch_look(weft_linkwatch *watch, uint64_t intervals, weft_time now);
/* True if the results list every link: always with links: all, in small networks with a summary. */
bool weft_linkwatch_lists_all(const weft_network *network);
/* By all ranks (comm NULL: alone) together; on rank 0 *links is filled, its list malloc'ed. */
void weft_linkwatch_collect(const weft_linkwatch *watch, weft_comm *comm, bool all, weft_time now,
                            weft_link_loads *links);

#endif
