/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/watch/knot.h"

#include "base/memory.h"
#include "net/naming.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A wait in words: queue, ticks, how many follow, and for each of them queue and output. */
enum { WAIT_QUEUE, WAIT_TICKS, WAIT_COUNT, WAIT_WORDS };

static uint64_t pack_queue(weft_input_queue queue)
{
    return (uint64_t)queue.router << 32 | (uint64_t)queue.in << 16 | queue.vc;
}

static weft_input_queue unpack_queue(uint64_t word)
{
    return (weft_input_queue){(uint32_t)(word >> 32), (uint16_t)(word >> 16), (uint16_t)word};
}

static void put(weft_waits *waits, uint64_t word)
{
    if (waits->n_words == waits->room) {
        waits->room = waits->room ? 2 * waits->room : 64;
        waits->words = weft_realloc(waits->words, waits->room, sizeof *waits->words);
    }
    waits->words[waits->n_words++] = word;
}

void weft_waits_begin(weft_waits *waits, weft_input_queue queue)
{
    waits->last = waits->n_words;
    waits->queues++;
    put(waits, pack_queue(queue));
    put(waits, 0);
    put(waits, 0);
}

void weft_waits_since(weft_waits *waits, uint64_t ticks)
{
    waits->words[waits->last + WAIT_TICKS] = ticks;
    waits->starved += ticks >= waits->starving;
}

void weft_waits_for(weft_waits *waits, weft_wait_for what)
{
    put(waits, pack_queue(what.queue));
    put(waits, (uint64_t)what.out << 16 | what.vc);
    waits->words[waits->last + WAIT_COUNT]++;
}

void weft_waits_drop(weft_waits *waits)
{
    waits->n_words = waits->last;
    waits->queues--;
}

void weft_waits_clear(weft_waits *waits)
{
    waits->n_words = 0;
    waits->queues = waits->starved = 0;
}

void weft_waits_done(weft_waits *waits)
{
    free(waits->words);
    *waits = (weft_waits){0};
}

void weft_waits_gather(weft_waits *waits, weft_comm *comm)
{
    if (weft_comm_size(comm) == 1)
        return;
    size_t *sizes = weft_alloc(sizeof *sizes * comm->size), bytes = 0;
    void *all = NULL;
    comm->kind->gather(comm, waits->words, sizeof *waits->words * waits->n_words, &all, sizes);
    for (uint32_t rank = 0; all && rank < comm->size; rank++)
        bytes += sizes[rank];
    if (all) {
        free(waits->words);
        waits->words = all;
        waits->n_words = waits->room = bytes / sizeof *waits->words;
    }
    free(sizes);
}

typedef struct puzzle {
    const uint64_t **wait; /* by queue */
    size_t count;
    uint32_t *open;   /* per wait: it is not in the knot */
    uint32_t *first;  /* per wait, and one more: who waits for it … */
    uint32_t *waiter; /* … all in a row */
} puzzle;

static int by_queue(const void *a, const void *b)
{
    uint64_t x = **(const uint64_t *const *)a, y = **(const uint64_t *const *)b;
    return x < y ? -1 : x > y;
}

/* The wait of a queue; count: it has none. */
static size_t find(const puzzle *p, uint64_t queue)
{
    size_t low = 0, high = p->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (p->wait[middle][WAIT_QUEUE] < queue)
            low = middle + 1;
        else
            high = middle;
    }
    return low < p->count && p->wait[low][WAIT_QUEUE] == queue ? low : p->count;
}

static size_t target(const puzzle *p, size_t i, uint64_t k)
{
    return find(p, p->wait[i][WAIT_WORDS + 2 * k]);
}

static void puzzle_open(puzzle *p, const weft_waits *waits)
{
    *p = (puzzle){.wait = weft_alloc(sizeof *p->wait * (waits->n_words / WAIT_WORDS + 1))};
    for (size_t at = 0; at < waits->n_words; at += WAIT_WORDS + 2 * waits->words[at + WAIT_COUNT])
        p->wait[p->count++] = waits->words + at;
    qsort(p->wait, p->count, sizeof *p->wait, by_queue);
    p->open = weft_alloc(sizeof *p->open * (p->count + 1));
    p->first = weft_alloc(sizeof *p->first * (p->count + 3));
    for (size_t i = 0; i < p->count; i++)
        for (uint64_t k = 0; k < p->wait[i][WAIT_COUNT]; k++)
            if (target(p, i, k) < p->count)
                p->first[target(p, i, k) + 2]++;
    for (size_t i = 0; i < p->count; i++)
        p->first[i + 2] += p->first[i + 1];
    p->waiter = weft_alloc(sizeof *p->waiter * (p->first[p->count + 1] + 1u));
    for (size_t i = 0; i < p->count; i++)
        for (uint64_t k = 0; k < p->wait[i][WAIT_COUNT]; k++)
            if (target(p, i, k) < p->count)
                p->waiter[p->first[target(p, i, k) + 1]++] = (uint32_t)i;
}

static void puzzle_close(puzzle *p)
{
    free(p->wait);
    free(p->open);
    free(p->first);
    free(p->waiter);
}

/* Takes away who waits for something that moves; returns how many are left. */
static size_t reduce(puzzle *p)
{
    uint32_t *queue = weft_alloc(sizeof *queue * (p->count + 1));
    size_t count = 0;
    for (size_t i = 0; i < p->count; i++) {
        bool moves = p->wait[i][WAIT_COUNT] == 0;
        for (uint64_t k = 0; k < p->wait[i][WAIT_COUNT] && !moves; k++)
            moves = target(p, i, k) == p->count;
        if (moves) {
            p->open[i] = 1;
            queue[count++] = (uint32_t)i;
        }
    }
    for (size_t n = 0; n < count; n++)
        for (uint32_t w = p->first[queue[n]]; w < p->first[queue[n] + 1]; w++)
            if (!p->open[p->waiter[w]]) {
                p->open[p->waiter[w]] = 1;
                queue[count++] = p->waiter[w];
            }
    free(queue);
    return p->count - count;
}

static weft_knot_edge edge_of(const puzzle *p, size_t i)
{
    uint64_t way = p->wait[i][WAIT_WORDS + 1];
    return (weft_knot_edge){.queue = unpack_queue(p->wait[i][WAIT_QUEUE]),
                            .next = {.queue = unpack_queue(p->wait[i][WAIT_WORDS]),
                                     .out = (uint16_t)(way >> 16),
                                     .vc = (uint16_t)way}};
}

/* From the longest wait in the knot on, always for the first that it waits for, until it comes
 * back. */
static void follow(puzzle *p, weft_knot *knot)
{
    size_t at = p->count;
    for (size_t i = 0; i < p->count; i++)
        if (!p->open[i] && (at == p->count || p->wait[i][WAIT_TICKS] > p->wait[at][WAIT_TICKS]))
            at = i;
    for (size_t n = 0; n < p->count; n++) /* certainly in a circle then */
        at = target(p, at, 0);
    size_t start = at;
    do {
        if (knot->length < WEFT_KNOT_SHOWN)
            knot->edge[knot->length] = edge_of(p, at);
        knot->length++;
        at = target(p, at, 0);
    } while (at != start);
}

void weft_knot_find(const weft_waits *waits, weft_knot *knot)
{
    puzzle p;
    memset(knot, 0, sizeof *knot);
    puzzle_open(&p, waits);
    knot->queues = reduce(&p);
    if (knot->queues > 0)
        follow(&p, knot);
    puzzle_close(&p);
}

void weft_knot_describe(const weft_knot *knot, const weft_topology *topology, char *text,
                        size_t size)
{
    char name[WEFT_NAME_BYTES];
    size_t used = 0;
    text[0] = 0;
    for (uint32_t i = 0; i < knot->length && i < WEFT_KNOT_SHOWN && used < size; i++) {
        const weft_knot_edge *edge = &knot->edge[i];
        int more = snprintf(text + used, size - used,
                            "%srouter %s input %u VC %u waits for output %u VC %u", i ? ", " : "",
                            weft_naming_name(topology, edge->queue.router, name), edge->queue.in,
                            edge->queue.vc, edge->next.out, edge->next.vc);
        used += more > 0 ? (size_t)more : 0;
    }
    if (knot->length > WEFT_KNOT_SHOWN && used < size)
        (void)snprintf(text + used, size - used, ", …");
}
