/* SPDX-License-Identifier: Apache-2.0 */
/* Looks out for packets that wait too long, at sync points: for each other (deadlock), or although
 * others go on (starvation). Now and then every process lists what has waited for some latencies
 * of a message that is alone; where nothing has, that is all. */
#ifndef WEFT_SIM_WATCH_DEADLOCK_WATCH_H
#define WEFT_SIM_WATCH_DEADLOCK_WATCH_H

#include "sim/platform.h"
#include "sim/watch/knot.h"

typedef struct weft_deadlock_watch { /* times in ticks */
    weft_time latency;               /* of a message that is alone; 0: nothing can wait for ever */
    weft_time interval;              /* between samples */
    weft_waits waits;
    weft_knot knot;
} weft_deadlock_watch;

void weft_deadlock_watch_init(weft_deadlock_watch *deadlock_watch, const weft_platform *platform,
                              weft_time interval);
void weft_deadlock_watch_done(weft_deadlock_watch *deadlock_watch);
/* When all should meet to look again, if not for a sample before. */
weft_time weft_deadlock_watch_due(const weft_deadlock_watch *deadlock_watch, weft_time now);
/* Lists what waits in this process, if it is time to; whatever: always, and all that waits,
 * however short. Returns how many queues wait for others. */
int64_t weft_deadlock_watch_look(weft_deadlock_watch *deadlock_watch, const weft_instance *instance,
                                 weft_time now, bool whatever);
/* If anybody found some, all together: is there a knot? */
bool weft_deadlock_watch_judge(weft_deadlock_watch *deadlock_watch, weft_comm *comm);
/* All together: how many queues have waited a thousand latencies and more. */
int64_t weft_deadlock_watch_starved(weft_deadlock_watch *deadlock_watch,
                                    const weft_instance *instance, weft_comm *comm);

#endif
