/* SPDX-License-Identifier: Apache-2.0 */
/* Looks out for packets that wait too long, at meetings: for each other (deadlock), or although
 * others go on (starvation). Now and then every process lists what has waited for some latencies
 * of a message that is alone; where nothing has, that is all. */
#ifndef WEFT_SIM_WATCH_LOOKOUT_H
#define WEFT_SIM_WATCH_LOOKOUT_H

#include "sim/fabric.h"
#include "sim/watch/knot.h"

typedef struct weft_lookout { /* times in ticks */
    weft_time latency;        /* of a message that is alone; 0: nothing can wait for ever */
    weft_time interval;       /* between samples */
    weft_waits waits;
    weft_knot knot;
} weft_lookout;

void weft_lookout_init(weft_lookout *lookout, const weft_fabric *fabric, weft_time interval);
void weft_lookout_done(weft_lookout *lookout);
/* When all should meet to look again, if not for a sample before. */
weft_time weft_lookout_due(const weft_lookout *lookout, weft_time now);
/* Lists what waits in this process, if it is time to; whatever: always, and all that waits,
 * however short. Returns how many queues wait for others. */
int64_t weft_lookout_look(weft_lookout *lookout, const weft_plant *plant, weft_time now,
                          bool whatever);
/* If anybody found some, all together: is there a knot? */
bool weft_lookout_judge(weft_lookout *lookout, weft_crew *crew);
/* All together: how many queues have waited a thousand latencies and more. */
int64_t weft_lookout_starved(weft_lookout *lookout, const weft_plant *plant, weft_crew *crew);

#endif
