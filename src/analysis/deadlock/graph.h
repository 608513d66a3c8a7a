/* SPDX-License-Identifier: Apache-2.0 */
/* The channel dependency graph (inside of net/deadlock): of every channel the sets of
 * alternatives that packets in it can have. Different sets are few, because they name ports and
 * VCs of the router behind the channel, so a channel has a row of bits, one for each set there
 * is.
 *
 * Where the network looks the same from router r and from r + period, only channels of the first
 * `period` routers are kept: a channel stands for all that are like it. Where VCs are like each
 * other, one stands for all (VCs: 1). */
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
    uint32_t period;   /* routers whose channels are kept: all, or the first of those alike */
    uint32_t copies;   /* routers like each of them */
    uint32_t channels; /* that are kept: (router × ports + port) × VCs + VC */
    uint32_t words;    /* of a row */
    uint64_t *rows;    /* bit 0: a packet arrives by it; bit s: set s is asked for */
    uint64_t *alive;   /* after weft_cdg_reduce: only sets all of whose channels are in the knot */
    size_t row_bytes;
    uint32_t *level; /* when it left the reduction; 0: it did not, or is not used */
    uint32_t levels;
    uint32_t *used; /* channels that are, */
    uint32_t n_used, used_room;
    uint32_t left; /* of them in the knot */
    weft_cdg_set *sets;
    uint32_t n_sets, set_room;
    weft_cdg_step *steps;
    uint32_t n_steps, step_room;
    uint32_t *index; /* sets by hash, + 1 */
    uint32_t index_size;
    uint64_t *holds; /* [(port × VCs + VC) × words]: sets that have it */
} weft_cdg;

weft_cdg *weft_cdg_create(const weft_topology *topology, uint32_t period, uint32_t vcs);
void weft_cdg_destroy(weft_cdg *graph);

/* Would it need more memory than is sensible? */
bool weft_cdg_too_large(const weft_topology *topology, uint32_t period, uint32_t vcs);

static inline uint32_t weft_cdg_channel(const weft_cdg *graph, uint32_t router, uint32_t port,
                                        uint32_t vc)
{
    return (router * graph->ports + port) * graph->vcs + vc;
}

/* The one that is kept for a channel. */
static inline uint32_t weft_cdg_kept(const weft_cdg *graph, uint32_t channel)
{
    return graph->copies == 1 ? channel : channel % graph->channels;
}

weft_channel weft_cdg_name(const weft_cdg *graph, uint32_t channel);

/* The number of a set of alternatives, which is put in order; count 0: the packet has arrived. */
uint32_t weft_cdg_find(weft_cdg *graph, weft_cdg_step *steps, unsigned count);
/* A packet in this channel can have these alternatives. */
void weft_cdg_add(weft_cdg *graph, uint32_t channel, uint32_t set);
/* The number in a graph of a set of another. */
uint32_t weft_cdg_translate(weft_cdg *graph, const weft_cdg *from, uint32_t set);

/* Takes away what is not in the knot, and notes when. */
void weft_cdg_reduce(weft_cdg *graph);

typedef struct
    weft_cdg_wait { /* a packet in a channel with these alternatives, of which one is next */
    uint32_t channel, set, next;
} weft_cdg_wait;

/* The shortest circle in the knot that is found, malloc'ed; *packets: how many a knot around it
 * has. */
weft_cdg_wait *weft_cdg_circle(const weft_cdg *graph, uint32_t *length, uint64_t *packets);

#endif
