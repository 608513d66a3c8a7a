/* SPDX-License-Identifier: Apache-2.0 */
/* Paths as lists of links, from endpoint to endpoint through a topology by a routing: for what
 * happens to connections, without packets. Links are numbered: those between routers, router ×
 * ports + port, then the links of endpoints into the network, then out of it. */
#ifndef WEFT_ANALYTIC_LINK_PATHS_H
#define WEFT_ANALYTIC_LINK_PATHS_H

#include "base/arena.h"
#include "interweft/routing.h"

#define WEFT_LINK_PATH_MAX 256 /* links of a path */

typedef struct weft_link_paths {
    weft_topology topology;
    weft_routing routing;
    uint32_t endpoints, links, host_links; /* host_links: the number of the first one */
    bool hosts;                            /* paths have the links of endpoints too */
    weft_arena arena;
} weft_link_paths;

/* The kinds are those of settings with a topology and a routing. */
WEFT_MUST_USE weft_status weft_link_paths_open(weft_link_paths *paths, weft_kind_ref topology,
                                               weft_kind_ref routing, bool hosts, weft_error *err);
void weft_link_paths_close(weft_link_paths *paths);
/* Writes the links from one endpoint to another, drawn where the routing draws; returns their
 * number, which may be 0; UINT32_MAX: the path is too long, or ends before its destination. */
uint32_t weft_link_paths_find(const weft_link_paths *paths, uint32_t from, uint32_t to,
                              weft_random *random, uint32_t *links);
/* Are there several paths between two endpoints? */
bool weft_link_paths_drawn(const weft_link_paths *paths);

#endif
