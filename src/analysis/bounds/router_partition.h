/* SPDX-License-Identifier: Apache-2.0 */
/* Partitions of the routers, for cuts: every router has the number of its part, or is in none.
 *
 * All of them are found from links and numbers alone, in time linear in the links: single routers,
 * the groups of a topology, the subtrees below each level of a tree, the halves of a dimension,
 * its planes and rows, and two halves of the network. */
#ifndef WEFT_ANALYSIS_BOUNDS_ROUTER_PARTITION_H
#define WEFT_ANALYSIS_BOUNDS_ROUTER_PARTITION_H

#include "interweft/topology.h"

#define WEFT_NO_PART UINT32_MAX

typedef enum weft_cut_kind {
    WEFT_CUT_ROUTERS,   /* each on its own */
    WEFT_CUT_GROUPS,    /* groups of `size` routers */
    WEFT_CUT_SUBTREES,  /* routers connected below level `size` + 1 of a tree */
    WEFT_CUT_DIMENSION, /* the lower and the upper half of dimension `size` */
    WEFT_CUT_PLANES,    /* routers of one coordinate in dimension `size` */
    WEFT_CUT_ROWS,      /* routers that differ in dimension `size` alone */
    WEFT_CUT_HALVES,    /* the first groups (subtrees, routers) and the rest */
    WEFT_CUT_GIVEN      /* by the caller */
} weft_cut_kind;

typedef struct weft_router_partition {
    weft_cut_kind kind;
    uint32_t size;    /* see the kind */
    uint32_t n_parts; /* at least 2 */
    uint32_t *part;   /* of each router, or WEFT_NO_PART; never that of an edge router */
} weft_router_partition;

/* Calls `each` for every partition of the topology; `each` may keep no pointer to it. */
void weft_router_partitions_visit(const weft_topology *topology,
                                  void (*each)(void *user, const weft_router_partition *partition),
                                  void *user);

#endif
