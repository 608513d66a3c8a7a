/* SPDX-License-Identifier: Apache-2.0 */
/* The event kernel: entities in blocks, one timing wheel per block, windows between blocks; blocks
 * are spread over the threads of a process and the processes of a communicator.
 *
 * A model is a set of entities (0 … n−1 inside each block) that send events to each other. An event
 * is 32 bytes by value. Handlers touch only their own block's state and emit nothing earlier than
 * the next tick, so events of different entities in one tick commute; the events of one entity in
 * one tick come in the order of (key, data[0], data[1], …), for any blocks. Events that are equal
 * in every word are interchangeable. An event to another block must lie at least `window` and less
 * than 2^31 ticks ahead.
 *
 * The kernel knows no networks: PHOLD runs on it as a test and as its benchmark. Other
 * folders include this header, comm.h and checkpoint.h, the farm exchange_self.h too. */
#ifndef WEFT_KERNEL_KERNEL_H
#define WEFT_KERNEL_KERNEL_H

#include "base/time.h"
#include "kernel/comm.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEFT_EVENT_DATA 5
typedef struct weft_event {
    uint32_t when; /* low half of the tick; the kernel's */
    uint32_t to;   /* entity of the receiving block */
    uint32_t key;  /* order within (entity, tick), e.g. kind, port, VC */
    /* Payload; breaks ties of key word by word, e.g. source, its sequence number. */
    uint32_t data[WEFT_EVENT_DATA];
} weft_event;

/* The events of one tick, those of one entity next to each other and in order (unless the model
 * is unordered). */
typedef struct weft_batch {
    weft_time now;
    uint32_t n_events;
    const weft_event *events;
} weft_batch;

static inline const weft_event *weft_batch_at(const weft_batch *batch, uint32_t i)
{
    return &batch->events[i];
}

typedef struct weft_block weft_block;

typedef struct weft_event_model {
    /* Delivers the events of one tick, then decides, entity by entity. */
    void (*tick)(void *state, weft_block *block, const weft_batch *batch);
    /* Called once per timer page; the model emits an event for the exact tick or sets the timer
     * again. NULL: the model has no timers. */
    void (*timer)(void *state, weft_block *block, uint32_t timer, weft_time now);
    /* A thread (0, 1, …) is about to run this block. May be NULL. */
    void (*seat)(void *state, unsigned thread);
    /* The block has reached a sync point. May be NULL. */
    void (*rest)(void *state, weft_time now);
    /* The events of a tick may come in any order, those of one entity apart from each other:
     * they commute, and the model decides after the last of them. */
    bool unordered;
} weft_event_model;

/* One block, as the caller describes it. */
typedef struct weft_block_plan {
    void *state;   /* handed to the model */
    uint32_t name; /* its number among the blocks of all processes */
    uint32_t entities;
    uint32_t hot_bytes; /* state that an event of entity e touches first: at hot + e × hot_bytes */
    const void *hot;    /* it is prefetched; NULL: none */
    uint32_t timers;
    uint32_t n_neighbours; /* slots for events to other blocks … */
    /* … and the name of the block behind each slot; several slots may name one, or the block
     * itself. The relation is symmetric. */
    const uint32_t *neighbours;
} weft_block_plan;

typedef struct weft_engine_plan {
    const weft_event_model *model;
    uint32_t n_blocks;             /* of this process */
    const weft_block_plan *blocks; /* by ascending name */
    weft_time window;              /* least delay of an event between blocks, ticks */
    unsigned timer_shift;          /* timers are looked at every 2^timer_shift ticks */
    unsigned threads;              /* 0 is 1 */
    weft_time start;               /* first tick */
    weft_comm *comm;               /* NULL: this process alone */
    /* with a communicator: rank by name of a block; used while the engine is created */
    const uint32_t *owner;
    bool timed; /* measures times (weft_engine_times) */
    bool fixed; /* disables work stealing, for benchmarks */
} weft_engine_plan;

typedef struct weft_engine weft_engine;

weft_engine *weft_engine_create(const weft_engine_plan *plan);
void weft_engine_destroy(weft_engine *engine);

/* Runs everything from one sync point to the next. At a sync point every block of every process has
 * reached the same tick and nothing is under way between processes; pause is called there, on
 * one thread of each process, the first time before anything runs. It returns the tick of the
 * next sync point (the same in all processes) or WEFT_ENGINE_STOP. */
#define WEFT_ENGINE_STOP ((weft_time)-1)
void weft_engine_drive(weft_engine *engine, weft_time (*pause)(void *user), void *user);
/* Runs every block up to (not including) tick `until`. */
void weft_engine_run(weft_engine *engine, weft_time until);
weft_time weft_engine_now(const weft_engine *engine);
/* At a sync point: the tick of the next event or timer of all blocks of all processes, at most
 * limit. All processes call it; the engine then goes there in one window. */
weft_time weft_engine_idle(weft_engine *engine, weft_time limit);
/* The i-th block of this process. */
weft_block *weft_engine_block(weft_engine *engine, uint32_t block);
/* Events a block has processed. */
uint64_t weft_block_events(const weft_block *block);
/* Default threads of a process on a node with `here` ranks, itself included: OMP_NUM_THREADS, or
 * its part of the cores it may run on, as far as a CPU quota pays for them. */
unsigned weft_team_default(uint32_t here);
/* Calls each(user, i) for i = 0 … count−1 on the thread that would run block i of `count`, so that
 * memory that it touches first is near that thread. */
void weft_team_each(unsigned threads, uint32_t count, void (*each)(void *user, uint32_t i),
                    void *user);
/* Bytes the kernel holds now. */
int64_t weft_engine_bytes(const weft_engine *engine);
/* Events processed so far. */
uint64_t weft_engine_events(const weft_engine *engine);
/* Calls visit for every event (of the i-th block) that has not been processed, with its tick, in no
 * particular order. */
typedef void (*weft_visitor)(void *user, uint32_t block, weft_time at, const weft_event *event);
void weft_engine_visit_block(const weft_engine *engine, uint32_t block, weft_visitor visit,
                             void *user);
void weft_engine_visit(const weft_engine *engine, weft_visitor visit, void *user);
/* Times since the start, summed over the threads of this process; only if plan.timed. */
typedef struct weft_engine_times {
    uint64_t windows;    /* run by this process */
    uint64_t steals;     /* windows of a block run by a thread that is not its own */
    double run_s;        /* in blocks */
    double exchange_s;   /* packing, unpacking and handing messages to and from the communicator */
    double wait_s;       /* for neighbours */
    double meet_s;       /* at sync points, pause included */
    uint64_t sent_bytes; /* to other processes */
} weft_engine_times;
weft_engine_times weft_engine_timing(const weft_engine *engine);
/* Bytes a block costs before it holds any event. */
int64_t weft_engine_idle_bytes(uint32_t entities, uint32_t timers, uint32_t neighbours);

/* The next ticks of a block's wheel: the first thing in a block, known here only so that
 * emitting is inline. */
#define WEFT_NEAR_TICKS 2048u
typedef struct weft_bucket {
    weft_event *events;
    uint32_t n_events;
    uint32_t room; /* a power of two, or that of a segment; 0: no array, count is 0 too */
} weft_bucket;

typedef struct weft_near {
    weft_time now; /* no event lies before it */
    weft_bucket bucket[WEFT_NEAR_TICKS];
} weft_near;

/* The rare cases of weft_emit: a full bucket, or a tick further ahead. */
weft_event *weft_emit_more(weft_near *near, weft_time at);

/* For handlers, and for the caller while no window runs. The event returned is to be filled at once
 * (to, key, data); the pointer dies with the next emission. */
static inline weft_event *weft_emit(weft_block *block, weft_time at)
{
    weft_near *near = (weft_near *)(void *)block;
    weft_bucket *bucket = &near->bucket[(uint32_t)at & (WEFT_NEAR_TICKS - 1)];
    if (__builtin_expect(
            at - near->now >= (weft_time)WEFT_NEAR_TICKS || bucket->n_events == bucket->room, 0))
        return weft_emit_more(near, at);
    weft_event *event = &bucket->events[bucket->n_events++];
    event->when = (uint32_t)at;
    return event;
}

weft_event *weft_emit_across(weft_block *block, uint32_t slot, weft_time at);
/* Sets a timer to the page of `at`; one pending time per timer. */
void weft_timer_set(weft_block *block, uint32_t timer, weft_time at);
void weft_timer_clear(weft_block *block, uint32_t timer);

#endif
