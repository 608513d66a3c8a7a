/* SPDX-License-Identifier: Apache-2.0 */
/* For every link, the pairs of senders and receivers that use it, under a routing with fixed
 * routes. Ends are routers, or endpoints where routes distinguish the endpoints of a router. */
#ifndef WEFT_ANALYSIS_BOUNDS_LINK_USES_H
#define WEFT_ANALYSIS_BOUNDS_LINK_USES_H

#include "analysis/bounds/walk.h"

typedef struct weft_link_user {
    uint32_t pair; /* from × ends + to */
    float share;   /* of its packets */
} weft_link_user;

typedef struct weft_link_use {
    uint32_t link; /* router × ports + port */
    size_t first, count;
    double most; /* upper bound on its load under any permutation */
    double rank; /* sorting key */
} weft_link_use;

typedef struct weft_link_uses {
    uint32_t ends, links; /* links: only those in use */
    weft_link_use *use;
    weft_link_user *user;
} weft_link_uses;

/* Follows all routes of the walk's routing, and restores the walk's visitors. False if there are
 * too many ends or routes. */
bool weft_link_uses_find(weft_link_uses *uses, weft_walk *walk);
void weft_link_uses_done(weft_link_uses *uses);
/* Sorts by decreasing rank, then by link. */
void weft_link_uses_sort(weft_link_uses *uses);
/* Shares of all pairs, ends × ends. */
void weft_link_uses_matrix(const weft_link_uses *uses, const weft_link_use *use, double *matrix);

#endif
