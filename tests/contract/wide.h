/* SPDX-License-Identifier: Apache-2.0 */
/* A wide crossbar with a scheduler, and random requests for it. */
#ifndef WEFT_TEST_WIDE_H
#define WEFT_TEST_WIDE_H

#include "base/memory.h"
#include "contract/bench.h"
#include "sched/set.h"

typedef struct wide {
    weft_scheduler scheduler;
    void *settings, *state;
    uint32_t n, words;
    uint64_t *wants, *asks, *asking;
    uint32_t *length; /* n × n; 0: does not ask */
    weft_wide_requests requests;
    weft_wide_match match;
    weft_random random;
} wide;

static inline uint32_t wide_length(const void *user, uint32_t x, uint32_t vc, uint32_t y)
{
    const wide *it = user;
    assert_int_equal(vc, 0);
    return it->length[x * it->n + y];
}

static inline void wide_open(wide *it, const char *kind_name, const char *settings, uint32_t n)
{
    const weft_component *kind = kind_named(weft_scheduler_kinds, kind_name);
    weft_error err = {""};
    *it = (wide){.n = n,
                 .words = weft_set_words(n),
                 .settings = settings_make(kind, settings),
                 .random = weft_random_stream(33, n, 0, WEFT_FOR_ESTIMATE)};
    bench_take_arbiters(kind, it->settings);
    it->scheduler = (weft_scheduler){.kind = (const weft_scheduler_kind *)(const void *)kind,
                                     .settings = it->settings,
                                     .inputs = n,
                                     .outputs = n,
                                     .n_vcs = 1,
                                     .voq = true,
                                     .wide = true,
                                     .counts = true};
    assert_int_equal(it->scheduler.kind->build(&it->scheduler, &err), WEFT_OK);
    it->state = weft_alloc(it->scheduler.bytes + 1);
    it->scheduler.kind->reset(&it->scheduler, it->state);
    it->wants = weft_alloc(n * it->words * sizeof *it->wants);
    it->asks = weft_alloc(n * it->words * sizeof *it->asks);
    it->asking = weft_alloc(it->words * sizeof *it->asking);
    it->length = weft_alloc((size_t)n * n * sizeof *it->length);
    size_t room = it->scheduler.kind->room ? it->scheduler.kind->room(&it->scheduler) : 0;
    it->requests = (weft_wide_requests){.words = it->words,
                                        .wants = it->wants,
                                        .asks = it->asks,
                                        .asking = it->asking,
                                        .length = wide_length,
                                        .user = it,
                                        .occasion = {.seed = 5},
                                        .room = room ? weft_alloc(room) : NULL};
}

static inline void wide_close(wide *it)
{
    free(it->settings);
    free(it->state);
    free(it->wants);
    free(it->asks);
    free(it->asking);
    free(it->length);
    free(it->requests.room);
}

/* Says what asks by the lengths. */
static inline void wide_take_lengths(wide *it)
{
    memset(it->wants, 0, it->n * it->words * sizeof *it->wants);
    memset(it->asks, 0, it->n * it->words * sizeof *it->asks);
    weft_set_clear(it->words, it->asking);
    for (uint32_t k = 0; k < it->n * it->n; k++)
        if (it->length[k]) {
            weft_set_add(it->words, it->wants + (size_t)(k / it->n) * it->words, k % it->n);
            weft_set_add(it->words, it->asks + (size_t)(k % it->n) * it->words, k / it->n);
            weft_set_add(it->words, it->asking, k / it->n);
        }
}

/* Every queue asks with this chance, of 1,000; at least one does. */
static inline void wide_ask_randomly(wide *it, uint32_t per_mille)
{
    for (uint32_t k = 0; k < it->n * it->n; k++)
        it->length[k] = weft_random_below(&it->random, 1000) < per_mille
                            ? 1 + weft_random_below(&it->random, 9)
                            : 0;
    it->length[weft_random_below(&it->random, it->n * it->n)] = 1;
    wide_take_lengths(it);
}

static inline void wide_match(wide *it)
{
    it->scheduler.kind->match_wide(&it->scheduler, it->state, &it->requests, &it->match);
    it->requests.occasion.tick++;
}

/* The output of input x, or −1. */
static inline int wide_output(const wide *it, uint32_t x)
{
    return weft_set_has(it->words, it->match.inputs, x) ? (int)it->match.output[x] : -1;
}

#endif
