/* SPDX-License-Identifier: Apache-2.0 */
/* Snapshots of a switch, to detect that its behaviour since a snapshot repeats.
 *
 * It repeats for ever if the state of the scheduler equals that of a whole number of input periods
 * ago and every queue is as long as then, or longer and was never empty in between: a scheduler
 * that knows only which queues are empty then sees the same again, and queues only grow. If a queue
 * has become shorter without having been empty, the behaviour repeats until that queue is empty. */
#ifndef WEFT_CROSSBAR_RECUR_H
#define WEFT_CROSSBAR_RECUR_H

#include "crossbar/switch.h"

typedef struct weft_xbar_snapshot {
    void *state;
    uint32_t *queue;
    uint64_t tick, served;
} weft_xbar_snapshot;

typedef enum weft_xbar_likeness {
    WEFT_LIKE_NOTHING,
    WEFT_LIKE_A_WHILE,
    WEFT_LIKE_FOR_EVER
} weft_xbar_likeness;

void weft_xbar_snapshot_init(weft_xbar_snapshot *past, const weft_xbar_switch *it);
void weft_xbar_snapshot_done(weft_xbar_snapshot *past);
/* Also marks the switch (weft_xbar_switch_mark). */
void weft_xbar_snapshot_take(weft_xbar_snapshot *past, weft_xbar_switch *it);
/* *times: the number of further repetitions that is certain, for WEFT_LIKE_A_WHILE. */
weft_xbar_likeness weft_xbar_snapshot_compare(const weft_xbar_snapshot *past,
                                              const weft_xbar_switch *it,
                                              const weft_xbar_arrivals *arrivals, uint64_t *times);

#endif
