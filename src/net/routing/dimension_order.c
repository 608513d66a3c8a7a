/* SPDX-License-Identifier: Apache-2.0 */
/* The first dimension that is not done, one port. On closed rings the lanes of a router are of two classes,
 * before the dateline and past it. */
#include "net/lanes.h"
#include "net/routing.h"
#include "net/selection.h"

enum { ON_ENTRY, PER_HOP };
static const char *const datelines[] = {"on-entry", "per-hop", NULL};

typedef struct settings {
    int dateline;
} settings;

static const weft_param params[] = {
    {.name = "dateline",
     .brief = "when a packet's class of lanes on a ring is found: once, or at every hop again",
     .type = WEFT_PARAM_CHOICE,
     .offset = offsetof(settings, dateline),
     .fallback = "on-entry",
     .choices = datelines},
    {.name = NULL},
};

static bool kept(const weft_routing *routing)
{
    return ((const settings *)routing->settings)->dateline == ON_ENTRY;
}

static weft_kind_ref selection(const void *set)
{
    (void)set;
    return (weft_kind_ref){.kind = &weft_selection_dimension_order.base};
}

static unsigned candidates(const weft_routing *routing, uint32_t route, weft_random *random,
                           weft_way *out)
{
    (void)random;
    return routing->topology->kind->ways(routing->topology, route, 1, out);
}

static weft_status share(weft_routing *routing, uint32_t lanes, weft_error *err)
{
    return kept(routing) ? weft_lanes_share_kept(routing, lanes, err)
                         : weft_lanes_share(routing, lanes, err);
}

static unsigned hops(const weft_routing *routing, const weft_here *here, weft_random *random,
                     weft_hop *out)
{
    (void)random;
    return weft_lanes_next(routing, here, kept(routing), out);
}

const weft_routing_kind weft_routing_dimension_order = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_routing_kind),
             .name = "dimension-order",
             .brief = "dimension by dimension, the lowest first",
             .params = params,
             .settings_size = sizeof(settings)},
    .selection = selection,
    .candidates = candidates,
    .ways_wanted = 1,
    .share = share,
    .hops = hops,
    .stretch = 1.0,
};
