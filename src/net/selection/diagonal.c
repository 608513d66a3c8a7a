/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the packet's candidates as many as possible for as long as possible (Badr and Podar's
 * zig-zag). */
#include "net/selection.h"

static void rank(const void *settings, weft_minimal_port *ways, unsigned count, unsigned wanted,
                 weft_random *random)
{
    (void)settings, (void)random;
    for (unsigned i = 0; i < wanted && i + 1 < count; i++) {
        unsigned best = i;
        for (unsigned j = i + 1; j < count; j++)
            if (ways[j].hops > ways[best].hops)
                best = j;
        weft_minimal_port chosen = ways[best];
        for (unsigned j = best; j > i; j--) /* stable: the others keep their order */
            ways[j] = ways[j - 1];
        ways[i] = chosen;
    }
}

const weft_selection_kind weft_selection_diagonal = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_selection_kind),
             .name = "diagonal",
             .brief = "the dimension with the most hops left first, the lower one on ties"},
    .rank = rank,
};
