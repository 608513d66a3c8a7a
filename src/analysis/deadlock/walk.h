/* SPDX-License-Identifier: Apache-2.0 */
/* Follows every packet to a destination everywhere it can go (inside of net/deadlock). A place
 * is a channel and the word of a packet in it; each is looked at once for a destination. */
#ifndef WEFT_ANALYSIS_DEADLOCK_WALK_H
#define WEFT_ANALYSIS_DEADLOCK_WALK_H

#include "analysis/deadlock/graph.h"

typedef struct weft_cdg_met { /* a place that was met, or what is asked for there */
    uint64_t key;             /* place or router, and word */
    uint32_t turn, set;
} weft_cdg_met;

typedef struct weft_cdg_place {
    uint32_t channel, word;
} weft_cdg_place;

typedef struct weft_cdg_walk {
    const weft_deadlock_question *question;
    weft_cdg *graph;
    bool all;             /* sets have all candidates, also where some are marked as escape */
    bool several, marked; /* found: packets with several candidates, and with escape ones */
    uint64_t steps;
    uint32_t traffic_class, from, to; /* of the packets that are followed now */
    /* Told of every packet: it may be in this channel and have these alternatives. NULL: nobody
     * asks. */
    void (*note)(void *user, const struct weft_cdg_walk *walk, uint32_t channel, uint32_t set);
    void *user;
    weft_cdg_met *met;
    uint32_t met_size, n_met, turn;
    weft_cdg_place *stack;
    uint32_t stacked, stack_room;
} weft_cdg_walk;

void weft_cdg_walk_init(weft_cdg_walk *walk, const weft_deadlock_question *question,
                        weft_cdg *graph, bool all);
void weft_cdg_walk_done(weft_cdg_walk *walk);

/* Packets of a flow to a router are next, … */
void weft_cdg_walk_to(weft_cdg_walk *walk, uint32_t traffic_class, uint32_t to);
/* … and followed from routers first, first + stride, …, `count` of them. */
void weft_cdg_walk_from(weft_cdg_walk *walk, uint32_t first, uint32_t stride, uint32_t count);

#endif
