/* SPDX-License-Identifier: Apache-2.0 */
/* Members of the engine, shared by the windows, the threads that drive them and the exchange
 * between processes.
 *
 * Windows are counted from the start: a block has finished `done` of them. From one sync point to
 * the next all blocks of all processes run the same windows, so a count means the same
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
    unsigned spins; /* failed polls before a thread yields its core */
    weft_time window;
    /* written at sync points only */
    weft_time now, until;
    weft_time first;     /* end of the first window after the sync point */
    weft_time idle;      /* nothing happens before, if it is later than now */
    uint64_t from, goal; /* windows finished at the last sync point, to be finished at the next */
    struct weft_exchange *exchange; /* NULL: one process */
    bool timed, fixed;
    weft_engine_times *times; /* per thread */
};

/* Sets the next sync point. */
void weft_engine_aim(weft_engine *engine, weft_time until);
/* True if block b can run its next window: it lies before the sync point, and the neighbours have
 * finished the one before. */
bool weft_engine_ready(const weft_engine *engine, uint32_t b);
/* Runs the next window of block b, which is ready and taken by this thread. */
void weft_engine_window(weft_engine *engine, uint32_t b, unsigned thread);

/* The first of `count` things of this thread; its last is before the next thread's first. */
static inline uint32_t weft_team_row(uint32_t count, unsigned threads, unsigned thread)
{
    return (uint32_t)((uint64_t)count * thread / threads);
}

#endif
