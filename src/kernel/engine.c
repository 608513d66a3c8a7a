/* SPDX-License-Identifier: Apache-2.0 */
/* Windows over blocks. A block runs window w + 1 when its neighbours have finished w (one counter
 * per block); it first takes what they sent in w. Two outboxes per slot suffice: a neighbour writes
 * parity w again only in w + 2, after this block has finished w + 1. Blocks without neighbours run
 * straight to the sync point. */
#include "kernel/engine.h"

#include "base/memory.h"
#include "kernel/exchange.h"

#include <stdlib.h>
#include <unistd.h>

#define SPINS 2000

static void wait_for(weft_block *block, const _Atomic uint64_t *counter)
{
    for (uint32_t i = 0; i < block->n_waits; i++)
        if (block->waits[i] == counter)
            return;
    block->waits = weft_realloc(block->waits, block->n_waits + 1, sizeof(void *));
    block->waits[block->n_waits++] = counter;
}

/* Lists, for every block, the outboxes of this process that lead to it, and whom it waits for. */
static void connect(weft_engine *engine)
{
    for (uint32_t b = 0; b < engine->n_blocks; b++) {
        weft_block *from = &engine->blocks[b];
        for (uint32_t s = 0; s < from->slots; s++) {
            uint32_t other = weft_block_find(engine->blocks, engine->n_blocks, from->neighbour[s]);
            if (other == b || other == engine->n_blocks)
                continue;
            weft_block *to = &engine->blocks[other];
            to->inlets = weft_realloc(to->inlets, to->n_inlets + 1, sizeof *to->inlets);
            to->inlets[to->n_inlets++] = (weft_inlet){.block = b, .slot = s};
            wait_for(to, &engine->turn[b].done);
            wait_for(from, &engine->turn[other].done);
        }
        for (uint32_t p = 0; p < from->n_peers; p++)
            wait_for(from, weft_exchange_arrived(engine->exchange, from->peers[p]));
    }
}

typedef struct opening {
    weft_engine *engine;
    const weft_engine_plan *plan;
} opening;

static void open_block(void *user, uint32_t b)
{
    const opening *open = user;
    weft_block_init(&open->engine->blocks[b], &open->plan->blocks[b], open->plan);
    atomic_init(&open->engine->turn[b].done, 0);
    atomic_flag_clear(&open->engine->turn[b].taken);
}

/* With more threads than cores, waiting ones give their core away at once. */
static unsigned spins(const weft_engine_plan *plan, unsigned threads)
{
    unsigned wanted = threads * weft_comm_here(plan->comm);
    return wanted > (unsigned)sysconf(_SC_NPROCESSORS_ONLN) ? 1 : SPINS;
}

weft_engine *weft_engine_create(const weft_engine_plan *plan)
{
    assert(plan->window >= 1 && plan->timer_shift >= 1);
    weft_engine *engine = weft_alloc(sizeof *engine);
    engine->n_blocks = plan->n_blocks;
    engine->threads = plan->threads > 1 ? plan->threads : 1;
    if (engine->threads > plan->n_blocks)
        engine->threads = plan->n_blocks ? plan->n_blocks : 1;
    engine->spins = spins(plan, engine->threads);
    engine->window = plan->window;
    engine->now = engine->until = plan->start;
    engine->timed = plan->timed;
    engine->fixed = plan->fixed;
    engine->times = weft_alloc(sizeof *engine->times * engine->threads);
    engine->blocks = weft_region_create(sizeof *engine->blocks * plan->n_blocks);
    engine->turn = weft_region_create(sizeof *engine->turn * plan->n_blocks);
    weft_team_each(engine->threads, plan->n_blocks, open_block,
                   &(opening){.engine = engine, .plan = plan});
    if (weft_comm_size(plan->comm) > 1)
        engine->exchange = weft_exchange_create(engine->blocks, plan);
    connect(engine);
    return engine;
}

void weft_engine_destroy(weft_engine *engine)
{
    if (!engine)
        return;
    weft_exchange_destroy(engine->exchange);
    for (uint32_t b = 0; b < engine->n_blocks; b++)
        weft_block_done(&engine->blocks[b]);
    weft_region_destroy(engine->blocks, sizeof *engine->blocks * engine->n_blocks);
    weft_region_destroy(engine->turn, sizeof *engine->turn * engine->n_blocks);
    free(engine->times);
    free(engine);
}

static void put(weft_block *block, const weft_event *events, uint32_t count)
{
    weft_time now = block->wheel.near.now;
    for (uint32_t e = 0; e < count; e++) {
        weft_time at = now + (int32_t)(events[e].when - (uint32_t)now);
        *weft_wheel_put(&block->wheel, at) = events[e];
    }
}

/* Moves what the neighbours sent in the last window into this block's wheel. */
static void receive(weft_engine *engine, weft_block *block)
{
    uint32_t before = block->parity ^ 1;
    for (uint32_t i = 0; i < block->n_inlets; i++) {
        weft_block *from = &engine->blocks[block->inlets[i].block];
        weft_outbox *box = &from->outbox[before][block->inlets[i].slot];
        put(block, box->events, box->n_events);
        box->n_events = 0;
    }
    weft_post *post = &block->post[before];
    for (uint32_t i = 0; i < post->n_bundles; i++)
        put(block, post->bundles[i].events, post->bundles[i].n_events);
    post->n_bundles = 0;
}

bool weft_engine_ready(const weft_engine *engine, uint32_t b)
{
    const weft_block *block = &engine->blocks[b];
    uint64_t done = atomic_load_explicit(&engine->turn[b].done, memory_order_relaxed);
    if (done == engine->goal)
        return false;
    for (uint32_t i = 0; i < block->n_waits; i++)
        if (atomic_load_explicit(block->waits[i], memory_order_acquire) < done)
            return false;
    return true;
}

void weft_engine_window(weft_engine *engine, uint32_t b, unsigned thread)
{
    weft_block *block = &engine->blocks[b];
    uint64_t w = atomic_load_explicit(&engine->turn[b].done, memory_order_relaxed);
    bool last = w + 1 == engine->goal;
    weft_time end =
        last ? engine->until : engine->first + (weft_time)(w - engine->from) * engine->window;
    double began = engine->timed ? weft_clock() : 0;
    block->parity = (uint32_t)(w & 1);
    if (block->model->seat)
        block->model->seat(block->state, thread);
    receive(engine, block);
    weft_block_run(block, end);
    if (last && block->model->rest)
        block->model->rest(block->state, end);
    if (engine->timed) {
        engine->times[thread].run_s += weft_clock() - began;
        engine->times[thread].windows++;
    }
    atomic_store_explicit(&engine->turn[b].done, w + 1, memory_order_release);
    if (block->n_peers)
        weft_exchange_finished(engine->exchange, block, w);
}

static weft_time first_of(weft_time now, const weft_event *events, uint32_t count, weft_time limit)
{
    for (uint32_t e = 0; e < count; e++) {
        weft_time at = now + (int32_t)(events[e].when - (uint32_t)now);
        limit = at < limit ? at : limit;
    }
    return limit;
}

/* The first event of what neighbours have sent to a block and it has not taken yet. */
static weft_time first_mail(const weft_engine *engine, const weft_block *block, weft_time limit)
{
    for (uint32_t parity = 0; parity < 2; parity++) {
        const weft_post *post = &block->post[parity];
        for (uint32_t i = 0; i < post->n_bundles; i++)
            limit =
                first_of(engine->now, post->bundles[i].events, post->bundles[i].n_events, limit);
        for (uint32_t i = 0; i < block->n_inlets; i++) {
            const weft_outbox *box =
                &engine->blocks[block->inlets[i].block].outbox[parity][block->inlets[i].slot];
            limit = first_of(engine->now, box->events, box->n_events, limit);
        }
    }
    return limit;
}

weft_time weft_engine_idle(weft_engine *engine, weft_time limit)
{
    weft_time first = limit;
    for (uint32_t b = 0; b < engine->n_blocks && first > engine->now; b++) {
        const weft_block *block = &engine->blocks[b];
        first = weft_block_first_timer(block, first_mail(engine, block, first));
        first = weft_wheel_first(&block->wheel, first);
    }
    engine->idle = engine->exchange ? weft_exchange_least(engine->exchange, first) : first;
    return engine->idle;
}

/* Alone, a block has nobody to wait for and runs straight to the sync point. An event before which
 * nothing happens has its effect on other blocks a window later. */
void weft_engine_aim(weft_engine *engine, weft_time until)
{
    assert(until > engine->now);
    bool alone = engine->n_blocks == 1 && !engine->exchange;
    weft_time idle = engine->idle < until ? engine->idle : until;
    idle = idle > engine->now ? idle : engine->now;
    engine->first = until - idle > engine->window && !alone ? idle + engine->window : until;
    engine->until = until;
    engine->from = engine->goal;
    engine->goal += 1 + (uint64_t)((until - engine->first + engine->window - 1) / engine->window);
    if (engine->exchange)
        weft_exchange_begin(engine->exchange, engine->goal);
}

weft_time weft_engine_now(const weft_engine *engine)
{
    return engine->now;
}

weft_block *weft_engine_block(weft_engine *engine, uint32_t block)
{
    assert(block < engine->n_blocks);
    return &engine->blocks[block];
}

int64_t weft_engine_bytes(const weft_engine *engine)
{
    int64_t bytes = engine->exchange ? weft_exchange_bytes(engine->exchange) : 0;
    bytes += (int64_t)sizeof(weft_turn) * engine->n_blocks;
    for (uint32_t b = 0; b < engine->n_blocks; b++)
        bytes += weft_block_bytes(&engine->blocks[b]);
    return bytes;
}

uint64_t weft_engine_events(const weft_engine *engine)
{
    uint64_t events = 0;
    for (uint32_t b = 0; b < engine->n_blocks; b++)
        events += engine->blocks[b].wheel.events;
    return events;
}

/* Events that are handed over have the low half of their tick. */
static void visit_box(const weft_engine *engine, uint32_t b, const weft_event *events,
                      uint32_t count, weft_visitor visit, void *user)
{
    for (uint32_t e = 0; e < count; e++)
        visit(user, b, engine->now + (int32_t)(events[e].when - (uint32_t)engine->now), &events[e]);
}

void weft_engine_visit_block(const weft_engine *engine, uint32_t b, weft_visitor visit, void *user)
{
    const weft_block *block = &engine->blocks[b];
    weft_wheel_visit(&block->wheel, visit, user, b);
    for (int p = 0; p < 2; p++) {
        for (uint32_t i = 0; i < block->n_inlets; i++) {
            const weft_block *from = &engine->blocks[block->inlets[i].block];
            const weft_outbox *box = &from->outbox[p][block->inlets[i].slot];
            visit_box(engine, b, box->events, box->n_events, visit, user);
        }
        for (uint32_t i = 0; i < block->post[p].n_bundles; i++)
            visit_box(engine, b, block->post[p].bundles[i].events,
                      block->post[p].bundles[i].n_events, visit, user);
    }
}

void weft_engine_visit(const weft_engine *engine, weft_visitor visit, void *user)
{
    for (uint32_t b = 0; b < engine->n_blocks; b++)
        weft_engine_visit_block(engine, b, visit, user);
}

weft_engine_times weft_engine_timing(const weft_engine *engine)
{
    weft_engine_times sum = {0};
    for (unsigned t = 0; t < engine->threads; t++) {
        const weft_engine_times *one = &engine->times[t];
        sum.windows += one->windows;
        sum.steals += one->steals;
        sum.run_s += one->run_s;
        sum.exchange_s += one->exchange_s;
        sum.wait_s += one->wait_s;
        sum.meet_s += one->meet_s;
        sum.sent_bytes += one->sent_bytes;
    }
    return sum;
}

int64_t weft_engine_idle_bytes(uint32_t entities, uint32_t timers, uint32_t neighbours)
{
    return (int64_t)(sizeof(weft_block) + sizeof(weft_turn)) +
           (int64_t)sizeof(uint64_t) * entities + (int64_t)sizeof(int32_t) * timers +
           (int64_t)(2 * sizeof(weft_outbox)) * neighbours;
}
