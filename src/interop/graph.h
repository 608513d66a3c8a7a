/* SPDX-License-Identifier: Apache-2.0 */
/* A plain graph, and two results of METIS (Karypis and Kumar 1998) for it: an order of its vertices
 * in which any range of numbers is a good part, and a bound for its bisection. Only metis.c names
 * METIS; a program that was built without it has no_metis.c. */
#ifndef WEFT_INTEROP_GRAPH_H
#define WEFT_INTEROP_GRAPH_H

#include "interweft/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct weft_graph_edge {
    uint32_t a, b; /* different */
    uint32_t weight;
} weft_graph_edge;

/* Parallel edges are merged; each array has its own heap memory. */
typedef struct weft_graph {
    uint32_t vertices;
    int32_t *start;  /* [vertices + 1] */
    int32_t *to;     /* the neighbours of v are to[start[v]] … */
    int32_t *weight; /* of the edge there */
} weft_graph;

#define WEFT_GRAPH_EDGES_MAX ((size_t)1 << 28)

/* At most WEFT_GRAPH_EDGES_MAX edges, in any order, each once; the call sorts them. */
void weft_graph_init(weft_graph *graph, uint32_t vertices, weft_graph_edge *edges, size_t count);
void weft_graph_done(weft_graph *graph);

/* The leaves of the tree of recursive bisections: order[i] is the i-th vertex. The same on every
 * run. */
WEFT_MUST_USE weft_status weft_graph_order(const weft_graph *graph, uint32_t *order,
                                           weft_error *err);

typedef struct weft_graph_cut {
    uint64_t weight;  /* of the edges between the halves */
    uint64_t load[2]; /* of the halves */
} weft_graph_cut;
/* The lightest cut found into two halves of equal load (the sum over their vertices). side: 0 or
 * 1 for every vertex; NULL: not wanted. */
WEFT_MUST_USE weft_status weft_graph_bisect(const weft_graph *graph, const uint32_t *load,
                                            weft_graph_cut *cut, uint32_t *side, weft_error *err);

/* Whether this program has METIS; without it every cut is refused with a sentence. */
bool weft_graph_can_halve(void);
/* One cut in two. load: of every vertex; NULL: all alike. part: 0 or 1 for every vertex. */
WEFT_MUST_USE weft_status weft_graph_halve(const weft_graph *graph, int32_t *load, int seed,
                                           int32_t *weight, int32_t *part, weft_error *err);

#endif
