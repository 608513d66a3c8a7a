/* SPDX-License-Identifier: Apache-2.0 */
/* A switch under test: n inputs with a queue per output (or one FIFO each), a crossbar, a scheduler of
 * src/sched. In every slot cells arrive, then the scheduler matches, then one cell per pair leaves.
 * Nothing is dropped; queues are counts, since the cells of a queue are all alike (those of a FIFO are
 * kept). */
#ifndef WEFT_CROSSBAR_SWITCH_H
#define WEFT_CROSSBAR_SWITCH_H

#include "crossbar/arrivals.h"

typedef struct weft_fifo {
    uint8_t *output;
    size_t room, first, count;
} weft_fifo;

typedef struct weft_switch {
    const weft_scheduler *scheduler;
    uint32_t n;
    bool fifo;       /* one queue per input */
    uint64_t seed;   /* of random schedulers */
    uint64_t tick;   /* slots run */
    uint64_t served; /* cells that have left */
    void *state;     /* the scheduler's */
    uint64_t asking;
    uint64_t wants[WEFT_SIDE_MAX];   /* per input: outputs that its queues ask for */
    uint64_t emptied[WEFT_SIDE_MAX]; /* queues that had nothing to ask for since weft_switch_mark */
    uint32_t *queue;                 /* cells: n × n, or n */
    weft_fifo *fifos;                /* NULL: none */
    weft_match match;                /* of the last slot */
} weft_switch;

/* The scheduler must have been built for n × n, one lane, voq unless fifo, counts. */
void weft_switch_init(weft_switch *it, const weft_scheduler *scheduler, uint64_t seed);
void weft_switch_done(weft_switch *it);
/* Empty queues, pointers as the scheduler starts. */
void weft_switch_reset(weft_switch *it);
/* One slot; returns how many cells left. */
uint32_t weft_switch_step(weft_switch *it, const uint8_t *arrivals);
void weft_switch_mark(weft_switch *it);
static inline uint32_t weft_switch_queues(const weft_switch *it)
{
    return it->fifo ? it->n : it->n * it->n;
}
/* Has this queue had something to ask for in every slot since the mark? */
static inline bool weft_switch_kept(const weft_switch *it, uint32_t queue)
{
    return it->fifo ? !(it->emptied[queue] & 1)
                    : !(it->emptied[queue / it->n] >> queue % it->n & 1);
}

#endif
