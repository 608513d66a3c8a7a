/* SPDX-License-Identifier: Apache-2.0 */
/* Forwarding tables in memory: the output port of every router for every destination. */
#ifndef WEFT_NET_ROUTING_COMMON_FORWARDING_H
#define WEFT_NET_ROUTING_COMMON_FORWARDING_H

#include "interweft/routing.h"
#include "net/topology/common/weftnet.h"

typedef struct weft_forwarding {
    const uint8_t *port; /* [router × width + destination], or WEFT_WEFTNET_NO_PORT */
    uint8_t *own;        /* the same, if it is not the fabric's */
    uint32_t width;      /* destinations … */
    uint32_t each;       /* … of a router: 1, its endpoints, or their LIDs */
    uint32_t paths;      /* LIDs of an endpoint; else 1 */
    double stretch;      /* mean length of the routes ÷ that of minimal ones */
} weft_forwarding;

/* Do the tables of so many destinations fit? of: what they are, " endpoints". */
WEFT_MUST_USE weft_status weft_forwarding_check_size(const weft_topology *topology, uint32_t width,
                                                     const char *of, weft_error *err);
/* True if a fabric of InfiniBand has forwarding tables. */
bool weft_forwarding_has_lft(const weft_topology *topology);
/* Takes those tables; destinations are endpoints or, if every source has its LID of a destination,
 * LIDs. */
WEFT_MUST_USE weft_status weft_forwarding_take_lft(weft_forwarding *it,
                                                   const weft_topology *topology, bool by_source,
                                                   weft_error *err);
/* The destination for packets from one endpoint to another, as tables number them. */
static inline uint32_t weft_forwarding_column(const weft_forwarding *it, uint32_t from, uint32_t to)
{
    return it->paths == 1 ? to : to * it->paths + (from + to) % it->paths;
}
/* Fills stretch, forgets entries that lead nowhere; refuses tables by which an edge router does not
 * reach a destination. */
WEFT_MUST_USE weft_status weft_forwarding_judge(weft_forwarding *it, const weft_topology *topology,
                                                weft_error *err);
/* As table_columns of a routing. */
void weft_forwarding_columns(const weft_forwarding *it, const weft_topology *topology, uint32_t to,
                             uint32_t count, uint8_t *out);
void weft_forwarding_done(weft_forwarding *it);

#endif
