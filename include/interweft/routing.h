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

typedef struct weft_routing {
    const struct weft_routing_kind *kind;
    const void *settings;
    const weft_topology *topology;
    const weft_selection_kind *selection; /* NULL: the kind uses none */
    const void *selection_settings;
    bool draws;        /* candidates may use its random stream; else NULL is given */
    unsigned straight; /* its candidates are the topology's first so many ways as they come: engines
                          ask the topology itself (saves a tenth of a hop); 0: ask candidates */
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
    /* Expected hops of a packet whose distance is known: 1 for minimal kinds. */
    double stretch;
} weft_routing_kind;

#endif
