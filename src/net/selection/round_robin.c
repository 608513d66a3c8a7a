/* SPDX-License-Identifier: Apache-2.0 */
/* Ports in turn: the next message of a source begins one port further on. The choice does not
 * depend on what a router sent before, but on the packet's identity and its place alone. */
#include "net/selection.h"

static void rank(const void *settings, weft_minimal_port *ways, unsigned count, unsigned wanted,
                 weft_random *random)
{
    weft_minimal_port turned[WEFT_MINIMAL_PORTS_MAX];
    unsigned first = (weft_random_index(random) + weft_random_entity(random)) % count;
    (void)settings, (void)wanted;
    for (unsigned i = 0; i < count; i++)
        turned[i] = ways[(first + i) % count];
    for (unsigned i = 0; i < count; i++)
        ways[i] = turned[i];
}

const weft_selection_kind weft_selection_round_robin = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_selection_kind),
             .name = "round-robin",
             .brief = "all ports in turn, from message to message of a source"},
    .draws = true,
    .rank = rank,
};
