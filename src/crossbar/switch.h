/* SPDX-License-Identifier: Apache-2.0 */
/* A switch under test: n inputs with a queue per output (or one FIFO each), a crossbar, a
 * scheduler of src/sched. In every slot cells arrive, then the scheduler matches, then one cell
 * per pair leaves. Nothing is dropped. Queues are counts, since the cells of a queue are all alike
 * (a FIFO keeps its cells). Up to 64 ports the scheduler is called with single words; above that
 * (or if it was built so) in its wide form. */
#ifndef WEFT_CROSSBAR_SWITCH_H
#define WEFT_CROSSBAR_SWITCH_H

#include "crossbar/arrivals.h"

typedef struct weft_xbar_fifo {
    weft_xbar_target *output;
    size_t room, first, count;
} weft_xbar_fifo;

/* Called once per few thousand cells that could have crossed. */
typedef struct weft_xbar_slot_watch {
    void (*seen)(void *user, uint64_t tick);
    void *user;
} weft_xbar_slot_watch;

/* Data of the wide form only; one piece of memory. */
typedef struct weft_xbar_wide_side {
    uint64_t *asks; /* per output: inputs that ask for it */
    void *room;     /* the scheduler's */
    weft_wide_match match;
} weft_xbar_wide_side;

typedef struct weft_xbar_switch {
    const weft_scheduler *scheduler;
    uint32_t n;
    bool fifo;        /* one queue per input */
    uint64_t seed;    /* of random schedulers */
    uint64_t tick;    /* slots run */
    uint64_t served;  /* cells that have left */
    void *state;      /* the scheduler's */
    uint32_t words;   /* of a set of ports */
    uint64_t *asking; /* inputs with requests */
    uint64_t *wants;  /* per input: outputs that its queues ask for */
    /* Per input: queues without a request in some slot since weft_xbar_switch_mark. */
    uint64_t *emptied;
    uint32_t *queue;                   /* cells: n × n, or n */
    weft_xbar_fifo *fifos;             /* NULL: none */
    weft_match match;                  /* of the last slot, by words */
    weft_xbar_wide_side *wide;         /* NULL: by words */
    const weft_xbar_slot_watch *watch; /* NULL: none */
} weft_xbar_switch;

/* The scheduler must have been built for n × n ports, one VC, voq unless fifo, and counts; wide if
 * n is above WEFT_CROSSBAR_PORTS_MAX. */
void weft_xbar_switch_init(weft_xbar_switch *it, const weft_scheduler *scheduler, uint64_t seed);
void weft_xbar_switch_done(weft_xbar_switch *it);
/* Empties all queues and resets the scheduler. */
void weft_xbar_switch_reset(weft_xbar_switch *it);
/* Runs one slot; returns the number of departures. */
uint32_t weft_xbar_switch_step(weft_xbar_switch *it, const weft_xbar_target *arrivals);
/* The output to which input i sent a cell in the last slot, or WEFT_IDLE. */
static inline weft_xbar_target weft_xbar_switch_sent(const weft_xbar_switch *it, uint32_t i)
{
    if (it->wide)
        return it->wide->match.inputs[i / 64] >> i % 64 & 1 ? it->wide->match.output[i] : WEFT_IDLE;
    return it->match.inputs >> i & 1 ? it->match.output[i] : WEFT_IDLE;
}
void weft_xbar_switch_mark(weft_xbar_switch *it);
static inline uint32_t weft_xbar_switch_queues(const weft_xbar_switch *it)
{
    return it->fifo ? it->n : it->n * it->n;
}
/* True if this queue had a request in every slot since the mark. */
static inline bool weft_xbar_switch_kept(const weft_xbar_switch *it, uint32_t queue)
{
    uint32_t input = it->fifo ? queue : queue / it->n, output = it->fifo ? 0 : queue % it->n;
    return !(it->emptied[(size_t)input * it->words + output / 64] >> output % 64 & 1);
}

#endif
