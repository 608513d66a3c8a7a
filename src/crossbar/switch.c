/* SPDX-License-Identifier: Apache-2.0 */
#include "crossbar/switch.h"

#include "base/memory.h"
#include "sched/round_robin.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void weft_switch_init(weft_switch *it, const weft_scheduler *scheduler, uint64_t seed)
{
    assert(scheduler->inputs == scheduler->outputs && scheduler->lanes == 1);
    uint32_t n = scheduler->inputs;
    *it = (weft_switch){.scheduler = scheduler, .n = n, .fifo = !scheduler->voq, .seed = seed};
    it->state = weft_alloc(scheduler->bytes + 8);
    it->queue = weft_alloc(weft_switch_queues(it) * sizeof *it->queue);
    if (it->fifo)
        it->fifos = weft_alloc(n * sizeof *it->fifos);
    weft_switch_reset(it);
}

void weft_switch_done(weft_switch *it)
{
    for (uint32_t i = 0; it->fifos && i < it->n; i++)
        free(it->fifos[i].output);
    free(it->fifos);
    free(it->state);
    free(it->queue);
}

void weft_switch_reset(weft_switch *it)
{
    it->tick = it->served = it->asking = 0;
    memset(it->wants, 0, sizeof it->wants);
    memset(it->queue, 0, weft_switch_queues(it) * sizeof *it->queue);
    for (uint32_t i = 0; it->fifos && i < it->n; i++)
        it->fifos[i].first = it->fifos[i].count = 0;
    it->scheduler->kind->reset(it->scheduler, it->state);
    weft_switch_mark(it);
}

void weft_switch_mark(weft_switch *it)
{
    memset(it->emptied, 0, it->n * sizeof *it->emptied);
}

static void fifo_put(weft_fifo *fifo, uint8_t output)
{
    if (fifo->first + fifo->count == fifo->room) {
        if (fifo->first > fifo->count) { /* more than half of it has left */
            memmove(fifo->output, fifo->output + fifo->first, fifo->count);
        } else {
            uint8_t *wider = weft_alloc(fifo->room * 2 + 64);
            if (fifo->count)
                memcpy(wider, fifo->output + fifo->first, fifo->count);
            free(fifo->output);
            fifo->output = wider;
            fifo->room = fifo->room * 2 + 64;
        }
        fifo->first = 0;
    }
    fifo->output[fifo->first + fifo->count++] = output;
}

static void arrive(weft_switch *it, uint32_t i, uint8_t output)
{
    if (!it->fifo) {
        it->queue[i * it->n + output]++;
        it->wants[i] |= weft_bit(output);
    } else {
        fifo_put(&it->fifos[i], output);
        if (it->queue[i]++ == 0)
            it->wants[i] = weft_bit(output);
    }
    it->asking |= weft_bit(i);
}

static void leave(weft_switch *it, uint32_t i, uint32_t output)
{
    if (!it->fifo) {
        if (--it->queue[i * it->n + output] == 0)
            it->wants[i] &= ~weft_bit(output);
    } else {
        weft_fifo *fifo = &it->fifos[i];
        fifo->first++;
        fifo->count--;
        it->wants[i] = --it->queue[i] ? weft_bit(fifo->output[fifo->first]) : 0;
    }
    if (!it->wants[i])
        it->asking &= ~weft_bit(i);
}

static uint32_t length(const void *user, uint32_t input, uint32_t lane, uint32_t output)
{
    const weft_switch *it = user;
    (void)lane;
    return it->fifo ? it->queue[input] : it->queue[input * it->n + output];
}

uint32_t weft_switch_step(weft_switch *it, const uint8_t *arrivals)
{
    const weft_scheduler *scheduler = it->scheduler;
    for (uint32_t i = 0; i < it->n; i++) {
        if (arrivals[i] != WEFT_IDLE)
            arrive(it, i, arrivals[i]);
        it->emptied[i] |= it->fifo ? it->wants[i] == 0 : ~it->wants[i];
    }
    weft_match *match = &it->match;
    uint64_t tick = it->tick++;
    match->inputs = 0;
    if (!it->asking)
        return 0;
    weft_requests requests = {.wants = it->wants,
                              .asking = it->asking,
                              .user = it,
                              .length = length,
                              .occasion = {.seed = it->seed, .tick = tick}};
    scheduler->kind->match(scheduler, it->state, &requests, match);
    for (uint64_t left = match->inputs; left; left &= left - 1) {
        uint32_t i = weft_lowest(left), j = match->output[i];
        scheduler->kind->granted(scheduler, it->state, i, match->lane[i], j,
                                 (match->first >> i & 1) != 0);
        leave(it, i, j);
    }
    if (scheduler->kind->learn)
        scheduler->kind->learn(scheduler, it->state, match);
    uint32_t served = (uint32_t)__builtin_popcountll(match->inputs);
    it->served += served;
    return served;
}
