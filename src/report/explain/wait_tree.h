/* SPDX-License-Identifier: Apache-2.0 */
/* The tree of waits: from where to where congestion spreads. A node is an output; its packets wait
 * for the output that is its parent, by the heaviest of its waits. */
#ifndef WEFT_REPORT_WAIT_TREE_H
#define WEFT_REPORT_WAIT_TREE_H

#include "interweft/why.h"

#include <stdio.h>

enum { WEFT_WAIT_TREE_NODES = WEFT_WHY_ROOTS + WEFT_WHY_WAITS };

typedef struct weft_wait_node {
    const char *name;
    const weft_why_root *root; /* NULL: it is none */
    double packets;            /* that wait for the parent; of a root: whose root it is */
    size_t parent;             /* of a root: itself */
    unsigned depth;
} weft_wait_node;

typedef struct weft_wait_tree {
    size_t count; /* parents before their children, and each followed by all below it */
    weft_wait_node nodes[WEFT_WAIT_TREE_NODES];
} weft_wait_tree;

void weft_wait_tree_make(const weft_why *why, weft_wait_tree *tree);
void weft_wait_tree_print(const weft_wait_tree *tree, FILE *out);
/* Draws it; NULL: not as this. Fails if nothing waits for anything. */
WEFT_MUST_USE weft_status weft_wait_tree_draw(const weft_why *why, const char *title,
                                              const char *svg, const char *png, weft_error *err);

#endif
