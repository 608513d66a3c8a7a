/* SPDX-License-Identifier: Apache-2.0 */
/* The router kinds know; what is said here holds for all of them. */
#include "sim/buffering.h"

#include "sim/fabric.h"

void weft_buffering_look(weft_buffering *buffering, const weft_fabric *fabric)
{
    *buffering = (weft_buffering){.hop = fabric->router->lookahead(fabric)};
    if (fabric->router->buffering)
        fabric->router->buffering(fabric, buffering);
}

size_t weft_buffering_extras(const weft_fabric *fabric, weft_extra extras[WEFT_EXTRAS_MAX])
{
    size_t count = fabric->router->extras ? fabric->router->extras(fabric, extras) : 0;
    weft_fabric without = *fabric;
    without.count_links = false;
    extras[count] =
        (weft_extra){"counts of links", weft_fabric_bytes(fabric) - weft_fabric_bytes(&without)};
    count += extras[count].bytes != 0;
    without = *fabric;
    without.devices = WEFT_DEVICES_OFF;
    extras[count] =
        (weft_extra){"gauges of ports", weft_fabric_bytes(fabric) - weft_fabric_bytes(&without)};
    return count + (extras[count].bytes != 0);
}
