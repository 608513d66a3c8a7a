/* SPDX-License-Identifier: Apache-2.0 */
#include "crossbar/switch.h"

#include "base/memory.h"
#include "sched/set.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define WATCH_CELLS 65536

/* ---- what it is made of ---- */

static weft_xbar_wide_side *make_wide(const weft_scheduler *scheduler, size_t sets)
{
    weft_xbar_wide_side *made = weft_alloc(sizeof *made);
    made->asks = weft_alloc(sets * sizeof *made->asks);
    if (scheduler->kind->room)
        made->room = weft_alloc(scheduler->kind->room(scheduler));
    return made;
}

void weft_xbar_switch_init(weft_xbar_switch *it, const weft_scheduler *scheduler, uint64_t seed)
{
    assert(scheduler->inputs == scheduler->outputs && scheduler->n_vcs == 1);
    uint32_t n = scheduler->inputs;
    assert(scheduler->wide ? scheduler->kind->match_wide != NULL : n <= WEFT_CROSSBAR_PORTS_MAX);
    *it = (weft_xbar_switch){.scheduler = scheduler,
                             .n = n,
                             .fifo = !scheduler->voq,
                             .seed = seed,
                             .words = weft_set_words(n)};
    size_t sets = (size_t)n * it->words;
    it->state = weft_alloc(scheduler->bytes + 8);
    it->queue = weft_alloc(weft_xbar_switch_queues(it) * sizeof *it->queue);
    it->asking = weft_alloc(it->words * sizeof *it->asking);
    it->wants = weft_alloc(sets * sizeof *it->wants);
    it->emptied = weft_alloc(sets * sizeof *it->emptied);
    if (it->fifo)
        it->fifos = weft_alloc(n * sizeof *it->fifos);
    if (scheduler->wide)
        it->wide = make_wide(scheduler, sets);
    weft_xbar_switch_reset(it);
}

void weft_xbar_switch_done(weft_xbar_switch *it)
{
    for (uint32_t i = 0; it->fifos && i < it->n; i++)
        free(it->fifos[i].output);
    if (it->wide) {
        free(it->wide->asks);
        free(it->wide->room);
    }
    free(it->wide);
    free(it->fifos);
    free(it->state);
    free(it->queue);
    free(it->asking);
    free(it->wants);
    free(it->emptied);
}

void weft_xbar_switch_reset(weft_xbar_switch *it)
{
    size_t sets = (size_t)it->n * it->words * sizeof(uint64_t);
    it->tick = it->served = 0;
    weft_set_clear(it->words, it->asking);
    memset(it->wants, 0, sets);
    if (it->wide)
        memset(it->wide->asks, 0, sets);
    memset(it->queue, 0, weft_xbar_switch_queues(it) * sizeof *it->queue);
    for (uint32_t i = 0; it->fifos && i < it->n; i++)
        it->fifos[i].first = it->fifos[i].count = 0;
    it->scheduler->kind->reset(it->scheduler, it->state);
    weft_xbar_switch_mark(it);
}

void weft_xbar_switch_mark(weft_xbar_switch *it)
{
    memset(it->emptied, 0, (size_t)it->n * it->words * sizeof *it->emptied);
}

/* ---- cells come and go ---- */

static void fifo_put(weft_xbar_fifo *fifo, weft_xbar_target output)
{
    if (fifo->first + fifo->count == fifo->room) {
        size_t bytes = fifo->count * sizeof *fifo->output;
        if (fifo->first > fifo->count) { /* more than half of it has left */
            memmove(fifo->output, fifo->output + fifo->first, bytes);
        } else {
            fifo->room = fifo->room * 2 + 64;
            weft_xbar_target *wider = weft_alloc(fifo->room * sizeof *wider);
            if (bytes)
                memcpy(wider, fifo->output + fifo->first, bytes);
            free(fifo->output);
            fifo->output = wider;
        }
        fifo->first = 0;
    }
    fifo->output[fifo->first + fifo->count++] = output;
}

/* The rest knows at compile time whether sets are single words (`wide` false, then words is 1).
 *
 * A queue has something to ask for now, or has not any more. */
WEFT_RULE void ask(bool wide, uint32_t words, weft_xbar_switch *it, uint32_t i, uint32_t output)
{
    weft_set_add(words, it->wants + (size_t)i * words, output);
    if (wide)
        weft_set_add(words, it->wide->asks + (size_t)output * words, i);
}

WEFT_RULE void ask_no_more(bool wide, uint32_t words, weft_xbar_switch *it, uint32_t i,
                           uint32_t output)
{
    weft_set_remove(words, it->wants + (size_t)i * words, output);
    if (wide)
        weft_set_remove(words, it->wide->asks + (size_t)output * words, i);
}

WEFT_RULE void arrive(bool wide, uint32_t words, weft_xbar_switch *it, uint32_t i,
                      weft_xbar_target output)
{
    if (it->fifo)
        fifo_put(&it->fifos[i], output);
    uint32_t *queue = it->queue + (it->fifo ? i : (size_t)i * it->n + output);
    if ((*queue)++ == 0)
        ask(wide, words, it, i, output);
    weft_set_add(words, it->asking, i);
}

WEFT_RULE void leave(bool wide, uint32_t words, weft_xbar_switch *it, uint32_t i, uint32_t output)
{
    uint32_t *queue = it->queue + (it->fifo ? i : (size_t)i * it->n + output);
    if (--*queue == 0 || it->fifo)
        ask_no_more(wide, words, it, i, output);
    if (it->fifo) {
        weft_xbar_fifo *fifo = &it->fifos[i];
        fifo->first++;
        if (--fifo->count)
            ask(wide, words, it, i, fifo->output[fifo->first]);
    }
    if (!weft_set_any(words, it->wants + (size_t)i * words))
        weft_set_remove(words, it->asking, i);
}

WEFT_RULE void note_empty(uint32_t words, weft_xbar_switch *it, uint32_t i)
{
    const uint64_t *wants = it->wants + (size_t)i * words;
    uint64_t *emptied = it->emptied + (size_t)i * words;
    if (it->fifo)
        *emptied |= !weft_set_any(words, wants);
    else
        for (uint32_t w = 0; w < words; w++)
            emptied[w] |= ~wants[w];
}

/* ---- one slot ---- */

static uint32_t length(const void *user, uint32_t input, uint32_t lane, uint32_t output)
{
    const weft_xbar_switch *it = user;
    (void)lane;
    return it->fifo ? it->queue[input] : it->queue[(size_t)input * it->n + output];
}

static uint32_t cross(weft_xbar_switch *it, weft_occasion occasion)
{
    const weft_scheduler *scheduler = it->scheduler;
    weft_match *match = &it->match;
    weft_requests requests = {.wants = it->wants,
                              .asking = *it->asking,
                              .user = it,
                              .length = length,
                              .occasion = occasion};
    scheduler->kind->match(scheduler, it->state, &requests, match);
    for (uint64_t left = match->inputs; left; left &= left - 1) {
        uint32_t i = weft_lowest(left), j = match->output[i];
        scheduler->kind->granted(scheduler, it->state, i, match->vc[i], j,
                                 (match->first >> i & 1) != 0);
        if (scheduler->kind->sent) /* all cells are alike */
            scheduler->kind->sent(scheduler, it->state,
                                  &(weft_crossing){.input = i, .output = j, .bytes = 1});
        leave(false, 1, it, i, j);
    }
    if (scheduler->kind->learn)
        scheduler->kind->learn(scheduler, it->state, match);
    return (uint32_t)__builtin_popcountll(match->inputs);
}

static uint32_t cross_wide(weft_xbar_switch *it, weft_occasion occasion)
{
    const weft_scheduler *scheduler = it->scheduler;
    weft_wide_match *match = &it->wide->match;
    weft_wide_requests requests = {.words = it->words,
                                   .wants = it->wants,
                                   .asks = it->wide->asks,
                                   .asking = it->asking,
                                   .user = it,
                                   .length = length,
                                   .occasion = occasion,
                                   .room = it->wide->room};
    scheduler->kind->match_wide(scheduler, it->state, &requests, match);
    for (uint32_t i = weft_set_next(it->words, match->inputs, 0); i < 64 * it->words;
         i = weft_set_next(it->words, match->inputs, i + 1))
        leave(true, it->words, it, i, match->output[i]);
    return weft_set_count(it->words, match->inputs);
}

WEFT_RULE void all_arrive(bool wide, uint32_t words, weft_xbar_switch *it,
                          const weft_xbar_target *arrivals)
{
    for (uint32_t i = 0; i < it->n; i++) {
        if (arrivals[i] != WEFT_IDLE)
            arrive(wide, words, it, i, arrivals[i]);
        note_empty(words, it, i);
    }
}

uint32_t weft_xbar_switch_step(weft_xbar_switch *it, const weft_xbar_target *arrivals)
{
    weft_occasion occasion = {.seed = it->seed, .tick = it->tick++};
    uint32_t served = 0;
    if (it->watch && it->tick % (WATCH_CELLS / it->n) == 0)
        it->watch->seen(it->watch->user, it->tick);
    if (it->wide) {
        all_arrive(true, it->words, it, arrivals);
        weft_set_clear(it->words, it->wide->match.inputs);
        if (weft_set_any(it->words, it->asking))
            served = cross_wide(it, occasion);
    } else {
        all_arrive(false, 1, it, arrivals);
        it->match.inputs = 0;
        if (*it->asking)
            served = cross(it, occasion);
    }
    it->served += served;
    return served;
}
