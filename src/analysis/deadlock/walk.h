/* SPDX-License-Identifier: Apache-2.0 */
/* Follows packets to a destination along all their routes (internal to analysis/deadlock). A place
 * is a channel and the header of a packet in it; each is visited once per destination. */
#ifndef WEFT_ANALYSIS_DEADLOCK_WALK_H
#define WEFT_ANALYSIS_DEADLOCK_WALK_H

#include "analysis/deadlock/graph.h"

typedef struct weft_cdg_met { /* a place visited, or the set requested there */
    uint64_t key;             /* place or router, and header */
    uint32_t turn, set;
} weft_cdg_met;

typedef struct weft_cdg_place {
    uint32_t channel, word;
} weft_cdg_place;

typedef struct weft_cdg_walk {
    const weft_deadlock_question *question;
    weft_cdg *graph;
    bool all;             /* sets have all candidates, also where some are marked as escape */
    bool several, marked; /* found packets with several candidates; with escape candidates */
    bool drawn;           /* found candidates that depend on a draw, which is sampled */
    uint64_t steps;
    uint32_t traffic_class, from, to; /* of the packets followed now */
    /* Called for every packet that may be in this channel with these alternatives. NULL: not
     * called. */
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

/* Selects the packets of a class to a router, … */
void weft_cdg_walk_to(weft_cdg_walk *walk, uint32_t traffic_class, uint32_t to);
/* … and follows them from `count` routers: first, first + stride, … */
void weft_cdg_walk_from(weft_cdg_walk *walk, uint32_t first, uint32_t stride, uint32_t count);

#endif
