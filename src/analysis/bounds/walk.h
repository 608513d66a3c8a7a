/* SPDX-License-Identifier: Apache-2.0 */
/* Routes of a routing, followed without a simulation: every link that packets from one router to
 * another may use, with its share of them. For bounds and for the search for worst patterns. */
#ifndef WEFT_ANALYSIS_BOUNDS_WALK_H
#define WEFT_ANALYSIS_BOUNDS_WALK_H

#include "analysis/bounds/frontier.h"
#include "net/network.h"

typedef enum weft_walk_mode {
    WEFT_WALK_FIXED, /* a header has one route: exact shares */
    WEFT_WALK_EVEN,  /* all minimal ports are equally likely at every hop: exact shares */
    WEFT_WALK_DRAWN, /* one candidate, drawn by the routing: one draw per header, an estimate */
    WEFT_WALK_EMPTY  /* routes depend on the load: the route in an empty network */
} weft_walk_mode;

typedef struct weft_walk {
    const weft_routing *routing;
    weft_walk_mode mode;
    uint64_t steps, most; /* so far, and their limit: a few for every link */
    bool chose;           /* a packet had several candidates (FIXED and DRAWN end there) */
    bool drew;            /* a random draw was made */
    weft_random random;
    weft_frontier front, next; /* EVEN only */
    /* Visitors; NULL: not called. A share of the packets takes a port of a router, which it reached
     * over a link of class `came` … */
    void (*pass)(void *user, uint32_t router, uint32_t port, uint32_t came, double share);
    /* … or has arrived. */
    void (*arrive)(void *user, uint32_t came, double share);
    void *user;
} weft_walk;

/* The mode for a routing, according to its record. */
weft_walk_mode weft_walk_mode_of(const weft_routing *routing);
/* Fills all but the visitors. */
void weft_walk_init(weft_walk *walk, const weft_routing *routing, weft_walk_mode mode,
                    uint64_t most);
void weft_walk_done(weft_walk *walk);
/* Follows `share` packets from one router to an endpoint of another (ejection included); host is
 * used only if routes depend on it. False if steps exceeded most, or if the packet had a choice
 * that the mode does not allow. */
bool weft_walk_pair(weft_walk *walk, uint32_t from, uint32_t to, uint32_t host, double share);

#endif
