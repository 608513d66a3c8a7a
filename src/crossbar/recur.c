/* SPDX-License-Identifier: Apache-2.0 */
#include "crossbar/recur.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void weft_xbar_snapshot_init(weft_xbar_snapshot *past, const weft_xbar_switch *it)
{
    *past =
        (weft_xbar_snapshot){.state = weft_alloc(it->scheduler->bytes + 1),
                             .queue = weft_alloc(weft_xbar_switch_queues(it) * sizeof(uint32_t))};
}

void weft_xbar_snapshot_done(weft_xbar_snapshot *past)
{
    free(past->state);
    free(past->queue);
}

void weft_xbar_snapshot_take(weft_xbar_snapshot *past, weft_xbar_switch *it)
{
    memcpy(past->state, it->state, it->scheduler->bytes);
    memcpy(past->queue, it->queue, weft_xbar_switch_queues(it) * sizeof *it->queue);
    past->tick = it->tick;
    past->served = it->served;
    weft_xbar_switch_mark(it);
}

/* Cells of a FIFO after which its contents are the same again: those of a period. */
static uint32_t grain(const weft_xbar_switch *it, const weft_xbar_arrivals *arrivals, uint32_t i)
{
    uint32_t cells = 0;
    for (uint32_t t = 0; t < arrivals->period; t++)
        cells += arrivals->at[(size_t)(arrivals->lead + t) * it->n + i] != WEFT_IDLE;
    return cells ? cells : 1;
}

/* Can the queue have been longer or shorter by this without the scheduler noticing? */
static bool unnoticed(const weft_xbar_switch *it, const weft_xbar_arrivals *arrivals, uint32_t q,
                      uint32_t change)
{
    if (it->scheduler->lengths || !weft_xbar_switch_kept(it, q))
        return false;
    return !it->fifo || change % grain(it, arrivals, q) == 0;
}

weft_xbar_likeness weft_xbar_snapshot_compare(const weft_xbar_snapshot *past,
                                              const weft_xbar_switch *it,
                                              const weft_xbar_arrivals *arrivals, uint64_t *times)
{
    weft_xbar_likeness like = WEFT_LIKE_FOR_EVER;
    uint64_t slots = it->tick - past->tick;
    if (memcmp(past->state, it->state, it->scheduler->bytes) != 0)
        return WEFT_LIKE_NOTHING;
    *times = UINT64_MAX;
    for (uint32_t q = 0; q < weft_xbar_switch_queues(it); q++) {
        uint32_t now = it->queue[q], then = past->queue[q];
        uint32_t change = now > then ? now - then : then - now;
        if (change == 0)
            continue;
        if (!unnoticed(it, arrivals, q, change))
            return WEFT_LIKE_NOTHING;
        if (now > then)
            continue;
        like =
            WEFT_LIKE_A_WHILE; /* it loses a cell a slot at most: not empty while more are left */
        uint64_t more = now > slots ? (now - slots) / change : 0;
        *times = more < *times ? more : *times;
    }
    return like;
}
