/* SPDX-License-Identifier: Apache-2.0 */
/* Routing: for this packet here, which ports, best first. It asks the topology, so kinds of
 * routing and of topology add instead of multiplying. Selection ranks what routing allows. */
#ifndef INTERWEFT_ROUTING_H
#define INTERWEFT_ROUTING_H

#include "interweft/topology.h"

typedef struct weft_selection_kind {
    weft_component base;
    bool draws; /* rank uses its random stream */
    /* Reorders ways[0 … count−1], which come in dimension order, so that the first `wanted` stand in
     * order of preference. NULL: dimension order is preferred. */
    void (*rank)(const void *settings, weft_way *ways, unsigned count, unsigned wanted,
                 weft_random *random);
} weft_selection_kind;

/* Where a packet is, for routers with lanes (virtual channels). */
#define WEFT_FROM_ENDPOINT UINT16_MAX
typedef struct weft_here {
    uint32_t router;
    uint32_t route;
    uint16_t port; /* of this router it came in by; WEFT_FROM_ENDPOINT */
    uint16_t lane; /* it came in by */
} weft_here;

/* One candidate of a packet: a port, and the lanes behind it that it may use. */
typedef struct weft_hop {
    uint8_t port;
    uint8_t escape; /* only if no other candidate can take it */
    uint16_t lanes; /* a bit each, never 0 */
    uint32_t after; /* the route word behind it */
} weft_hop;

/* How a routing divides the lanes of a router among its own classes; filled by its `share`. */
typedef struct weft_lane_plan {
    uint32_t lanes;
    uint16_t open;     /* lanes any packet may use at any time */
    uint16_t class[2]; /* the others: packets that will cross a dateline, and those that will not */
    const void *own;   /* what share found to be quicker with; NULL: nothing */
} weft_lane_plan;

typedef struct weft_routing {
    const struct weft_routing_kind *kind;
    const void *settings;
    const weft_topology *topology;
    const weft_selection_kind *selection; /* NULL: the kind uses none */
    const void *selection_settings;
    bool draws;        /* candidates may use its random stream; else NULL is given */
    unsigned straight; /* its candidates are the topology's first so many ways as they come: engines
                          ask the topology itself (saves a tenth of a hop); 0: ask candidates */
    weft_lane_plan plan; /* only with a router that has lanes */
} weft_routing;

typedef struct weft_routing_kind {
    weft_component base;
    /* Which selection a settings struct names; NULL: none. */
    weft_kind_ref (*selection)(const void *settings);
    /* Candidate ports for route (not 0), best first; at least one. A router takes the first idle
     * one, or waits for the first. */
    unsigned (*candidates)(const weft_routing *routing, uint32_t route, weft_random *random,
                           weft_way *out);
    /* Ways wanted at a hop, if candidates are the topology's ways ranked by the selection; 0: other. */
    unsigned ways_wanted;
    /* Divides the lanes of the routers so that finite buffers cannot stop each other; fails if they are too few, or the
     * settings cannot be made safe. NULL: this kind needs unbounded buffers. */
    weft_status (*share)(weft_routing *routing, uint32_t lanes, weft_error *err);
    /* The candidates of a packet whose route is not 0, in the order of preference; at least one, at most
     * WEFT_WAYS_MAX; a pure function of its arguments. */
    unsigned (*hops)(const weft_routing *routing, const weft_here *here, weft_random *random,
                     weft_hop *out);
    /* Expected hops of a packet whose distance is known: 1 for minimal kinds. */
    double stretch;
} weft_routing_kind;

#endif
