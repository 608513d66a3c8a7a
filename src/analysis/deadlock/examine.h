/* SPDX-License-Identifier: Apache-2.0 */
/* Which packets are followed (inside of net/deadlock): all, or, where the network or the routing
 * says so, as many as tell the rest. */
#ifndef WEFT_ANALYSIS_DEADLOCK_EXAMINE_H
#define WEFT_ANALYSIS_DEADLOCK_EXAMINE_H

#include "analysis/deadlock/walk.h"

/* Ways to examine a question. WHOLE: every packet there can be, destination by destination.
 * LINES: on lattices with routings that go dimension by dimension. A circle would have to close
 * within one dimension, and all
 *     lines along it are alike: one of each is enough.
 * ORBITS: the network looks the same from groups of `period` routers, and nothing else decides.
 * Packets from the first group
 *     stand for all, channels for those like them. The greatest knot looks the same from
 *     everywhere too, so the verdict is exact either way.
 * PLANES: lattices, or groups that are joined as one, with routings that go dimension by
 * dimension. What a packet holds and asks
 *     for is of two dimensions at most and does not depend on the other coordinates, so packets
 *     within the planes through router 0 tell the whole graph. */
typedef enum weft_cdg_method {
    WEFT_CDG_WHOLE,
    WEFT_CDG_LINES,
    WEFT_CDG_ORBITS,
    WEFT_CDG_PLANES
} weft_cdg_method;

typedef struct weft_examination {
    const weft_deadlock_question *question;
    weft_deadlock *out; /* destinations and examined are filled in */
    weft_cdg_method method;
    uint32_t period;            /* routers of a group; ORBITS, PLANES */
    uint64_t budget;            /* steps */
    bool (*enough)(void *user); /* asked after every destination; NULL: never */
    void *user;
} weft_examination;

/* The best way that a question allows; large: it is worth while. */
void weft_examination_choose(weft_examination *e, bool large);
/* Do all packets by construction follow an order of channels? Then nothing has to be examined. */
weft_deadlock_reason weft_cdg_reason(const weft_deadlock_question *question);
/* Do two kinds of packets meet in some VC? */
bool weft_cdg_overlap(const weft_deadlock_question *question, uint32_t a, uint32_t b);

/* Follows packets: into the graph of the walk, or (its note) telling of each. */
void weft_examination_walk(const weft_examination *e, weft_cdg_walk *walk);
/* Packets of the planes through a router. */
void weft_examination_planes(const weft_examination *e, weft_cdg_walk *walk, uint32_t router);

/* Routers from one to the next along a dimension. */
uint32_t weft_deadlock_stride(const weft_lattice *lattice, uint32_t dim);
/* The network whose routers are groups, or the routers of a lattice; NULL: there is none. */
const weft_topology *weft_cdg_outermost(const weft_topology *topology);

#endif
