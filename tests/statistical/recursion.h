/* SPDX-License-Identifier: Apache-2.0 */
/* Queues with one server by Lindley's recursion, counted as the simulator counts: a row of columns
 * and a histogram of latencies per sampling interval. A thousand runs of them take seconds. */
#ifndef WEFT_TEST_RECURSION_H
#define WEFT_TEST_RECURSION_H

#include "stats/series.h"

#include <assert.h>
#include <string.h>

#include "interweft/random.h"

#define PENDING 65536 /* packets that may be in a queue */
#define SERVICE 1024  /* mean service, ticks */

/* GONE: left or lost; WORK: services of those that left; BUSY: ticks in which the server worked. */
enum { WAIT, LATENCY, LEFT, ARRIVED, LOST, GONE, WORK, BUSY, COLUMNS };

/* How a queue is set up: utilisation, kind of service, packets waiting at the start, sampling
 * interval in mean services, packets that it has room for (0: any number). */
struct setup {
    double rho;
    bool fixed_service;
    int waiting;
    double interval;
    uint32_t room;
};

struct queue {
    struct setup setup;
    weft_random random;
    double next, free_at, end; /* next arrival, server free, end of the interval; ticks */
    uint32_t head, gone, tail; /* those not yet counted, not yet left, all */
    double departs[PENDING], wait[PENDING], service[PENDING];
};

static inline double queue_draw(struct queue *of, double mean)
{
    return -mean * weft_log(weft_random_open(&of->random));
}

/* A packet comes; returns its service, 0 if it is lost. */
static inline double queue_arrive(struct queue *of, double at)
{
    while (of->gone != of->tail && of->departs[of->gone % PENDING] <= at)
        of->gone++;
    if (of->setup.room > 0 && of->tail - of->gone >= of->setup.room)
        return 0;
    double start = of->free_at > at ? of->free_at : at;
    double service = of->setup.fixed_service ? SERVICE : queue_draw(of, SERVICE);
    of->free_at = start + service;
    assert(of->tail - of->head < PENDING);
    of->departs[of->tail % PENDING] = of->free_at;
    of->service[of->tail % PENDING] = service;
    of->wait[of->tail++ % PENDING] = start - at;
    return service;
}

static inline void queue_init(struct queue *of, const struct setup *setup, uint64_t seed,
                              uint32_t number)
{
    of->setup = *setup;
    of->random = weft_random_stream(seed, number, 0, WEFT_FOR_ESTIMATE);
    of->free_at = of->end = 0;
    of->head = of->gone = of->tail = 0;
    of->next = queue_draw(of, SERVICE / setup->rho);
    for (int i = 0; i < setup->waiting; i++)
        (void)queue_arrive(of, 0);
}

/* One sampling interval, added to a row and, if there is one, to a histogram of latencies. */
static inline void queue_row(struct queue *of, weft_i128 row[COLUMNS], weft_histogram *latencies)
{
    double left = of->free_at > of->end ? of->free_at - of->end : 0, work = 0;
    row[ARRIVED] += of->end > 0 ? 0 : of->setup.waiting;
    of->end += of->setup.interval * SERVICE;
    for (; of->next < of->end; of->next += queue_draw(of, SERVICE / of->setup.rho)) {
        double service = queue_arrive(of, of->next);
        work += service;
        row[LOST] += service == 0;
        row[GONE] += service == 0;
        row[ARRIVED]++;
    }
    row[BUSY] += (int64_t)(work + left - (of->free_at > of->end ? of->free_at - of->end : 0) + 0.5);
    for (; of->head != of->tail && of->departs[of->head % PENDING] < of->end; of->head++) {
        double wait = of->wait[of->head % PENDING], service = of->service[of->head % PENDING];
        row[WAIT] += (int64_t)(wait + 0.5);
        row[LATENCY] += (int64_t)(wait + service + 0.5);
        row[WORK] += (int64_t)(service + 0.5);
        row[LEFT]++;
        row[GONE]++;
        if (latencies)
            weft_histogram_add(latencies, (uint64_t)(wait + service + 0.5));
    }
}

#endif
