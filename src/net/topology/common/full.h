/* SPDX-License-Identifier: Apache-2.0 */
/* Settings of a complete graph, for kinds composed of complete graphs. */
#ifndef WEFT_NET_TOPOLOGY_COMMON_FULL_H
#define WEFT_NET_TOPOLOGY_COMMON_FULL_H

#include <stdint.h>

/* The router behind port p of router r, of N. */
typedef enum weft_full_order {
    WEFT_FULL_RELATIVE,  /* (r + p + 1) mod N */
    WEFT_FULL_ABSOLUTE,  /* p if p < r, else p + 1 */
    WEFT_FULL_PALM_TREE, /* (r − p − 1) mod N */
    WEFT_FULL_CIRCULANT  /* (r + p/2 + 1) mod N for even p, (r − (p + 1)/2) mod N for odd p */
} weft_full_order;
extern const char *const weft_full_order_names[];

typedef struct weft_full_settings { /* of weft_topology_full */
    int64_t routers, hosts, links;
    int order; /* weft_full_order */
} weft_full_settings;

/* Of links between groups; the brief of a parameter. */
#define WEFT_FULL_ORDER_BRIEF                                         \
    "the group that port p of group g of N leads to: "                \
    "relative (g + p + 1) mod N, absolute p, or p + 1 from g on, "    \
    "palm-tree (g − p − 1) mod N, circulant (g + p/2 + 1) mod N " \
    "for even p, (g − (p + 1)/2) mod N for odd p"

#endif
