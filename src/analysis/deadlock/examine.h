/* SPDX-License-Identifier: Apache-2.0 */
/* Choice of the packets to follow (internal to analysis/deadlock): all, or, where properties of
 * network and routing allow, a part that determines the rest. */
#ifndef WEFT_ANALYSIS_DEADLOCK_EXAMINE_H
#define WEFT_ANALYSIS_DEADLOCK_EXAMINE_H

#include "analysis/deadlock/walk.h"

/* Methods of examination.
 * WHOLE: every possible packet, destination by destination.
 * LINES: lattices in dimension order. A cycle would have to close within one dimension, and all
 *     lines along a dimension are equivalent: one of each is enough.
 * ORBITS: the network looks the same from every group of `period` routers, and nothing else affects
 *     routes. Packets from the first group stand for all, and channels for their equivalents. The
 *     greatest knot has the same symmetry, so the verdict is exact either way.
 * PLANES: lattices, or groups joined as a lattice, in dimension order. The channels that a packet
 *     holds and requests span at most two dimensions and do not depend on the other coordinates,
 *     so packets within the planes through router 0 determine the whole graph. */
typedef enum weft_cdg_method {
    WEFT_CDG_WHOLE,
    WEFT_CDG_LINES,
    WEFT_CDG_ORBITS,
    WEFT_CDG_PLANES
} weft_cdg_method;

typedef struct weft_examination {
    const weft_deadlock_question *question;
    weft_deadlock *out; /* receives destinations and examined */
    weft_cdg_method method;
    uint32_t period;            /* routers of a group; ORBITS, PLANES */
    uint64_t budget;            /* steps */
    bool (*enough)(void *user); /* called after every destination; NULL: never */
    void *user;
} weft_examination;

/* Chooses the best method for a question; large: the network is large enough for one other than
 * WHOLE. */
void weft_examination_choose(weft_examination *e, bool large);
/* The reason why all packets follow an order of channels by construction, without examination. */
weft_deadlock_reason weft_cdg_reason(const weft_deadlock_question *question);
/* True if two traffic classes share a VC. */
bool weft_cdg_overlap(const weft_deadlock_question *question, uint32_t a, uint32_t b);

/* Follows packets: adds them to the graph of the walk, or calls its note for each. */
void weft_examination_walk(const weft_examination *e, weft_cdg_walk *walk);
/* Follows the packets of the planes through a router. */
void weft_examination_planes(const weft_examination *e, weft_cdg_walk *walk, uint32_t router);

/* Difference of the numbers of neighbouring routers along a dimension. */
uint32_t weft_deadlock_stride(const weft_lattice *lattice, uint32_t dim);
/* The network whose routers are groups, or the routers of a lattice; NULL if there is none. */
const weft_topology *weft_cdg_outermost(const weft_topology *topology);

#endif
