/* SPDX-License-Identifier: Apache-2.0 */
/* A block: the unit of work. It owns its wheel, the mailboxes of its entities, its timers and the
 * outboxes to its neighbours, two of each so that a neighbour may still read window w while
 * window w + 1 is written. The members that other threads read are apart from it, in its turn. */
#ifndef WEFT_KERNEL_BLOCK_H
#define WEFT_KERNEL_BLOCK_H

#include "kernel/wheel.h"

#include <stdatomic.h>

typedef struct weft_turn {               /* of a block: alone on its cache lines */
    _Alignas(128) _Atomic uint64_t done; /* windows finished; neighbours wait for it */
    atomic_flag taken;                   /* a thread is running it */
} weft_turn;

typedef struct weft_outbox {
    weft_event *events;
    uint32_t n_events, capacity;
} weft_outbox;

typedef struct weft_inlet { /* an outbox of a block of this process that sends to this block */
    uint32_t block, slot;
} weft_inlet;

typedef struct weft_bundle { /* events from another process, in the message they came with */
    const weft_event *events;
    uint32_t n_events;
} weft_bundle;

typedef struct weft_post { /* a block's bundles of one window */
    weft_bundle *bundles;
    uint32_t n_bundles, room;
} weft_post;

typedef struct weft_mailbox { /* per entity */
    uint32_t stamp;           /* of the last tick in which it had an event … */
    uint32_t first;           /* … and its first one in that tick */
} weft_mailbox;

struct weft_block {
    weft_wheel wheel;
    const weft_event_model *model;
    void *state;
    unsigned timer_shift;
    uint32_t name, entities, n_timers, slots, n_inlets, n_waits, n_peers;
    uint32_t parity; /* of the window being run */
    weft_mailbox *mailbox;
    const char *hot; /* the model's state per entity, to be fetched ahead */
    size_t hot_bytes;
    int32_t *timers; /* page per timer, after first_page; INT32_MAX: none */
    weft_time first_page;
    weft_outbox *outbox[2]; /* per slot */
    uint32_t *neighbour;    /* name of the block behind each slot */
    weft_inlet *inlets;
    weft_post post[2];
    /* counters that must have reached the window before the next one */
    const _Atomic uint64_t **waits;
    uint32_t *peers; /* processes that have a neighbour of this block, by their index */
};

void weft_block_init(weft_block *block, const weft_block_plan *plan,
                     const weft_engine_plan *engine);
void weft_block_done(weft_block *block);
/* Runs the ticks now … end−1. */
void weft_block_run(weft_block *block, weft_time end);
/* The tick at which a timer is looked at next, at most limit. */
weft_time weft_block_first_timer(const weft_block *block, weft_time limit);
int64_t weft_block_bytes(const weft_block *block);
/* The place of the block with this name among those of a process, which are in order; `count` if
 * it has none. */
uint32_t weft_block_find(const weft_block *blocks, uint32_t count, uint32_t name);

#endif
