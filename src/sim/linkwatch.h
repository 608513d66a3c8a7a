/* SPDX-License-Identifier: Apache-2.0 */
/* How busy every link was, over a span that begins after the warm-up.
 *
 * Which intervals count as warm-up is known only at the end, so the counters are remembered whenever
 * the number of intervals is a power of two: the last such moment lies in the second half of the run,
 * where no warm-up that settled reaches. A fixed warm-up is remembered at its end. */
#ifndef WEFT_SIM_LINKWATCH_H
#define WEFT_SIM_LINKWATCH_H

#include "sim/fabric.h"

typedef struct weft_linkwatch {
    const weft_plant *plant; /* NULL: links are not counted */
    int64_t fixed;           /* intervals of a fixed warm-up; −1: detected */
    weft_time since;
    int64_t *busy; /* router × ports, as of `since` */
} weft_linkwatch;

void weft_linkwatch_open(weft_linkwatch *watch, const weft_plant *plant, int64_t fixed);
void weft_linkwatch_close(weft_linkwatch *watch);
/* Before every interval. */
void weft_linkwatch_look(weft_linkwatch *watch, uint64_t intervals, weft_time now);
int64_t weft_linkwatch_busy(const weft_linkwatch *watch, uint32_t router, uint32_t port,
                            weft_time now);

#endif
