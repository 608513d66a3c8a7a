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

/* Blocks that travel in step k are those whose way, less than the number of ranks, has bit k; what
 * their lower bits leave of it is an odd multiple of 2^k. Of these the number with less than `end`
 * left. */
static uint64_t ways_before(const weft_collective *c, uint32_t k, uint64_t end)
{
    uint64_t size = (uint64_t)1 << k, before = end < c->ranks ? end : c->ranks;
    uint64_t multiples = (before + size - 1) / size / 2; /* 1, 3, 5, … times 2^k */
    uint64_t last = 2 * multiples * size;                /* where the ways of the last one end */
    return multiples * size - (last > c->ranks ? last - c->ranks : 0);
}

/* Bytes that a rank sends in step k. Blocks with `left` to go are for rank + left; the first
 * blocks, bytes mod ranks of them, have one byte more. */
static uint64_t sent_by(const weft_collective *c, uint32_t rank, uint32_t k)
{
    uint64_t longer = c->bytes % c->ranks, wrap = c->ranks - rank;
    uint64_t extra = ways_before(c, k, wrap + longer) - ways_before(c, k, wrap);
    if (rank < longer)
        extra += ways_before(c, k, longer - rank);
    return c->bytes / c->ranks * ways_before(c, k, c->ranks) + extra;
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

static weft_collective_cost gather_cost(const weft_collective *c)
{
    uint64_t others = c->ranks - 1;
    return (weft_collective_cost){weft_collective_log_up(c->ranks), others * (c->bytes / c->ranks),
                                  true};
}

static weft_collective_cost exchange_cost(const weft_collective *c)
{
    weft_collective_cost cost = {.rounds = weft_collective_log_up(c->ranks), .repeats = true};
    for (uint32_t k = 0; k < cost.rounds; k++)
        cost.bytes += ways_before(c, k, c->ranks) * (c->bytes / c->ranks);
    return cost;
}

const weft_collective_kind weft_collective_allgather_bruck = {
    .operation = WEFT_COLLECTIVE_ALLGATHER,
    .algorithm = "bruck",
    .brief = "blocks to distances 1, 2, 4, …; any ranks",
    .steps = steps,
    .step = gather,
    .cost = gather_cost,
};
const weft_collective_kind weft_collective_all_to_all_bruck = {
    .operation = WEFT_COLLECTIVE_ALL_TO_ALL,
    .algorithm = "bruck",
    .brief = "blocks travel 1, 2, 4, … by the bits of their way",
    .steps = steps,
    .step = exchange,
    .cost = exchange_cost,
    .carries = carries,
};
