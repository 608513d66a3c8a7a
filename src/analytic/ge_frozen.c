/* SPDX-License-Identifier: Apache-2.0 */
/* A rate that is frozen when a service starts: state (n, c) has n packets, of which one is
 * served at the rate of region c. Region c > 0 is entered by a departure only, so it needs a
 * threshold below K. */
#include "analytic/chain.h"
#include "analytic/ge_queue.h"
#include "base/memory.h"

#include <stdlib.h>

#define STATES_MOST 2000 /* of a chain whose jumps are as long as it has states */

typedef struct map {
    const weft_ge_queue *queue;
    uint32_t *state; /* of (n, c), [n * regions + c]; 0: there is none, or it is empty */
    uint32_t count;
} map;

static uint32_t state(const map *m, uint32_t n, uint32_t region)
{
    return n == 0 ? 0 : m->state[n * m->queue->regions + region];
}

static bool exists(const weft_ge_queue *queue, uint32_t n, uint32_t region)
{
    uint32_t first = weft_ge_region(queue, 1);
    if (region <= first)
        return region == first;
    uint32_t begin = queue->threshold[region - 1];
    return begin <= n && begin < queue->capacity;
}

static void number_states(map *m)
{
    const weft_ge_queue *queue = m->queue;
    m->state = weft_alloc(((size_t)queue->capacity + 1) * queue->regions * sizeof *m->state);
    m->count = 1;
    for (uint32_t n = 1; n <= queue->capacity; n++)
        for (uint32_t c = 0; c < queue->regions; c++)
            if (exists(queue, n, c))
                m->state[n * queue->regions + c] = m->count++;
}

/* A batch that adds at least one packet to n of them; the last of its size fill the queue. */
static void add_batch(weft_chain *chain, const map *m, uint32_t from, uint32_t n, uint32_t region,
                      double rate)
{
    double sigma = weft_ge_sigma(m->queue->ca2), left = rate;
    for (uint32_t to = n + 1; to <= m->queue->capacity; to++) {
        double part = to < m->queue->capacity ? sigma * left : left;
        weft_chain_add(chain, from, state(m, to, region), part);
        left -= part;
    }
}

/* After a departure n − 1 are left; those of them that need no service leave too. */
static void add_departure(weft_chain *chain, const map *m, uint32_t from, uint32_t n, double rate)
{
    double r = weft_ge_sigma(m->queue->cs2), left = rate;
    for (uint32_t to = n; to-- > 1;) {
        weft_chain_add(chain, from, state(m, to, weft_ge_region(m->queue, to)), r * left);
        left *= 1 - r;
    }
    weft_chain_add(chain, from, 0, left);
}

static void add_all(weft_chain *chain, const map *m)
{
    const weft_ge_queue *queue = m->queue;
    double a = weft_ge_sigma(queue->ca2) * queue->lambda, r = weft_ge_sigma(queue->cs2);
    add_batch(chain, m, 0, 0, weft_ge_region(queue, 1), a * weft_ge_starts(queue));
    for (uint32_t n = 1; n <= queue->capacity; n++)
        for (uint32_t c = 0; c < queue->regions; c++) {
            uint32_t from = state(m, n, c);
            if (from == 0)
                continue;
            add_batch(chain, m, from, n, c, a);
            add_departure(chain, m, from, n, r * queue->mu[c]);
        }
}

weft_status weft_ge_frozen(const weft_ge_queue *queue, double *p, weft_error *err)
{
    map m = {.queue = queue};
    if ((double)queue->capacity * queue->regions > STATES_MOST)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "capacity times rates must be at most %d where the rate is frozen, found "
                         "%u times %u",
                         STATES_MOST, queue->capacity, queue->regions);
    number_states(&m);
    weft_chain chain;
    weft_chain_init(&chain, m.count);
    add_all(&chain, &m);
    double *all = weft_alloc(m.count * sizeof *all);
    weft_status status = weft_chain_solve(&chain, WEFT_CHAIN_GTH, all, err);
    p[0] = all[0];
    for (uint32_t n = 1; n <= queue->capacity; n++) {
        p[n] = 0;
        for (uint32_t c = 0; c < queue->regions; c++)
            p[n] += state(&m, n, c) ? all[state(&m, n, c)] : 0;
    }
    free(all);
    free(m.state);
    weft_chain_done(&chain);
    return status;
}
