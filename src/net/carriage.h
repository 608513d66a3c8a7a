/* SPDX-License-Identifier: Apache-2.0 */
/* Services of a router kind to routings. The record of every router kind starts with it, so that a
 * network refuses a routing that needs more before the routing is called. */
#ifndef WEFT_NET_CARRIAGE_H
#define WEFT_NET_CARRIAGE_H

#include "interweft/routing.h"

typedef struct weft_carriage {
    weft_component base;
    bool reroutes;       /* calls `reroute` at every router a packet reaches */
    bool tells_input;    /* passes the input port and VC of a packet to `candidates` */
    bool handles_faults; /* takes no failed port */
} weft_carriage;

/* Fails unless such routers can carry this routing; the message suggests alternatives. vcs: the
 * routers have virtual channels and finite buffers. */
WEFT_MUST_USE weft_status weft_carriage_check(const weft_carriage *by,
                                              const weft_routing_kind *routing, bool vcs,
                                              weft_error *err);

#endif
