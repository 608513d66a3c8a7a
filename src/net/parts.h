/* SPDX-License-Identifier: Apache-2.0 */
/* A fabric of InfiniBand less some of its parts, which are named as users name them, with * for
 * any text and ? for any character:
 *     spine3               a switch, with its cables and hosts
 *     node17, rack3-*      hosts; switches of such names as well
 *     leaf1:p7->spine2     a cable, from either end; leaf1:p7 is enough
 *     leaf1->spine2        all cables between two switches
 * Cables can have another rate: leaf1:p7=1xEDR. */
#ifndef WEFT_NET_PARTS_H
#define WEFT_NET_PARTS_H

#include "base/text.h"
#include "net/topology/common/weftnet.h"

typedef struct weft_parts {
    const weft_topology *topology;
    const weft_weftnet *net;
    bool *no_router, *no_host, *no_cable; /* what is gone */
    weft_subnet_rate *rates;              /* of cables */
} weft_parts;

/* All of a fabric that has a subnet. */
void weft_parts_init(weft_parts *parts, const weft_topology *topology);
void weft_parts_done(weft_parts *parts);
/* Takes away what has this name; returns how many switches, hosts and cables have it. */
uint32_t weft_parts_remove(weft_parts *parts, const char *name);
/* "NAME=4xEDR": gives cables another rate, and all of a switch; *count of them. */
WEFT_MUST_USE weft_status weft_parts_change_rate(weft_parts *parts, const char *text,
                                                 uint32_t *count, weft_error *err);
/* The sentence for a name that no part has, with the nearest one that some has. */
WEFT_MUST_USE weft_status weft_parts_refuse(const weft_parts *parts, const char *name,
                                            weft_error *err);

#endif
