/* SPDX-License-Identifier: Apache-2.0 */
/* Shared code of minimal routings: settings and ranked minimal ports. */
#ifndef WEFT_NET_ROUTING_COMMON_MINIMAL_H
#define WEFT_NET_ROUTING_COMMON_MINIMAL_H

#include "interweft/routing.h"

typedef struct weft_minimal_settings {
    weft_kind_ref selection;
} weft_minimal_settings;

extern const weft_param weft_minimal_params[];
weft_kind_ref weft_minimal_selection(const void *settings);

/* The parameter `selection`, for kinds with further parameters. */
#define WEFT_MINIMAL_SELECTION(settings, field)                                                    \
    {                                                                                              \
        .name = "selection", .brief = "how the minimal ports are ranked", .type = WEFT_PARAM_KIND, \
        .offset = offsetof(settings, field), .fallback = "dimension-order", .family = "selection", \
    }

/* Puts the `wanted` best of the minimal ports first, in the selection's order. */
static inline void weft_minimal_rank(const weft_routing *routing, weft_minimal_port *ways,
                                     unsigned count, unsigned wanted, weft_random *random)
{
    const weft_selection_kind *selection = routing->selection;
    if (count > 1 && selection->rank)
        selection->rank(routing->selection_settings, ways, count, wanted, random);
}

/* Writes the `wanted` best minimal ports in the selection's order; returns their number. */
static inline unsigned weft_minimal_ways(const weft_routing *routing, uint32_t router,
                                         uint32_t route, unsigned wanted, weft_random *random,
                                         weft_minimal_port *out)
{
    const weft_topology *topology = routing->topology;
    unsigned count =
        topology->kind->minimal_ports(topology, router, route, WEFT_MINIMAL_PORTS_MAX, out);
    unsigned kept = wanted < count ? wanted : count;
    weft_minimal_rank(routing, out, count, kept, random);
    return kept;
}

#endif
