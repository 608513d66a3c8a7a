/* SPDX-License-Identifier: Apache-2.0 */
/* What the ways to the loads of uniform traffic (uniform_load.h) ask of a network, and what they
 * share. */
#ifndef WEFT_ANALYSIS_BOUNDS_UNIFORM_H
#define WEFT_ANALYSIS_BOUNDS_UNIFORM_H

#include "analysis/bounds/channel_load.h"
#include "analysis/bounds/walk.h"

/* True if the headers of a lattice depend on the difference of coordinates alone. */
bool weft_headers_alike(const weft_topology *topology);
/* True if every endpoint sends to all others alike: in a class, and in all of them. */
bool weft_uniform_class(const weft_traffic_class *traffic_class);
bool weft_uniform_traffic(const weft_network *network);
/* Edge routers of a group if all groups are equivalent, for topology and routings, else 0; *core:
 * its routers without endpoints. */
uint32_t weft_uniform_period(const weft_network *network, uint32_t *core);

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
