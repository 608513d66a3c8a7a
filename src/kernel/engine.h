/* SPDX-License-Identifier: Apache-2.0 */
/* The engine's inside, shared by the windows, the team of threads and the exchange between processes.
 *
 * Windows are counted from the start: a block has finished `done` of them. From one meeting to the next
 * all blocks of all processes run the same windows, so a count says the same everywhere. */
#ifndef WEFT_KERNEL_ENGINE_H
#define WEFT_KERNEL_ENGINE_H

#include "base/clock.h"
#include "kernel/block.h"

typedef struct weft_exchange weft_exchange;

struct weft_engine {
    weft_block *block;
    weft_turn *turn; /* per block */
    uint32_t blocks;
    unsigned threads;
    unsigned spins; /* fruitless looks before a thread lets others have the core */
    weft_time window;
    /* written at meetings only */
    weft_time now, until;
    uint64_t from, goal;     /* windows finished at the last meeting, to be finished at the next */
    weft_exchange *exchange; /* NULL: nobody else */
    bool timed, fixed;
    weft_engine_times *times; /* per thread */
};

/* The block of this process with this name; `blocks` if it has none. */
uint32_t weft_engine_find(const weft_engine *engine, uint32_t name);
/* Sets the next meeting. */
void weft_engine_aim(weft_engine *engine, weft_time until);
/* May block b run its next window: is there one before the meeting, and have its neighbours finished the
 * one before? */
bool weft_engine_ready(const weft_engine *engine, uint32_t b);
/* Runs the next window of block b, which is ready and this thread's for now. */
void weft_engine_window(weft_engine *engine, uint32_t b, unsigned thread);

/* Between processes (exchange.c). */
weft_exchange *weft_exchange_create(weft_engine *engine, const weft_engine_plan *plan);
void weft_exchange_destroy(weft_exchange *exchange);
/* After a meeting: the messages of the coming windows may come. */
void weft_exchange_begin(weft_exchange *exchange);
/* A block on the border has finished its window w. */
void weft_exchange_finished(weft_exchange *exchange, const weft_block *block, uint64_t w);
/* Sends what is ready and takes what has come, unless another thread is at it. */
void weft_exchange_progress(weft_exchange *exchange, weft_engine_times *times);
/* Before a meeting, when all blocks are there: until nothing is under way. */
void weft_exchange_settle(weft_exchange *exchange, weft_engine_times *times);
/* The counter that says up to which window the messages of peer i have come. */
const _Atomic uint64_t *weft_exchange_arrived(const weft_exchange *exchange, uint32_t peer);
int64_t weft_exchange_bytes(const weft_exchange *exchange);

#endif
