/* SPDX-License-Identifier: Apache-2.0 */
/* How busy every link was, over a span that begins after the warm-up.
 *
 * Which intervals count as warm-up is known only at the end, so the counters are remembered
 * whenever the number of intervals is a power of two: the last such moment lies in the second
 * half of the run, where no warm-up that settled reaches. A fixed warm-up is remembered at its
 * end. Each process looks at its own links; at the end rank 0 collects what the report asks for. */
#ifndef WEFT_SIM_WATCH_LINKWATCH_H
#define WEFT_SIM_WATCH_LINKWATCH_H

#include "sim/platform.h"
#include "sim/simulation.h"

typedef struct weft_linkwatch {
    const weft_instance *instance;
    int64_t fixed; /* intervals of a fixed warm-up; −1: detected */
    weft_time since;
} weft_linkwatch;

/* Before every interval; devices (devicewatch.h) are remembered at the same times. */
void weft_linkwatch_look(weft_linkwatch *watch, uint64_t intervals, weft_time now);
/* True if the results list every link: always with links: all, in small networks with a summary. */
bool weft_linkwatch_lists_all(const weft_network *network);
/* All members of the communicator (NULL: alone) together; on rank 0 *links is filled, its list
 * malloc'ed. */
void weft_linkwatch_collect(const weft_linkwatch *watch, weft_comm *comm, bool all, weft_time now,
                            weft_link_loads *links);

#endif
