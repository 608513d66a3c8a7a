/* SPDX-License-Identifier: Apache-2.0 */
/* The work queue decides which members get which item next. It sends nothing and has no clock: the
 * farm uses it with real time, the schedule with estimated time, so what is planned is what is
 * done.
 *
 * Order: items that want several members first, then the longest, ties by index. When the first
 * one wants more members than are idle, the idle ones are kept for it; meanwhile they only get
 * items that should be done by the time at which, when the waiting began, enough members were
 * expected to be idle. So it never waits forever. While many items are left, a member gets one
 * more than it runs, so that it need not wait for an answer; near the end nobody does. */
#ifndef WEFT_FARM_WORK_QUEUE_H
#define WEFT_FARM_WORK_QUEUE_H

#include "farm/farm.h"

typedef struct weft_work_queue weft_work_queue;

typedef struct weft_assignment {
    size_t item;
    uint32_t n_ranks;
    const uint32_t *ranks; /* ascending; valid until the next call */
} weft_assignment;

/* All members are idle. The items are borrowed until destroy. With `ahead` members but rank 0,
 * which deals and need not wait, may get one item more than they run. */
weft_work_queue *weft_work_queue_create(uint32_t members, size_t count, const weft_farm_item *items,
                                        bool ahead);
void weft_work_queue_destroy(weft_work_queue *work_queue); /* accepts NULL */

/* The next assignment at this time (seconds, never decreasing); false: none before a member is
 * done. */
bool weft_work_queue_next(weft_work_queue *work_queue, double now, weft_assignment *assignment);
/* A member is done with the oldest item it has. */
void weft_work_queue_done(weft_work_queue *work_queue, uint32_t member);
/* Items that have not been handed out. */
size_t weft_work_queue_left(const weft_work_queue *work_queue);

#endif
