/* SPDX-License-Identifier: Apache-2.0 */
/* Flows of all routers to one destination, followed together. Packets with one header at one router
 * go on alike wherever they come from, so each such state is expanded once, and the flow of a link
 * is the sum over all sources. For dense traffic this takes one step per pair of routers instead of
 * one per hop of every pair. */
#ifndef WEFT_ANALYSIS_BOUNDS_INFLOW_H
#define WEFT_ANALYSIS_BOUNDS_INFLOW_H

#include "analysis/bounds/walk.h"

typedef struct weft_inflow_state { /* packets with one header at one router */
    uint32_t router, header;
    uint32_t other;         /* the next state of this router, or WEFT_NOWHERE */
    uint32_t first, n_ways; /* of its ways */
    uint32_t visited;       /* ways followed so far */
} weft_inflow_state;

typedef struct weft_inflow_way {
    uint16_t port;
    uint8_t class;  /* of its link */
    uint32_t state; /* behind it; WEFT_NOWHERE: packets have arrived */
} weft_inflow_way;

typedef struct weft_inflow {
    const weft_routing *routing;
    weft_walk_mode mode;    /* WEFT_WALK_FIXED or WEFT_WALK_EVEN */
    uint32_t n_classes;     /* of links, whose transitions are told apart */
    uint32_t to, host;      /* of the packets in hand */
    uint64_t steps;         /* states expanded and flows added */
    bool failed;            /* the routing has a choice that the mode does not allow */
    uint32_t *head, *stamp; /* [router]: its first state, and the turn that is from */
    uint32_t turn;
    weft_inflow_state *states;
    uint32_t n_states, state_room;
    weft_inflow_way *ways;
    uint32_t n_ways, way_room;
    double *flow; /* [state × n_classes + class of the last link] */
    uint32_t *order, *stack;
    uint32_t n_order, depth;
    uint32_t *words; /* headers of a source */
    uint32_t n_words, word_room;
    /* Visitors, as those of a walk. */
    void (*pass)(void *user, uint32_t router, uint32_t port, uint32_t came, double flow);
    void (*arrive)(void *user, uint32_t came, double flow);
    void *user;
} weft_inflow;

/* Fills all but the visitors. n_classes: link classes told apart, at most WEFT_PATH_CLASSES. */
void weft_inflow_init(weft_inflow *inflow, const weft_routing *routing, weft_walk_mode mode,
                      uint32_t n_classes);
void weft_inflow_done(weft_inflow *inflow);
/* Begins with the packets to an endpoint of a router; host as in weft_walk_pair. */
void weft_inflow_begin(weft_inflow *inflow, uint32_t to, uint32_t host);
/* Adds a flow that starts at a router, which it reached over a link of class `came`. */
void weft_inflow_add(weft_inflow *inflow, uint32_t from, uint32_t came, double flow);
/* Follows all flows and calls the visitors. False if routes are not fixed or do not end. */
bool weft_inflow_run(weft_inflow *inflow);

#endif
