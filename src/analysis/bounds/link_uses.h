/* SPDX-License-Identifier: Apache-2.0 */
/* Which pairs of senders and receivers use a link, for all links, of a routing with fixed
 * routes: of routers, or of endpoints where routes tell the endpoints of a router apart. */
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
    double most; /* no permutation brings it more */
    double rank; /* what sorting goes by */
} weft_link_use;

typedef struct weft_link_uses {
    uint32_t ends, links; /* links that are used at all */
    weft_link_use *use;
    weft_link_user *user;
} weft_link_uses;

/* Follows all routes of the walk's routing; its visitors are put back. False: there are too many
 * ends or routes. */
bool weft_link_uses_find(weft_link_uses *uses, weft_walk *walk);
void weft_link_uses_done(weft_link_uses *uses);
/* The greatest rank first, then by number. */
void weft_link_uses_sort(weft_link_uses *uses);
/* Shares of all pairs, ends × ends. */
void weft_link_uses_matrix(const weft_link_uses *uses, const weft_link_use *use, double *matrix);

#endif
