/* SPDX-License-Identifier: Apache-2.0 */
/* Everything that snapshots watch: links, devices, sources. */
#ifndef WEFT_SIM_WATCH_WATCH_H
#define WEFT_SIM_WATCH_WATCH_H

#include "sim/watch/snapshot.h"

/* Numbers in the snapshot of one router: links, then devices, then sources. */
uint32_t weft_watch_words(const weft_platform *platform);
/* Called before every interval: takes a snapshot of this process if one is due. */
void weft_watch_look(weft_snapshots *snapshots, uint64_t intervals, weft_time now);

#endif
