/* SPDX-License-Identifier: Apache-2.0 */
/* A new draw at every hop: the first steps of a Fisher–Yates shuffle. */
#include "net/selection.h"

static void rank(const void *settings, weft_minimal_port *ways, unsigned count, unsigned wanted,
                 weft_random *random)
{
    (void)settings;
    for (unsigned i = 0; i < wanted && i + 1 < count; i++) {
        unsigned j = i + weft_random_below(random, count - i);
        weft_minimal_port chosen = ways[j];
        ways[j] = ways[i];
        ways[i] = chosen;
    }
}

const weft_selection_kind weft_selection_random = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_selection_kind),
             .name = "random",
             .brief = "all ports equally likely"},
    .draws = true,
    .rank = rank,
};
