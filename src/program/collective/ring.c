/* SPDX-License-Identifier: Apache-2.0 */
/* Rings: a block goes to the next rank in every step. A reduce-scatter leaves rank r with the sum
 * of block r + 1; an allgather begins there. */
#include "program/collective.h"

static uint32_t once(const weft_collective *c, uint32_t rank)
{
    (void)rank;
    return c->ranks - 1;
}

static uint32_t twice(const weft_collective *c, uint32_t rank)
{
    return 2 * once(c, rank);
}

/* ahead: of the first block that is sent, from the rank's own. */
static void pass_on(const weft_collective *c, uint32_t rank, uint32_t k, int ahead,
                    weft_collective_step *step)
{
    step->to = weft_collective_shift(c, rank, 1);
    step->from = weft_collective_shift(c, rank, -1);
    step->sent = (weft_blocks){weft_collective_shift(c, rank, (int64_t)ahead - k), 1};
    step->received = (weft_blocks){weft_collective_shift(c, rank, (int64_t)ahead - 1 - k), 1};
}

static void scatter(const weft_collective *c, uint32_t rank, uint32_t k, weft_collective_step *step)
{
    pass_on(c, rank, k, 0, step);
    step->sums = true;
}

static void gather(const weft_collective *c, uint32_t rank, uint32_t k, weft_collective_step *step)
{
    pass_on(c, rank, k, 0, step);
}

static void reduce(const weft_collective *c, uint32_t rank, uint32_t k, weft_collective_step *step)
{
    if (k < c->ranks - 1)
        scatter(c, rank, k, step);
    else
        pass_on(c, rank, k - (c->ranks - 1), 1, step);
}

static weft_collective_cost cost_once(const weft_collective *c)
{
    uint64_t rounds = c->ranks - 1;
    return (weft_collective_cost){rounds, rounds * (c->bytes / c->ranks), true};
}

static weft_collective_cost cost_twice(const weft_collective *c)
{
    weft_collective_cost once = cost_once(c);
    return (weft_collective_cost){2 * once.rounds, 2 * once.bytes, true};
}

const weft_collective_kind weft_collective_allreduce_ring = {
    .operation = WEFT_COLLECTIVE_ALLREDUCE,
    .algorithm = "ring",
    .brief = "a reduce-scatter and an allgather around a ring",
    .steps = twice,
    .step = reduce,
    .cost = cost_twice,
};
const weft_collective_kind weft_collective_reduce_scatter_ring = {
    .operation = WEFT_COLLECTIVE_REDUCE_SCATTER,
    .algorithm = "ring",
    .brief = "sums of blocks travel around a ring",
    .steps = once,
    .step = scatter,
    .cost = cost_once,
};
const weft_collective_kind weft_collective_allgather_ring = {
    .operation = WEFT_COLLECTIVE_ALLGATHER,
    .algorithm = "ring",
    .brief = "blocks travel around a ring",
    .steps = once,
    .step = gather,
    .cost = cost_once,
};
