/* SPDX-License-Identifier: Apache-2.0 */
/* The router kinds know; what is said here holds for all of them. */
#include "sim/buffering.h"

#include "sim/platform.h"

void weft_buffering_look(weft_buffering *buffering, const weft_platform *platform)
{
    *buffering = (weft_buffering){.hop = platform->router->lookahead(platform)};
    if (platform->router->estimate.buffering)
        platform->router->estimate.buffering(platform, buffering);
}

size_t weft_buffering_extras(const weft_platform *platform, weft_extra extras[WEFT_EXTRAS_MAX])
{
    size_t count =
        platform->router->estimate.extras ? platform->router->estimate.extras(platform, extras) : 0;
    weft_platform without = *platform;
    without.count_links = false;
    extras[count] = (weft_extra){"counts of links",
                                 weft_platform_bytes(platform) - weft_platform_bytes(&without)};
    count += extras[count].bytes != 0;
    without = *platform;
    without.devices = WEFT_DEVICES_OFF;
    extras[count] = (weft_extra){"counters of ports",
                                 weft_platform_bytes(platform) - weft_platform_bytes(&without)};
    return count + (extras[count].bytes != 0);
}
