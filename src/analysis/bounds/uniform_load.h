/* SPDX-License-Identifier: Apache-2.0 */
/* Channel loads of uniform traffic at any size, exact, where the routes of all pairs are too many
 * to be followed one by one; and of any traffic that takes random detours. The first applicable way
 * is taken:
 *
 * LINES: on a lattice in dimension order a link along a dimension is used by the pairs whose
 *     coordinates in that dimension lie on both sides of it, and the other coordinates are free:
 *     the routes within one line, times the number of lines. O1TURN and Valiant's algorithm too.
 * TREE: in a fat tree the destinations behind a link are counted (weft_tree).
 * INFLOW: the flows of all routers to one destination are followed together: to the destinations of
 *     one group where all groups are alike, else for all of them. */
#ifndef WEFT_ANALYSIS_BOUNDS_UNIFORM_LOAD_H
#define WEFT_ANALYSIS_BOUNDS_UNIFORM_LOAD_H

#include "analysis/bounds/channel_load.h"
#include "analysis/bounds/walk.h"

typedef enum weft_uniform_method {
    WEFT_UNIFORM_NONE,
    WEFT_UNIFORM_LINES,
    WEFT_UNIFORM_TREE,
    WEFT_UNIFORM_INFLOW
} weft_uniform_method;

/* The way to take for a network; NONE: traffic is not uniform, or routes depend on the load or on
 * draws of an unknown distribution, or single links have faults. */
weft_uniform_method weft_uniform_method_of(const weft_network *network);

/* Finds the loads; false if there is no way, or if it takes more than `budget` steps. Fills *load
 * then and only then. */
bool weft_uniform_load_find(weft_channel_load *load, const weft_network *network, uint64_t budget);

/* True if every endpoint sends to all others alike: in a class, and in all of them. */
bool weft_uniform_class(const weft_traffic_class *traffic_class);
bool weft_uniform_traffic(const weft_network *network);
/* Edge routers of a group if all groups are equivalent, for topology and routings, else 0; *core:
 * its routers without endpoints. */
uint32_t weft_uniform_period(const weft_network *network, uint32_t *core);

/* -- for the ways themselves (internal to analysis/bounds) -- */

typedef struct weft_uniform {
    const weft_network *network;
    weft_channel_load *load;
    weft_fold fold;
    double *busy;   /* flits' ticks per tick of every link, or link class (`fold`) */
    size_t count;   /* of them */
    uint32_t width; /* SLABS: coordinates of a port; ORBITS: edge routers of a group */
    uint32_t core;  /* ORBITS: its other routers */
    uint64_t budget, steps;
} weft_uniform;

/* Flits per tick from one endpoint of a class to another; *self: it sends to itself too. */
double weft_uniform_pair(const weft_network *network, uint32_t traffic_class, bool *self);
/* True if packets of a routing take the first minimal port of the topology at every hop. */
bool weft_uniform_takes_first(const weft_routing *routing);
/* True if a routing sends packets to a random router (Valiant) or group first. */
bool weft_uniform_detours(const weft_routing *routing);

bool weft_uniform_tree_suits(const weft_network *network);
void weft_uniform_tree_find(weft_uniform *it);
bool weft_uniform_inflow_suits(const weft_network *network);
bool weft_uniform_inflow_find(weft_uniform *it);

#endif
