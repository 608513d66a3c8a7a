/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlock while a network runs. A router kind lists its *waits*: queues whose packets have
 * waited long, each with the queues that must move before it can. A *knot* is what is left when
 * those are taken away that wait for a queue which is not in the list (it moves, or has not
 * waited long), and those that wait for these, and so on: every queue in it waits for others in
 * it, whichever way its packets could go, and none will ever move. */
#ifndef WEFT_SIM_WATCH_KNOT_H
#define WEFT_SIM_WATCH_KNOT_H

#include "interweft/topology.h"
#include "kernel/comm.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct weft_input_queue { /* of an input of a router */
    uint32_t router;
    uint16_t in, vc;
} weft_input_queue;

typedef struct weft_wait_for { /* what must move, and what it is needed for */
    weft_input_queue queue;
    uint16_t out, vc; /* room in this output's VC */
} weft_wait_for;

typedef struct weft_waits { /* an array of words: waits of all lengths, one after the other */
    uint64_t *words;
    size_t n_words, room;
    size_t last;             /* the wait that was begun last */
    uint64_t starving;       /* who waits for so many ticks is starved … */
    int64_t queues, starved; /* … and so many are; and all that were begun and not dropped */
} weft_waits;

/* A queue that waits; since how many ticks, and what for, follows. */
void weft_waits_begin(weft_waits *waits, weft_input_queue queue);
void weft_waits_since(weft_waits *waits, uint64_t ticks);
void weft_waits_for(weft_waits *waits, weft_wait_for what);
/* Others do not keep it from moving. */
void weft_waits_drop(weft_waits *waits);
void weft_waits_clear(weft_waits *waits);
void weft_waits_done(weft_waits *waits);
/* On rank 0 those of all members, who call it together; elsewhere what it was. */
void weft_waits_gather(weft_waits *waits, weft_comm *comm);

#define WEFT_KNOT_SHOWN 8

typedef struct weft_knot_edge {
    weft_input_queue queue;
    weft_wait_for next;
} weft_knot_edge;

typedef struct weft_knot {
    uint64_t queues;                      /* that will never move; 0: there is no knot */
    uint32_t length;                      /* of a circle in it … */
    weft_knot_edge edge[WEFT_KNOT_SHOWN]; /* … and its first edges */
} weft_knot;

/* The same for the same waits in any order. */
void weft_knot_find(const weft_waits *waits, weft_knot *knot);
/* The circle in words. */
void weft_knot_describe(const weft_knot *knot, const weft_topology *topology, char *text,
                        size_t size);

#endif
