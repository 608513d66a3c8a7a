/* SPDX-License-Identifier: Apache-2.0 */
/* Cuts: what goes from one part of the routers to another has to cross the links between them, whatever the routing
 * does. The parts: each router, each group of the topology, and the halves of each dimension. */
#ifndef WEFT_NET_CUTS_H
#define WEFT_NET_CUTS_H

#include "net/network.h"

typedef enum weft_cut_kind {
    WEFT_CUT_OUT_OF_ROUTER,
    WEFT_CUT_INTO_ROUTER,
    WEFT_CUT_OUT_OF_GROUP,
    WEFT_CUT_INTO_GROUP,
    WEFT_CUT_LOWER_HALF, /* of a dimension to the upper one … */
    WEFT_CUT_UPPER_HALF, /* … and back */
    WEFT_CUT_KINDS
} weft_cut_kind;

typedef struct weft_cuts {
    const weft_network *network;
    uint32_t count[WEFT_CUT_KINDS];
    double *flits[WEFT_CUT_KINDS]; /* per tick, that have to cross … */
    double *room[WEFT_CUT_KINDS];  /* … and that can */
} weft_cuts;

typedef struct weft_tightest_cut {
    double busy; /* 1: all links of it always are */
    weft_cut_kind kind;
    uint32_t which; /* router, group or dimension */
} weft_tightest_cut;

void weft_cuts_init(weft_cuts *cuts, const weft_network *network);
void weft_cuts_done(weft_cuts *cuts);
/* So many flits per tick go from a router to another one. */
void weft_cuts_add(weft_cuts *cuts, uint32_t from, uint32_t to, double flits);
weft_tightest_cut weft_cuts_find(const weft_cuts *cuts);

#endif
