/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/watch/snapshot.h"

static bool power_of_two(uint64_t x)
{
    return x > 0 && (x & (x - 1)) == 0;
}

static bool due(const weft_snapshots *snapshots, uint64_t intervals)
{
    if (snapshots->fixed >= 0)
        return intervals == (uint64_t)snapshots->fixed;
    return power_of_two(intervals) || (intervals % 3 == 0 && power_of_two(intervals / 3));
}

int weft_snapshots_turn(weft_snapshots *snapshots, uint64_t intervals, weft_time now)
{
    if (!due(snapshots, intervals))
        return -1;
    snapshots->younger ^= 1;
    snapshots->since[snapshots->younger] = now;
    return (int)snapshots->younger;
}

static uint32_t used(const weft_snapshots *snapshots)
{
    return snapshots->fixed >= 0 ? snapshots->younger : snapshots->younger ^ 1;
}

weft_time weft_snapshots_since(const weft_snapshots *snapshots)
{
    return snapshots->since[used(snapshots)];
}

const int64_t *weft_snapshots_router(const weft_snapshots *snapshots, const weft_site *site,
                                     uint32_t router)
{
    return site->snapshots[used(snapshots)] +
           (size_t)router * snapshots->instance->platform.snapshot_words;
}
