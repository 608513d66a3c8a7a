/* SPDX-License-Identifier: Apache-2.0 */
/* Packets that follow forwarding tables (internal to analysis/deadlock). */
#ifndef WEFT_ANALYSIS_DEADLOCK_BLOCK_H
#define WEFT_ANALYSIS_DEADLOCK_BLOCK_H

#include "analysis/deadlock/graph.h"

typedef struct weft_cdg_block weft_cdg_block;

/* True if packets of this class follow tables, so that many destinations can be examined at a
 * time. */
bool weft_cdg_block_suits(const weft_deadlock_question *question, uint32_t traffic_class);

weft_cdg_block *weft_cdg_block_create(const weft_deadlock_question *question,
                                      uint32_t traffic_class);
void weft_cdg_block_destroy(weft_cdg_block *block);

/* Examines all packets from edge routers to routers to … to + count − 1; count: at most
 * WEFT_TABLE_COLUMNS. Returns the equivalent number of steps, as a measure of time. */
uint64_t weft_cdg_block_look(weft_cdg_block *block, uint32_t to, uint32_t count);
/* True if a packet just examined takes this link (router × ports + port) and then port `next`;
 * *from, *to: its routers. */
bool weft_cdg_block_find(const weft_cdg_block *block, uint32_t link, uint32_t next, uint32_t *from,
                         uint32_t *to);
/* Adds the dependencies found to a graph. */
void weft_cdg_block_add(const weft_cdg_block *block, weft_cdg *graph);

#endif
