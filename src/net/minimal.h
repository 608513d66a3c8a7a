/* SPDX-License-Identifier: Apache-2.0 */
/* What the minimal routings share: their settings and the ranked minimal ports. */
#ifndef WEFT_NET_MINIMAL_H
#define WEFT_NET_MINIMAL_H

#include "interweft/routing.h"

typedef struct weft_minimal_settings {
    weft_kind_ref selection;
} weft_minimal_settings;

extern const weft_param weft_minimal_params[];
weft_kind_ref weft_minimal_selection(const void *settings);
/* The `wanted` best minimal ports in the selection's order; returns how many there are of them. */
static inline unsigned weft_minimal_ways(const weft_routing *routing, uint32_t route,
                                         unsigned wanted, weft_random *random, weft_way *out)
{
    const weft_topology *topology = routing->topology;
    const weft_selection_kind *selection = routing->selection;
    unsigned count = topology->kind->ways(topology, route, WEFT_WAYS_MAX, out);
    unsigned kept = wanted < count ? wanted : count;
    if (count > 1 && selection->rank)
        selection->rank(routing->selection_settings, out, count, kept, random);
    return kept;
}

#endif
