/* SPDX-License-Identifier: Apache-2.0 */
/* Bruck's algorithms: ⌈lg p⌉ steps for any number of ranks. */
#include "program/collective.h"

static uint32_t steps(const weft_collective *c, uint32_t rank)
{
    (void)rank;
    return weft_collective_log_up(c->ranks);
}

static void gather(const weft_collective *c, uint32_t rank, uint32_t k, weft_collective_step *step)
{
    uint32_t size = 1u << k, count = size < c->ranks - size ? size : c->ranks - size;
    step->to = weft_collective_shift(c, rank, -(int64_t)size);
    step->from = weft_collective_shift(c, rank, size);
    step->sent = (weft_blocks){rank, count};
    step->received = (weft_blocks){step->from, count};
}

/* Bytes of the blocks that a rank sends in step k: those whose way has bit k, and whose lower bits
 * have brought them here. */
static uint64_t sent_by(const weft_collective *c, uint32_t rank, uint32_t k)
{
    uint64_t bytes = 0;
    for (uint32_t way = 1u << k; way < c->ranks; way = (way + 1) | 1u << k) {
        uint32_t left = way & ~((1u << k) - 1);
        bytes += weft_collective_bytes(c, (weft_blocks){weft_collective_shift(c, rank, left), 1});
    }
    return bytes;
}

static void exchange(const weft_collective *c, uint32_t rank, uint32_t k,
                     weft_collective_step *step)
{
    uint32_t size = 1u << k;
    step->to = weft_collective_shift(c, rank, size);
    step->from = weft_collective_shift(c, rank, -(int64_t)size);
    step->send = sent_by(c, rank, k);
    step->receive = sent_by(c, step->from, k);
}

static bool carries(const weft_collective *c, uint32_t rank, uint32_t k, uint32_t source,
                    uint32_t destination)
{
    (void)rank;
    return (destination + c->ranks - source) % c->ranks >> k & 1;
}

const weft_collective_kind weft_collective_allgather_bruck = {
    .operation = WEFT_COLLECTIVE_ALLGATHER,
    .algorithm = "bruck",
    .brief = "blocks to distances 1, 2, 4, …; any ranks",
    .steps = steps,
    .step = gather,
};
const weft_collective_kind weft_collective_all_to_all_bruck = {
    .operation = WEFT_COLLECTIVE_ALL_TO_ALL,
    .algorithm = "bruck",
    .brief = "blocks travel 1, 2, 4, … by the bits of their way",
    .steps = steps,
    .step = exchange,
    .carries = carries,
};
