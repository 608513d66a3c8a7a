/* SPDX-License-Identifier: Apache-2.0 */
/* Packets that follow forwarding tables (inside of net/deadlock). */
#ifndef WEFT_ANALYSIS_DEADLOCK_BLOCK_H
#define WEFT_ANALYSIS_DEADLOCK_BLOCK_H

#include "analysis/deadlock/graph.h"

typedef struct weft_cdg_block weft_cdg_block;

/* Do packets of this flow follow tables, so that destinations can be looked at many at a time? */
bool weft_cdg_block_suits(const weft_deadlock_question *question, uint32_t traffic_class);

weft_cdg_block *weft_cdg_block_create(const weft_deadlock_question *question,
                                      uint32_t traffic_class);
void weft_cdg_block_destroy(weft_cdg_block *block);

/* All packets from homes to routers to … to + count − 1, at most WEFT_TABLE_COLUMNS. Returns the
 * steps that took the time of. */
uint64_t weft_cdg_block_look(weft_cdg_block *block, uint32_t to, uint32_t count);
/* Of those just looked at: is there a packet that goes by this link (router × ports + port) and
 * then by port `next`? Who it is. */
bool weft_cdg_block_find(const weft_cdg_block *block, uint32_t link, uint32_t next, uint32_t *from,
                         uint32_t *to);
/* Adds what was found to a graph. */
void weft_cdg_block_add(const weft_cdg_block *block, weft_cdg *graph);

#endif
