/* SPDX-License-Identifier: Apache-2.0 */
/* All minimal ports in the selection's order; the router takes the first idle one. */
#include "net/minimal.h"
#include "net/routing.h"

static unsigned candidates(const weft_routing *routing, uint32_t route, weft_random *random,
                           weft_way *out)
{
    return weft_minimal_ways(routing, route, WEFT_WAYS_MAX, random, out);
}

const weft_routing_kind weft_routing_minimal_adaptive = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_routing_kind),
             .name = "minimal-adaptive",
             .brief = "every minimal port, the selection's favourite idle one first",
             .params = weft_minimal_params,
             .settings_size = sizeof(weft_minimal_settings)},
    .selection = weft_minimal_selection,
    .candidates = candidates,
    .ways_wanted = WEFT_WAYS_MAX,
    .stretch = 1.0,
};
