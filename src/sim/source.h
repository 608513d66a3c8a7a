/* SPDX-License-Identifier: Apache-2.0 */
/* Endpoints' sources. Message i of a source is a pure function of (seed, source, i), so a source is
 * a cursor and a waiting message costs nothing; a packet exists only once its head can move. */
#ifndef WEFT_SIM_SOURCE_H
#define WEFT_SIM_SOURCE_H

#include "sim/site.h"

void weft_sources_open(weft_site *site);
void weft_sources_close(weft_site *site);
/* Bytes of one router's sources. */
int64_t weft_sources_bytes(const weft_fabric *fabric);
/* Arms every source for its first message. */
void weft_sources_start(weft_site *site, weft_block *block);
/* The kernel's timer: emits a WEFT_WAKE event for the exact tick. */
void weft_sources_timer(weft_site *site, weft_block *block, uint32_t source, weft_time now);

/* Has the head message arrived? */
static inline bool weft_sources_due(const weft_site *site, uint32_t source, weft_time now)
{
    return site->head[source].live && weft_moment_tick(site->head[source].at) <= now;
}

/* Materialises the head message, which is due, and moves the cursor on; packet's when, to and kind are
 * left alone. */
void weft_sources_take(weft_site *site, uint32_t source, weft_event *packet);
/* Arms the source for its next message, which lies after `now`. */
void weft_sources_arm(weft_site *site, weft_block *block, uint32_t source, weft_time now);

/* With injection ports: counts every message that has arrived before `now` (the end of an interval)
 * although no packet has been made of it yet; returns how many wait. */
int64_t weft_sources_count(weft_site *site, weft_time now);

#endif
