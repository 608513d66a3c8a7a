/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlock while a network runs. A router kind lists its *waits*: queues whose packets have
 * waited long, each with the queues that must move before it can. The *knot* remains after the
 * repeated removal of every queue that waits for one outside the list (which moves, or has not
 * waited long): every queue in it waits for others in it by all its candidates, and none will ever
 * move. */
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

typedef struct weft_wait_for { /* a queue that must move, and the output VC it blocks */
    weft_input_queue queue;
    uint16_t out, vc; /* room in this output's VC */
} weft_wait_for;

typedef struct weft_waits { /* an array of words: waits of all lengths, one after the other */
    uint64_t *words;
    size_t n_words, room;
    size_t last;             /* the wait that was begun last */
    uint64_t starving;       /* ticks from which on a queue is starved … */
    int64_t queues, starved; /* all that were begun and not dropped … and the starved ones */
} weft_waits;

/* Adds a queue that waits; its waiting time and the queues it waits for follow. */
void weft_waits_begin(weft_waits *waits, weft_input_queue queue);
void weft_waits_since(weft_waits *waits, uint64_t ticks);
void weft_waits_for(weft_waits *waits, weft_wait_for what);
/* Removes the queue begun last: it can move. */
void weft_waits_drop(weft_waits *waits);
void weft_waits_clear(weft_waits *waits);
void weft_waits_done(weft_waits *waits);
/* Gathers the waits of all ranks, which call it together, on rank 0; unchanged elsewhere. */
void weft_waits_gather(weft_waits *waits, weft_comm *comm);

#define WEFT_KNOT_SHOWN 8

typedef struct weft_knot_edge {
    weft_input_queue queue;
    weft_wait_for next;
} weft_knot_edge;

typedef struct weft_knot {
    uint64_t queues;                      /* that will never move; 0: there is no knot */
    uint32_t length;                      /* of a cycle in it … */
    weft_knot_edge edge[WEFT_KNOT_SHOWN]; /* … and its first edges */
} weft_knot;

/* The result does not depend on the order of the waits. */
void weft_knot_find(const weft_waits *waits, weft_knot *knot);
/* The cycle as text. */
void weft_knot_describe(const weft_knot *knot, const weft_topology *topology, char *text,
                        size_t size);

#endif
