/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/router/common/wait_queue.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

#define ROOM_LEAST 8

bool weft_wait_queue_grow(weft_wait_queue *wait_queue)
{
    if (wait_queue->end < wait_queue->room)
        return false;
    if (wait_queue->waiting > wait_queue->room / 2 || wait_queue->room == 0) {
        assert(wait_queue->room <= UINT32_MAX / 2);
        wait_queue->room = wait_queue->room ? 2 * wait_queue->room : ROOM_LEAST;
        wait_queue->at = weft_realloc(wait_queue->at, wait_queue->room, sizeof *wait_queue->at);
        return false;
    }
    uint32_t kept = 0;
    for (uint32_t i = wait_queue->first; i < wait_queue->end; i++)
        if (wait_queue->at[i].outputs)
            wait_queue->at[kept++] = wait_queue->at[i];
    wait_queue->first = 0;
    wait_queue->end = kept;
    return true;
}

void weft_wait_queue_done(weft_wait_queue *wait_queue)
{
    free(wait_queue->at);
    *wait_queue = (weft_wait_queue){0};
}
