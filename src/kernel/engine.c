/* SPDX-License-Identifier: Apache-2.0 */
/* Windows over blocks. A block runs window w + 1 when its neighbours have finished w (one counter
 * per block); it first takes what they sent in w. Two outboxes per slot suffice: a neighbour writes
 * parity w again only in w + 2, after this block has finished w + 1. Blocks without neighbours run
 * straight to the end. */
#include "base/memory.h"
#include "kernel/block.h"

#include <stdlib.h>

struct weft_engine {
    weft_block *block;
    uint32_t blocks;
    weft_time window, now;
};

/* Lists, for every block, the outboxes that lead to it. */
static void connect(weft_engine *engine)
{
    for (uint32_t b = 0; b < engine->blocks; b++) {
        weft_block *from = &engine->block[b];
        for (uint32_t s = 0; s < from->slots; s++) {
            assert(from->neighbour[s] < engine->blocks);
            weft_block *to = &engine->block[from->neighbour[s]];
            to->inlet = weft_realloc(to->inlet, to->inlets + 1, sizeof *to->inlet);
            to->inlet[to->inlets++] = (weft_inlet){.block = b, .slot = s};
        }
    }
}

weft_engine *weft_engine_create(const weft_engine_plan *plan)
{
    assert(plan->window >= 1 && plan->timer_shift >= 1);
    weft_engine *engine = weft_alloc(sizeof *engine);
    engine->blocks = plan->blocks;
    engine->window = plan->window;
    engine->block = weft_region_create(sizeof *engine->block * plan->blocks);
    for (uint32_t b = 0; b < plan->blocks; b++)
        weft_block_init(&engine->block[b], &plan->block[b], plan);
    connect(engine);
    return engine;
}

void weft_engine_destroy(weft_engine *engine)
{
    if (!engine)
        return;
    for (uint32_t b = 0; b < engine->blocks; b++)
        weft_block_done(&engine->block[b]);
    weft_region_destroy(engine->block, sizeof *engine->block * engine->blocks);
    free(engine);
}

/* Moves what the neighbours sent in the last window into this block's wheel. */
static void receive(weft_engine *engine, weft_block *block)
{
    weft_time now = block->wheel.near.now;
    for (uint32_t i = 0; i < block->inlets; i++) {
        weft_block *from = &engine->block[block->inlet[i].block];
        weft_outbox *box = &from->outbox[block->parity ^ 1][block->inlet[i].slot];
        for (uint32_t e = 0; e < box->count; e++) {
            weft_time at = now + (int32_t)(box->events[e].when - (uint32_t)now);
            *weft_wheel_put(&block->wheel, at) = box->events[e];
        }
        box->count = 0;
    }
}

/* Have all neighbours finished the window before the one this block is to run? */
static bool may_run(const weft_engine *engine, const weft_block *block)
{
    for (uint32_t i = 0; i < block->inlets; i++)
        if (engine->block[block->inlet[i].block].done < block->done)
            return false;
    return true;
}

static void run_window(weft_engine *engine, weft_block *block, weft_time end)
{
    block->parity = (uint32_t)(block->done & 1);
    receive(engine, block);
    weft_block_run(block, end);
    block->done++;
}

void weft_engine_run(weft_engine *engine, weft_time until)
{
    while (engine->now < until) {
        weft_time end = engine->blocks > 1 ? engine->now + engine->window : until;
        if (end > until)
            end = until;
        for (uint32_t left = engine->blocks; left > 0;)
            for (uint32_t b = 0; b < engine->blocks; b++) {
                weft_block *block = &engine->block[b];
                if (block->wheel.near.now < end && may_run(engine, block)) {
                    run_window(engine, block, end);
                    left--;
                }
            }
        engine->now = end;
    }
}

weft_time weft_engine_now(const weft_engine *engine)
{
    return engine->now;
}

weft_block *weft_engine_block(weft_engine *engine, uint32_t block)
{
    assert(block < engine->blocks);
    return &engine->block[block];
}

int64_t weft_engine_bytes(const weft_engine *engine)
{
    int64_t bytes = 0;
    for (uint32_t b = 0; b < engine->blocks; b++)
        bytes += weft_block_bytes(&engine->block[b]);
    return bytes;
}

uint64_t weft_engine_events(const weft_engine *engine)
{
    uint64_t events = 0;
    for (uint32_t b = 0; b < engine->blocks; b++)
        events += engine->block[b].wheel.events;
    return events;
}

bool weft_engine_overrun(const weft_engine *engine)
{
    for (uint32_t b = 0; b < engine->blocks; b++)
        if (engine->block[b].wheel.overrun)
            return true;
    return false;
}

void weft_engine_visit(const weft_engine *engine,
                       void (*visit)(void *user, uint32_t block, const weft_event *event),
                       void *user)
{
    for (uint32_t b = 0; b < engine->blocks; b++) {
        const weft_block *block = &engine->block[b];
        weft_wheel_visit(&block->wheel, visit, user, b);
        for (int p = 0; p < 2; p++)
            for (uint32_t s = 0; s < block->slots; s++)
                for (uint32_t e = 0; e < block->outbox[p][s].count; e++)
                    visit(user, block->neighbour[s], &block->outbox[p][s].events[e]);
    }
}

int64_t weft_engine_idle_bytes(uint32_t entities, uint32_t timers, uint32_t neighbours)
{
    return (int64_t)sizeof(weft_block) + (int64_t)sizeof(uint64_t) * entities +
           (int64_t)sizeof(int32_t) * timers + (int64_t)(2 * sizeof(weft_outbox)) * neighbours;
}
