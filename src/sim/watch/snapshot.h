/* SPDX-License-Identifier: Apache-2.0 */
/* Snapshots of counters, so that links, devices and sources are measured after the warm-up.
 *
 * The length of the warm-up is known only at the end. A snapshot is therefore taken whenever the
 * number of intervals is 1, 2, 3, 4, 6, 8, 12, … (2^k and 3 · 2^k), and the last two are kept. The
 * end is compared with the older one: it lies in the second half of the run, which no accepted
 * warm-up reaches, and leaves at least the last quarter. With a fixed warm-up there is one, taken
 * at its end. */
#ifndef WEFT_SIM_WATCH_SNAPSHOT_H
#define WEFT_SIM_WATCH_SNAPSHOT_H

#include "sim/platform.h"

typedef struct weft_snapshots {
    const weft_instance *instance;
    int64_t fixed;      /* intervals of a fixed warm-up; −1: detected */
    weft_time since[2]; /* when they were taken; 0: at the start, where all counters are 0 */
    uint32_t younger;
} weft_snapshots;

/* Called before every interval: where the snapshot that is due goes, 0 or 1; −1: none is due. */
int weft_snapshots_turn(weft_snapshots *snapshots, uint64_t intervals, weft_time now);
/* When the one was taken that the end is compared with. */
weft_time weft_snapshots_since(const weft_snapshots *snapshots);
/* That of a router in it. */
const int64_t *weft_snapshots_router(const weft_snapshots *snapshots, const weft_site *site,
                                     uint32_t router);

#endif
