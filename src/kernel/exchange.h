/* SPDX-License-Identifier: Apache-2.0 */
/* The windows of blocks on the border between processes. */
#ifndef WEFT_KERNEL_EXCHANGE_H
#define WEFT_KERNEL_EXCHANGE_H

#include "kernel/block.h"

typedef struct weft_exchange weft_exchange;

/* The exchange of the blocks of this process. */
weft_exchange *weft_exchange_create(weft_block *blocks, const weft_engine_plan *plan);
void weft_exchange_destroy(weft_exchange *exchange);
/* After a sync point: begins to receive the messages of the windows up to the goal. */
void weft_exchange_begin(weft_exchange *exchange, uint64_t goal);
/* A block on the border has finished its window w. */
void weft_exchange_finished(weft_exchange *exchange, const weft_block *block, uint64_t w);
/* Sends messages that are ready and takes those that have come, unless another thread does. */
void weft_exchange_progress(weft_exchange *exchange, weft_engine_times *times);
/* Before a sync point, when all blocks have reached it: waits until no message is in flight. */
void weft_exchange_drain(weft_exchange *exchange, weft_engine_times *times);
/* The number of windows of peer i whose messages have come. */
const _Atomic uint64_t *weft_exchange_arrived(const weft_exchange *exchange, uint32_t peer);
/* The least of a number of every process; all call it at the same sync point. */
weft_time weft_exchange_least(weft_exchange *exchange, weft_time number);
int64_t weft_exchange_bytes(const weft_exchange *exchange);

#endif
