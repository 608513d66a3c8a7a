/* SPDX-License-Identifier: Apache-2.0 */
/* A block: the unit of work. It owns its wheel, the mailboxes of its entities, its timers and the
 * outboxes to its neighbours, two of each so that a neighbour may still read window w while
 * window w + 1 is written. */
#ifndef WEFT_KERNEL_BLOCK_H
#define WEFT_KERNEL_BLOCK_H

#include "kernel/wheel.h"

typedef struct weft_outbox {
    weft_event *events;
    uint32_t count, capacity;
} weft_outbox;

typedef struct weft_inlet { /* where events from a neighbour come from */
    uint32_t block, slot;
} weft_inlet;

typedef struct weft_mailbox { /* per entity */
    uint32_t stamp;           /* of the last tick in which it had an event … */
    uint32_t first;           /* … and its first one in that tick */
} weft_mailbox;

struct weft_block {
    weft_wheel wheel;
    const weft_model *model;
    void *state;
    unsigned timer_shift;
    uint32_t entities, timers, slots, inlets;
    uint32_t parity; /* of the window being run */
    uint64_t done;   /* windows finished: what neighbours wait for */
    weft_mailbox *mailbox;
    const char *hot; /* the model's state per entity, to be fetched ahead */
    size_t hot_bytes;
    int32_t *timer;         /* page per timer; INT32_MAX: none */
    weft_outbox *outbox[2]; /* per slot */
    uint32_t *neighbour;    /* block behind each slot */
    weft_inlet *inlet;
};

void weft_block_init(weft_block *block, const weft_block_plan *plan,
                     const weft_engine_plan *engine);
void weft_block_done(weft_block *block);
/* Runs the ticks now … end−1. */
void weft_block_run(weft_block *block, weft_time end);
int64_t weft_block_bytes(const weft_block *block);

#endif
