/* SPDX-License-Identifier: Apache-2.0 */
/* An allreduce in two rounds: block j of everybody to rank j, and its sum to all. */
#include "program/collective.h"

static uint32_t steps(const weft_collective *c, uint32_t rank)
{
    (void)rank;
    return 2 * (c->ranks - 1);
}

static void reduce(const weft_collective *c, uint32_t rank, uint32_t k, weft_collective_step *step)
{
    bool first = k < c->ranks - 1;
    int64_t way = (int64_t)(first ? k : k - (c->ranks - 1)) + 1;
    step->round = !first;
    step->to = weft_collective_shift(c, rank, way);
    step->from = weft_collective_shift(c, rank, -way);
    step->sent = (weft_blocks){first ? step->to : rank, 1};
    step->received = (weft_blocks){first ? rank : step->from, 1};
    step->sums = first;
}

static weft_collective_cost cost(const weft_collective *c)
{
    uint64_t others = c->ranks - 1;
    return (weft_collective_cost){2, 2 * others * (c->bytes / c->ranks), true};
}

const weft_collective_kind weft_collective_allreduce_direct = {
    .operation = WEFT_COLLECTIVE_ALLREDUCE,
    .algorithm = "direct",
    .brief = "blocks to the ranks that sum them, sums to all",
    .steps = steps,
    .step = reduce,
    .cost = cost,
};
