/* SPDX-License-Identifier: Apache-2.0 */
/* Detection of deadlock and starvation, at sync points. Now and then every process lists the queues
 * whose packets have waited for several zero-load latencies; where there are none, nothing else is
 * done. */
#ifndef WEFT_SIM_WATCH_DEADLOCK_WATCH_H
#define WEFT_SIM_WATCH_DEADLOCK_WATCH_H

#include "sim/platform.h"
#include "sim/watch/knot.h"

typedef struct weft_deadlock_watch { /* times in ticks */
    weft_time latency;               /* zero-load; 0: no packet can wait for ever */
    weft_time interval;              /* between samples */
    weft_waits waits;
    weft_knot knot;
} weft_deadlock_watch;

void weft_deadlock_watch_init(weft_deadlock_watch *deadlock_watch, const weft_platform *platform,
                              weft_time interval);
void weft_deadlock_watch_done(weft_deadlock_watch *deadlock_watch);
/* The next sync point that the watch needs, unless a sample comes before. */
weft_time weft_deadlock_watch_due(const weft_deadlock_watch *deadlock_watch, weft_time now);
/* Lists the queues of this process that wait, if it is time to; whatever: always, and for any
 * waiting time. Returns the number of queues that wait for others. */
int64_t weft_deadlock_watch_look(weft_deadlock_watch *deadlock_watch, const weft_instance *instance,
                                 weft_time now, bool whatever);
/* True if there is a knot; called by all ranks together if any of them found waiting queues. */
bool weft_deadlock_watch_judge(weft_deadlock_watch *deadlock_watch, weft_comm *comm);
/* Number of queues that have waited a thousand latencies or more; by all ranks together. */
int64_t weft_deadlock_watch_starved(weft_deadlock_watch *deadlock_watch,
                                    const weft_instance *instance, weft_comm *comm);

#endif
