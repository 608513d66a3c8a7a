/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/watch/watch.h"

#include "sim/watch/devicewatch.h"
#include "sim/watch/linkwatch.h"

uint32_t weft_watch_words(const weft_platform *platform)
{
    return weft_linkwatch_words(platform) + weft_devicewatch_words(platform);
}

void weft_watch_look(weft_snapshots *snapshots, uint64_t intervals, weft_time now)
{
    const weft_instance *instance = snapshots->instance;
    size_t words = instance->platform.snapshot_words;
    uint32_t links = weft_linkwatch_words(&instance->platform);
    int turn = weft_snapshots_turn(snapshots, intervals, now);
    if (turn < 0 || words == 0)
        return;
    for (uint32_t i = 0; i < instance->n_sites; i++) {
        const weft_site *site = &instance->sites[i];
        int64_t *router = site->snapshots[turn];
        for (uint32_t r = 0; r < site->routers; r++, router += words) {
            weft_linkwatch_note(site, r, now, router);
            weft_devicewatch_note(site, r, now, router + links);
        }
    }
}
