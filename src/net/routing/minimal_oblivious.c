/* SPDX-License-Identifier: Apache-2.0 */
/* The selection's first choice and no other, whether it is busy or not. With finite buffers only dimension order is
 * safe: other choices can close a circle of packets that wait for each other in any class of lanes, unless the links of
 * a network come in an order that every way follows. */
#include "net/routing.h"
#include "net/routing/common/lanes.h"
#include "net/routing/common/minimal.h"

static unsigned candidates(const weft_routing *routing, uint32_t router, uint32_t route,
                           weft_random *random, weft_way *out)
{
    return weft_minimal_ways(routing, router, route, 1, random, out);
}

static weft_status share(weft_routing *routing, uint32_t lanes, weft_error *err)
{
    if (routing->selection->rank && routing->topology->acyclic)
        return weft_lanes_share(routing, lanes, err);
    if (routing->selection->rank)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "routing.selection %s can deadlock in routers with finite buffers: use "
                         "dimension-order, or routing minimal-adaptive, whose escape path makes "
                         "every selection safe",
                         routing->selection->base.name);
    return weft_lanes_share(routing, lanes, err);
}

static unsigned hops(const weft_routing *routing, const weft_here *here, weft_random *random,
                     weft_hop *out)
{
    if (!routing->selection->rank)
        return weft_lanes_next(routing, here, true, out);
    weft_way ways[WEFT_WAYS_MAX];
    (void)weft_minimal_ways(routing, here->router, here->route, 1, random, ways);
    weft_lanes_put(ways, WEFT_LANES_OF(routing->plan.lanes), out);
    return 1;
}

const weft_routing_kind weft_routing_minimal_oblivious = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_routing_kind),
             .name = "minimal-oblivious",
             .brief = "one minimal port, chosen without looking at the network",
             .params = weft_minimal_params,
             .settings_size = sizeof(weft_minimal_settings)},
    .selection = weft_minimal_selection,
    .candidates = candidates,
    .ways_wanted = 1,
    .share = share,
    .hops = hops,
    .minimal = true,
    .alike = true,
    .by_dimension = true,
};
