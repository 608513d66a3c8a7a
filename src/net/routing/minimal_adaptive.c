/* SPDX-License-Identifier: Apache-2.0 */
/* All minimal ports in the selection's order; the router takes the first idle one.
 *
 * With finite buffers (Duato 1993): the lowest lanes are an escape path in dimension order, with classes where
 * rings close, that cannot stop; all other lanes are open to every minimal port. A packet may use the escape
 * path whenever no open lane can take it and leave it at the next router, because it asks for both at every
 * hop; the class is therefore found at every hop anew. */
#include "net/lanes.h"
#include "net/minimal.h"
#include "net/routing.h"

typedef struct settings {
    weft_minimal_settings minimal; /* first: weft_minimal_selection reads it */
    int64_t escape;
} settings;

static const weft_param params[] = {
    WEFT_MINIMAL_SELECTION(settings, minimal.selection),
    {.name = "escape",
     .brief = "virtual channels set aside for the escape path, in routers that have them; none: as "
              "many as it needs, 2 where rings close, else 1",
     .type = WEFT_PARAM_INT,
     .offset = offsetof(settings, escape),
     .fallback = "none",
     .min = 1,
     .max = 15},
    {.name = NULL},
};

static unsigned candidates(const weft_routing *routing, uint32_t route, weft_random *random,
                           weft_way *out)
{
    return weft_minimal_ways(routing, route, WEFT_WAYS_MAX, random, out);
}

/* Lanes for the escape path. */
static weft_status escape_lanes(const weft_routing *routing, uint32_t *escape, weft_error *err)
{
    const weft_topology *topology = routing->topology;
    int64_t given = ((const settings *)routing->settings)->escape;
    uint32_t classes = topology->classes > 1 ? 2 : 1;
    *escape = given == WEFT_NONE_INT ? classes : (uint32_t)given;
    if (*escape % classes != 0)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "routing.escape must be even on a %s (packets that will pass the dateline "
                         "of a ring and those that will not use different ones), found %u",
                         topology->kind->base.name, *escape);
    return WEFT_OK;
}

static weft_status share(weft_routing *routing, uint32_t lanes, weft_error *err)
{
    uint32_t escape;
    WEFT_TRY(escape_lanes(routing, &escape, err));
    if (lanes <= escape)
        return weft_fail(err, WEFT_BAD_INPUT,
                         "router.vcs must be at least %u for routing minimal-adaptive here (%u for "
                         "the escape path and one that is open to all), found %u",
                         escape + 1, escape, lanes);
    WEFT_TRY(weft_lanes_share(routing, lanes, err));
    weft_lanes_divide(routing, escape);
    routing->plan.open = WEFT_LANES_OF(lanes) & (uint16_t)~WEFT_LANES_OF(escape);
    return WEFT_OK;
}

static unsigned hops(const weft_routing *routing, const weft_here *here, weft_random *random,
                     weft_hop *out)
{
    weft_way ways[WEFT_WAYS_MAX];
    const weft_topology *topology = routing->topology;
    unsigned count = topology->kind->ways(topology, here->route, WEFT_WAYS_MAX - 1, ways);
    weft_way first = ways[0];
    weft_minimal_rank(routing, ways, count, count, random);
    for (unsigned i = 0; i < count; i++)
        weft_lanes_put(&ways[i], routing->plan.open, &out[i]);
    weft_lanes_put(&first, weft_lanes_of(routing, here->router, &first), &out[count]);
    out[count].escape = 1;
    return count + 1;
}

const weft_routing_kind weft_routing_minimal_adaptive = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_routing_kind),
             .name = "minimal-adaptive",
             .brief = "every minimal port, the selection's favourite idle one first",
             .params = params,
             .settings_size = sizeof(settings)},
    .selection = weft_minimal_selection,
    .candidates = candidates,
    .ways_wanted = WEFT_WAYS_MAX,
    .share = share,
    .hops = hops,
    .stretch = 1.0,
};
