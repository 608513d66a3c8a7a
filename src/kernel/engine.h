/* SPDX-License-Identifier: Apache-2.0 */
/* The engine's inside, shared by the windows, the threads that drive them and the exchange
 * between processes.
 *
 * Windows are counted from the start: a block has finished `done` of them. From one sync point to
 * the next all blocks of all processes run the same windows, so a count says the same
 * everywhere. */
#ifndef WEFT_KERNEL_ENGINE_H
#define WEFT_KERNEL_ENGINE_H

#include "base/clock.h"
#include "kernel/block.h"

struct weft_engine {
    weft_block *blocks;
    weft_turn *turn; /* per block */
    uint32_t n_blocks;
    unsigned threads;
    unsigned spins; /* fruitless looks before a thread lets others have the core */
    weft_time window;
    /* written at sync points only */
    weft_time now, until;
    uint64_t from, goal; /* windows finished at the last sync point, to be finished at the next */
    struct weft_exchange *exchange; /* NULL: nobody else */
    bool timed, fixed;
    weft_engine_times *times; /* per thread */
};

/* Sets the next sync point. */
void weft_engine_aim(weft_engine *engine, weft_time until);
/* May block b run its next window: is there one before the sync point, and have its neighbours
 * finished the one before? */
bool weft_engine_ready(const weft_engine *engine, uint32_t b);
/* Runs the next window of block b, which is ready and this thread's for now. */
void weft_engine_window(weft_engine *engine, uint32_t b, unsigned thread);

/* The first of `count` things that is this thread's; those up to the next thread's first one
 * are. */
static inline uint32_t weft_team_row(uint32_t count, unsigned threads, unsigned thread)
{
    return (uint32_t)((uint64_t)count * thread / threads);
}

#endif
