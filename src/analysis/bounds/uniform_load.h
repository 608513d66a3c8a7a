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

#include "analysis/bounds/uniform.h"

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

#endif
