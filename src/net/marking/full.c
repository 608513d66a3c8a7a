/* SPDX-License-Identifier: Apache-2.0 */
/* A full buffer (Santos, Turner & Janakiraman, IEEE INFOCOM 2003): it blocks the router upstream,
 * so congestion spreads. */
#include "net/marking.h"

static bool congested(const weft_marking *marking, const weft_marking_buffer *buffer)
{
    (void)marking;
    return buffer->used + buffer->packet > buffer->capacity;
}

const weft_marking_kind weft_marking_full = {
    .base = {.abi = WEFT_ABI,
             .size = sizeof(weft_marking_kind),
             .name = "full",
             .brief = "when an input buffer has no room for another packet, all that wait for the "
                      "outputs of its packets"},
    .congested = congested,
};
