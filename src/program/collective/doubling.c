/* SPDX-License-Identifier: Apache-2.0 */
/* Recursive doubling: in step k partners at distance 2^k exchange all they have. */
#include "program/collective/common/paired.h"
#include "program/collective.h"

static uint32_t one_block(const weft_collective *c)
{
    (void)c;
    return 1;
}

static uint32_t reduce_steps(const weft_collective *c, uint32_t rank)
{
    return weft_paired_steps(c, rank, weft_collective_log(c->ranks));
}

static void reduce(const weft_collective *c, uint32_t rank, uint32_t k, weft_collective_step *step)
{
    uint32_t inner = weft_collective_log(c->ranks);
    step->sent = step->received = (weft_blocks){0, 1};
    if (weft_paired_step(c, rank, inner, &k, step))
        return;
    uint32_t partner = weft_paired_outside(c, weft_paired_inside(c, rank) ^ 1u << k);
    step->to = step->from = partner;
    step->sums = true;
}

static uint32_t received_in(const weft_collective *c, uint32_t rank, uint32_t k)
{
    return weft_paired_received_in(c, rank, weft_collective_log(c->ranks), k);
}

static uint32_t gather_steps(const weft_collective *c, uint32_t rank)
{
    (void)rank;
    return weft_collective_log(c->ranks);
}

static void gather(const weft_collective *c, uint32_t rank, uint32_t k, weft_collective_step *step)
{
    (void)c;
    uint32_t size = 1u << k, partner = rank ^ size;
    step->to = step->from = partner;
    step->sent = (weft_blocks){rank & ~(size - 1), size};
    step->received = (weft_blocks){partner & ~(size - 1), size};
}

/* The giving of the fold goes on while others exchange already: the vector of a rank that gives is
 * at the last of the others after so many messages, and no chain of more is sure. */
static weft_collective_cost reduce_cost(const weft_collective *c)
{
    bool folds = weft_paired_rest(c) > 0;
    uint64_t rounds = weft_collective_log(c->ranks) + folds;
    return (weft_collective_cost){rounds, rounds * c->bytes, !folds};
}

static weft_collective_cost gather_cost(const weft_collective *c)
{
    uint64_t others = c->ranks - 1;
    return (weft_collective_cost){weft_collective_log(c->ranks), others * (c->bytes / c->ranks),
                                  true};
}

const weft_collective_kind weft_collective_allreduce_recursive_doubling = {
    .operation = WEFT_COLLECTIVE_ALLREDUCE,
    .algorithm = "recursive-doubling",
    .brief = "the vector exchanged at distances 1, 2, 4, …",
    .blocks = one_block,
    .steps = reduce_steps,
    .step = reduce,
    .cost = reduce_cost,
    .received_in = received_in,
};
const weft_collective_kind weft_collective_allgather_recursive_doubling = {
    .operation = WEFT_COLLECTIVE_ALLGATHER,
    .algorithm = "recursive-doubling",
    .brief = "blocks at distances 1, 2, 4, …; 2^k ranks",
    .powers = true,
    .steps = gather_steps,
    .step = gather,
    .cost = gather_cost,
};
const weft_collective_kind weft_collective_barrier_recursive_doubling = {
    .operation = WEFT_COLLECTIVE_BARRIER,
    .algorithm = "recursive-doubling",
    .brief = "one byte exchanged at distances 1, 2, 4, …",
    .blocks = one_block,
    .steps = reduce_steps,
    .step = reduce,
    .cost = reduce_cost,
    .received_in = received_in,
};
