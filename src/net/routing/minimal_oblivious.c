/* SPDX-License-Identifier: Apache-2.0 */
/* The selection's first choice and no other, whether it is busy or not. */
#include "net/minimal.h"
#include "net/routing.h"

static unsigned candidates(const weft_routing *routing, uint32_t route, weft_random *random,
                           weft_way *out)
{
    return weft_minimal_ways(routing, route, 1, random, out);
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
    .stretch = 1.0,
};
