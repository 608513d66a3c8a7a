/* SPDX-License-Identifier: Apache-2.0 */
/* A new draw at every hop, in which a port is weighted by its hops left: a packet stays near the
 * diagonal, and all its shortest paths on a mesh are equally likely. */
#include "net/selection.h"

static void rank(const void *settings, weft_minimal_port *ways, unsigned count, unsigned wanted,
                 weft_random *random)
{
    uint32_t left = 0;
    (void)settings;
    for (unsigned i = 0; i < count; i++)
        left += ways[i].hops;
    for (unsigned i = 0; i < wanted && i + 1 < count; i++) {
        uint32_t drawn = weft_random_below(random, left);
        unsigned j = i;
        for (; drawn >= ways[j].hops; j++)
            drawn -= ways[j].hops;
        weft_minimal_port chosen = ways[j];
        ways[j] = ways[i];
        ways[i] = chosen;
        left -= chosen.hops;
    }
}

const weft_selection_kind weft_selection_proportional = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_selection_kind),
             .name = "proportional",
             .brief = "at random, as likely as there are hops left"},
    .draws = true,
    .rank = rank,
};
