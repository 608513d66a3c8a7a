/* SPDX-License-Identifier: Apache-2.0 */
/* All minimal ports in the selection's order; the router takes the first idle one. With finite buffers there is
 * an escape path beside them (net/routing/common/escape.h). */
#include "net/routing.h"
#include "net/routing/common/escape.h"
#include "net/routing/common/minimal.h"

typedef struct settings {
    weft_minimal_settings minimal; /* first: weft_minimal_selection reads it */
    int64_t escape;
} settings;

static const weft_param params[] = {
    WEFT_MINIMAL_SELECTION(settings, minimal.selection),
    WEFT_ESCAPE_LANES(settings, escape),
    {.name = NULL},
};

static unsigned candidates(const weft_routing *routing, uint32_t router, uint32_t route,
                           weft_random *random, weft_way *out)
{
    return weft_minimal_ways(routing, router, route, WEFT_WAYS_MAX, random, out);
}

static weft_status share(weft_routing *routing, uint32_t lanes, weft_error *err)
{
    return weft_escape_share(routing, ((const settings *)routing->settings)->escape, lanes, err);
}

static unsigned hops(const weft_routing *routing, const weft_here *here, weft_random *random,
                     weft_hop *out)
{
    weft_way ways[WEFT_WAYS_MAX];
    const weft_topology *topology = routing->topology;
    unsigned most = WEFT_WAYS_MAX - weft_escape_one(routing);
    unsigned count = topology->kind->ways(topology, here->router, here->route, most, ways);
    weft_way first = ways[0];
    weft_minimal_rank(routing, ways, count, count, random);
    return weft_escape_put(routing, here->router, &first, ways, count, out);
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
    .minimal = true,
    .alike = true,
    .blind = true,
    .by_dimension = true,
};
