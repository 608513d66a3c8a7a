/* SPDX-License-Identifier: Apache-2.0 */
/* The routes of a routing, followed without a simulation: every link that packets from one
 * router to another may use, with the share of them that does. For bounds and for the search of
 * bad patterns. */
#ifndef WEFT_ANALYSIS_BOUNDS_WALK_H
#define WEFT_ANALYSIS_BOUNDS_WALK_H

#include "analysis/bounds/frontier.h"
#include "net/network.h"

typedef enum weft_walk_mode {
    WEFT_WALK_FIXED, /* a word has one route: shares are exact */
    WEFT_WALK_EVEN,  /* all minimal ways are as likely as each other at every hop: exact */
    /* one way, drawn in a manner of the routing's own: one draw for each word, an estimate */
    WEFT_WALK_DRAWN,
    WEFT_WALK_EMPTY /* what it does depends on the load: the route in an empty network */
} weft_walk_mode;

typedef struct weft_walk {
    const weft_routing *routing;
    weft_walk_mode mode;
    uint64_t steps, most; /* so far, and at most: a few for every link */
    bool chose;           /* a packet had several candidates (FIXED and DRAWN end there) */
    bool drew;            /* something was drawn */
    weft_random random;
    weft_frontier front, next; /* EVEN only */
    /* A share of the packets goes on by a port of a router to which it came over a link of class
     * `came` … */
    void (*pass)(void *user, uint32_t router, uint32_t port, weft_link_class came, double share);
    /* … or is at its end. NULL: nobody asks. */
    void (*arrive)(void *user, weft_link_class came, double share);
    void *user;
} weft_walk;

/* How a routing can be followed, as far as its record tells. */
weft_walk_mode weft_walk_mode_of(const weft_routing *routing);
/* Fills all but the visitors. */
void weft_walk_init(weft_walk *walk, const weft_routing *routing, weft_walk_mode mode,
                    uint64_t most);
void weft_walk_done(weft_walk *walk);
/* Follows `share` packets from one router to an endpoint of another (exit included), whose
 * number there is looked at only if routes depend on it. False: it gave up, because steps passed
 * most, or the packet had a choice that the mode does not allow. */
bool weft_walk_pair(weft_walk *walk, uint32_t from, uint32_t to, uint32_t host, double share);

#endif
