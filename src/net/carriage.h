/* SPDX-License-Identifier: Apache-2.0 */
/* What a router does for the routing of the packets it carries. The record of every router kind
 * starts with it, so that a network refuses routings which need more before anything asks them.
 */
#ifndef WEFT_NET_CARRIAGE_H
#define WEFT_NET_CARRIAGE_H

#include "interweft/routing.h"

typedef struct weft_carriage {
    weft_component base;
    bool reroutes;       /* asks `reroute` wherever a packet has come to */
    bool tells_input;    /* `candidates` learns by which port and virtual channel a packet came */
    bool handles_faults; /* takes no port that is down */
} weft_carriage;

/* Can such routers carry this routing? vcs: they have virtual channels, and finite buffers. Says
 * what would be right if not. */
WEFT_MUST_USE weft_status weft_carriage_check(const weft_carriage *by,
                                              const weft_routing_kind *routing, bool vcs,
                                              weft_error *err);

#endif
