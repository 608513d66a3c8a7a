/* SPDX-License-Identifier: Apache-2.0 */
/* A hierarchical timing wheel. Level 0 has one contiguous bucket per tick for the next
 * WEFT_WHEEL_TICKS ticks; levels 1 … 4 have 64 chunk lists each, every list as long as the whole
 * level below. Every event moves down at most four times, so far events cost O(1) too. Events
 * beyond the reach of the wheel are in one list with their whole tick, which is scanned now and
 * then.
 *
 * A large bucket of a segmented wheel is a list of segments, of which the bucket itself knows the
 * newest; its room is WEFT_SEGMENT_ROOM then. They are gathered into one array when their tick has
 * come: a copy of every event instead of arrays that are up to twice as large as they need be, and
 * others of all sizes through which they grew. */
#ifndef WEFT_KERNEL_WHEEL_H
#define WEFT_KERNEL_WHEEL_H

#include "kernel/pool.h"

#include <assert.h>

#define WEFT_WHEEL_BITS   11
#define WEFT_WHEEL_TICKS  WEFT_NEAR_TICKS
#define WEFT_WHEEL_LEVELS 4 /* above level 0 */
#define WEFT_WHEEL_REACH  ((weft_time)1 << 31)
#define WEFT_SEGMENT      8 /* log2 of a segment's places: its header, then events */
#define WEFT_SEGMENT_ROOM ((1u << WEFT_SEGMENT) - 1)

typedef struct weft_beyond { /* an event beyond the reach */
    weft_time at;
    weft_event event;
} weft_beyond;

typedef struct weft_wheel {
    weft_near near; /* first: weft_emit uses it as the block */
    weft_pool pool;
    weft_beyond *beyond; /* in no order; … */
    uint32_t n_beyond, beyond_room;
    unsigned usual;                         /* log2 of a bucket's size when its tick is near */
    uint64_t ticks, events;                 /* ticks that had events, and how many, so far */
    uint64_t ticks0, events0;               /* the same when `usual` was chosen */
    weft_event *far[WEFT_WHEEL_LEVELS][64]; /* newest chunk of each list */
    uint64_t listed[WEFT_WHEEL_LEVELS];     /* bit i: list i of the level has events */
    uint64_t filled[WEFT_WHEEL_TICKS / 64];
    /* Large buckets grow by segments, so that arrays of other sizes need not be kept for them. */
    bool segmented;
    weft_event *gathered; /* the events of the bucket at hand, if it has several segments */
    uint32_t gathered_room;
} weft_wheel;

void weft_wheel_init(weft_wheel *wheel);
void weft_wheel_done(weft_wheel *wheel);
/* Gives the array, or the newest segment, of a bucket back. */
static inline void weft_wheel_release(weft_wheel *wheel, weft_event *events, uint32_t room)
{
    weft_pool_give(&wheel->pool, events, (unsigned)__builtin_ctz(room));
}
/* The events of a segmented bucket that was taken out, in one array; *n_events: all of them. Gives
 * every segment but the newest back. */
weft_event *weft_wheel_gather(weft_wheel *wheel, weft_bucket bucket, uint32_t *n_events);
/* To be called when now has reached a multiple of WEFT_WHEEL_TICKS: brings the next page down. */
void weft_wheel_cascade(weft_wheel *wheel);
/* To be called then, after the cascade: a tick before which nothing happens, at most limit. It is
 * now, or nothing is to be brought down before it. */
weft_time weft_wheel_leap(const weft_wheel *wheel, weft_time limit);
/* The first tick in now … limit−1 with events, or limit (limit − now ≤ WEFT_WHEEL_TICKS). */
weft_time weft_wheel_search(const weft_wheel *wheel, weft_time limit);
/* The same; most often it is one of the next ticks. */
static inline weft_time weft_wheel_next(const weft_wheel *wheel, weft_time limit)
{
    weft_time now = wheel->near.now;
    uint32_t slot = (uint32_t)now & (WEFT_WHEEL_TICKS - 1);
    uint64_t word = wheel->filled[slot / 64] >> (slot % 64);
    if (__builtin_expect(!word, 0))
        return weft_wheel_search(wheel, limit);
    weft_time at = now + __builtin_ctzll(word);
    return at < limit ? at : limit;
}

/* The tick of the first event, at most limit; at any time. Searches the lists that may have it. */
weft_time weft_wheel_first(const weft_wheel *wheel, weft_time limit);

void weft_wheel_visit(const weft_wheel *wheel, weft_visitor visit, void *user, uint32_t block);

/* Room for an event at tick at ≥ now; when is filled in. */
static inline weft_event *weft_wheel_put(weft_wheel *wheel, weft_time at)
{
    assert(at >= wheel->near.now);
    return weft_emit((weft_block *)(void *)wheel, at);
}

#endif
