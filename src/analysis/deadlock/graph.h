/* SPDX-License-Identifier: Apache-2.0 */
/* The channel dependency graph (internal to analysis/deadlock): for every channel, the sets of
 * alternatives of its packets. Distinct sets are few, because they name ports and VCs of the router
 * behind the channel, so a channel has a row of bits, one for each distinct set.
 *
 * Where the network looks the same from router r and from r + period, only channels of the first
 * `period` routers are kept: a channel represents its equivalents. Where VCs are equivalent, one
 * represents all (vcs: 1). */
#ifndef WEFT_ANALYSIS_DEADLOCK_GRAPH_H
#define WEFT_ANALYSIS_DEADLOCK_GRAPH_H

#include "analysis/deadlock/deadlock.h"

typedef struct weft_cdg_step { /* part of a set of alternatives */
    uint16_t port, vcs;
} weft_cdg_step;

typedef struct weft_cdg_set {
    uint32_t first, count; /* of its steps */
} weft_cdg_set;

typedef struct weft_cdg {
    const weft_topology *topology;
    uint32_t ports, vcs;
    uint32_t period;   /* routers whose channels are kept: all, or one of each equivalent set */
    uint32_t copies;   /* routers represented by each of them */
    uint32_t channels; /* channels kept: (router × ports + port) × VCs + VC */
    uint32_t words;    /* of a row */
    uint64_t *rows;    /* bit 0: a packet arrives by it; bit s: a packet requests set s */
    uint64_t *alive;   /* after weft_cdg_reduce: only sets all of whose channels are in the knot */
    size_t row_bytes;
    uint32_t *level; /* step of the reduction that removed a channel; 0: in the knot, or unused */
    uint32_t levels;
    uint32_t *used; /* channels in use */
    uint32_t n_used, used_room;
    uint32_t left; /* channels in the knot */
    weft_cdg_set *sets;
    uint32_t n_sets, set_room;
    weft_cdg_step *steps;
    uint32_t n_steps, step_room;
    uint32_t *index; /* sets by hash, + 1 */
    uint32_t index_size;
    uint64_t *holds; /* [(port × VCs + VC) × words]: sets that contain it */
} weft_cdg;

weft_cdg *weft_cdg_create(const weft_topology *topology, uint32_t period, uint32_t vcs);
void weft_cdg_destroy(weft_cdg *graph);

/* True if the graph would need too much memory. */
bool weft_cdg_too_large(const weft_topology *topology, uint32_t period, uint32_t vcs);

static inline uint32_t weft_cdg_channel(const weft_cdg *graph, uint32_t router, uint32_t port,
                                        uint32_t vc)
{
    return (router * graph->ports + port) * graph->vcs + vc;
}

/* The channel that represents a channel. */
static inline uint32_t weft_cdg_kept(const weft_cdg *graph, uint32_t channel)
{
    return graph->copies == 1 ? channel : channel % graph->channels;
}

weft_channel weft_cdg_name(const weft_cdg *graph, uint32_t channel);

/* The number of a set of alternatives; sorts the steps. count 0: the packet has arrived. */
uint32_t weft_cdg_find(weft_cdg *graph, weft_cdg_step *steps, unsigned count);
/* Adds a set of alternatives to a channel: a packet in the channel can have it. */
void weft_cdg_add(weft_cdg *graph, uint32_t channel, uint32_t set);
/* The number in this graph of a set of another graph. */
uint32_t weft_cdg_translate(weft_cdg *graph, const weft_cdg *from, uint32_t set);

/* Removes channels that are not in the knot, and records their levels. */
void weft_cdg_reduce(weft_cdg *graph);

/* A packet in a channel with this set of alternatives, one of which is next. */
typedef struct weft_cdg_wait {
    uint32_t channel, set, next;
} weft_cdg_wait;

/* The shortest cycle found in the knot, malloc'ed; *packets: number of packets of a knot around
 * it. */
weft_cdg_wait *weft_cdg_circle(const weft_cdg *graph, uint32_t *length, uint64_t *packets);

#endif
