/* SPDX-License-Identifier: Apache-2.0 */
/* Rabenseifner's allreduce: a reduce-scatter by halving and an allgather by doubling, with the same
 * partners in reverse. Far partners first: distances p/2, p/4, …, 1 (Thakur, Rabenseifner and
 * Gropp); near first: 1, 2, …, p/2, as in MPICH and Open MPI. In each halving a rank keeps the
 * upper half of its blocks if the bit in which its partner differs is set. */
#include "program/collective/common/paired.h"
#include "program/collective.h"

static uint32_t blocks(const weft_collective *c)
{
    return 1u << weft_collective_log(c->ranks);
}

static uint32_t steps(const weft_collective *c, uint32_t rank)
{
    return weft_paired_steps(c, rank, 2 * weft_collective_log(c->ranks));
}

/* The bit in which the partners of halving i differ. */
static uint32_t bit_of(const weft_collective *c, uint32_t i, bool near)
{
    return near ? i : weft_collective_log(c->ranks) - 1 - i;
}

/* The blocks that a rank keeps after `halvings`. */
static weft_blocks kept(const weft_collective *c, uint32_t inside, uint32_t halvings, bool near)
{
    weft_blocks range = {0, blocks(c)};
    for (uint32_t i = 0; i < halvings; i++) {
        range.count /= 2;
        range.first += (inside >> bit_of(c, i, near) & 1) * range.count;
    }
    return range;
}

static void reduce(const weft_collective *c, uint32_t rank, uint32_t k, bool near,
                   weft_collective_step *step)
{
    uint32_t halvings = weft_collective_log(c->ranks);
    step->sent = step->received = (weft_blocks){0, blocks(c)};
    if (weft_paired_step(c, rank, 2 * halvings, &k, step))
        return;
    bool halves = k < halvings;
    uint32_t i = halves ? k : 2 * halvings - 1 - k, inside = weft_paired_inside(c, rank);
    uint32_t partner = inside ^ 1u << bit_of(c, i, near);
    weft_blocks mine = kept(c, inside, i + 1, near), its = kept(c, partner, i + 1, near);
    step->to = step->from = weft_paired_outside(c, partner);
    step->sent = halves ? its : mine;
    step->received = halves ? mine : its;
    step->sums = halves;
}

static uint32_t received_in(const weft_collective *c, uint32_t rank, uint32_t k)
{
    return weft_paired_received_in(c, rank, 2 * weft_collective_log(c->ranks), k);
}

static void far_first(const weft_collective *c, uint32_t rank, uint32_t k,
                      weft_collective_step *step)
{
    reduce(c, rank, k, false, step);
}

static void near_first(const weft_collective *c, uint32_t rank, uint32_t k,
                       weft_collective_step *step)
{
    reduce(c, rank, k, true, step);
}

static weft_collective_cost cost(const weft_collective *c)
{
    uint64_t count = blocks(c), folds = weft_paired_rest(c) > 0 ? 2 : 0;
    return (weft_collective_cost){2 * weft_collective_log(c->ranks) + folds,
                                  2 * (count - 1) * (c->bytes / count) + folds * c->bytes, true};
}

const weft_collective_kind weft_collective_allreduce_rabenseifner = {
    .operation = WEFT_COLLECTIVE_ALLREDUCE,
    .algorithm = "rabenseifner",
    .brief = "halving, then doubling; far partners first",
    .blocks = blocks,
    .steps = steps,
    .step = far_first,
    .cost = cost,
    .received_in = received_in,
};
const weft_collective_kind weft_collective_allreduce_rabenseifner_near = {
    .operation = WEFT_COLLECTIVE_ALLREDUCE,
    .algorithm = "rabenseifner-near",
    .brief = "the same, near partners first (MPICH, Open MPI)",
    .blocks = blocks,
    .steps = steps,
    .step = near_first,
    .cost = cost,
    .received_in = received_in,
};
