/* SPDX-License-Identifier: Apache-2.0 */
/* Utilisation of every link over a span that begins after the warm-up (snapshot.h). Each process
 * counts its own links; at the end rank 0 collects those of the report. */
#ifndef WEFT_SIM_WATCH_LINKWATCH_H
#define WEFT_SIM_WATCH_LINKWATCH_H

#include "sim/simulation.h"
#include "sim/watch/snapshot.h"

/* Numbers in the snapshot of one router: its links' busy ticks. */
uint32_t weft_linkwatch_words(const weft_platform *platform);
/* The snapshot of one router. */
void weft_linkwatch_note(const weft_site *site, uint32_t router, weft_time now, int64_t *busy);
/* What a link has carried in a span, from the difference of its busy ticks. A router that hands a
 * link to a packet before it has stored it takes the time until then for busy, too: such a reading
 * may be some ticks of a packet behind, and the difference below 0 or above the span. */
static inline int64_t weft_linkwatch_carried(int64_t busy, weft_time span)
{
    return busy < 0 ? 0 : busy > span ? span : busy;
}
/* True if the results list every link: always with links: all, in small networks with a summary. */
bool weft_linkwatch_lists_all(const weft_network *network);
/* By all ranks (comm NULL: alone) together; on rank 0 *links is filled, its list malloc'ed. */
void weft_linkwatch_collect(const weft_snapshots *before, weft_comm *comm, bool all, weft_time now,
                            weft_link_loads *links);

#endif
