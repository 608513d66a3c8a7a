/* SPDX-License-Identifier: Apache-2.0 */
/* The windows of blocks on the border between processes. */
#ifndef WEFT_KERNEL_EXCHANGE_H
#define WEFT_KERNEL_EXCHANGE_H

#include "kernel/block.h"

typedef struct weft_exchange weft_exchange;

/* Of the blocks of this process. */
weft_exchange *weft_exchange_create(weft_block *blocks, const weft_engine_plan *plan);
void weft_exchange_destroy(weft_exchange *exchange);
/* After a sync point: the messages of the coming windows, up to the goal, may come. */
void weft_exchange_begin(weft_exchange *exchange, uint64_t goal);
/* A block on the border has finished its window w. */
void weft_exchange_finished(weft_exchange *exchange, const weft_block *block, uint64_t w);
/* Sends what is ready and takes what has come, unless another thread is at it. */
void weft_exchange_progress(weft_exchange *exchange, weft_engine_times *times);
/* Before a sync point, when all blocks are there: until nothing is under way. */
void weft_exchange_settle(weft_exchange *exchange, weft_engine_times *times);
/* The counter that says up to which window the messages of peer i have come. */
const _Atomic uint64_t *weft_exchange_arrived(const weft_exchange *exchange, uint32_t peer);
int64_t weft_exchange_bytes(const weft_exchange *exchange);

#endif
