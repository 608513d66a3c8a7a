/* SPDX-License-Identifier: Apache-2.0 */
/* All-to-all with every block on its own: in steps of pairs, or all at once. */
#include "program/collective.h"

static uint32_t steps(const weft_collective *c, uint32_t rank)
{
    (void)rank;
    return c->ranks - 1;
}

/* Partners of step k: by exclusive or if the ranks are a power of two. */
static void partners(const weft_collective *c, uint32_t rank, uint32_t k, uint32_t *to,
                     uint32_t *from)
{
    bool power = (c->ranks & (c->ranks - 1)) == 0;
    *to = power ? rank ^ (k + 1) : weft_collective_shift(c, rank, (int64_t)k + 1);
    *from = power ? *to : weft_collective_shift(c, rank, -(int64_t)k - 1);
}

static void fill(const weft_collective *c, uint32_t rank, weft_collective_step *step)
{
    step->send = weft_collective_bytes(c, (weft_blocks){step->to, 1});
    step->receive = weft_collective_bytes(c, (weft_blocks){rank, 1});
}

static void pairs(const weft_collective *c, uint32_t rank, uint32_t k, weft_collective_step *step)
{
    partners(c, rank, k, &step->to, &step->from);
    fill(c, rank, step);
}

static bool pair_carries(const weft_collective *c, uint32_t rank, uint32_t k, uint32_t source,
                         uint32_t destination)
{
    uint32_t to, from;
    partners(c, rank, k, &to, &from);
    return source == rank && destination == to;
}

static void at_once(const weft_collective *c, uint32_t rank, uint32_t k, weft_collective_step *step)
{
    step->round = 0;
    step->to = weft_collective_shift(c, rank, (int64_t)k + 1);
    step->from = weft_collective_shift(c, rank, -(int64_t)k - 1);
    fill(c, rank, step);
}

static bool once_carries(const weft_collective *c, uint32_t rank, uint32_t k, uint32_t source,
                         uint32_t destination)
{
    return source == rank && destination == weft_collective_shift(c, rank, (int64_t)k + 1);
}

static weft_collective_cost pairs_cost(const weft_collective *c)
{
    uint64_t rounds = c->ranks - 1;
    return (weft_collective_cost){rounds, rounds * (c->bytes / c->ranks), true};
}

/* All leave by one link, and the last of them has to arrive. */
static weft_collective_cost at_once_cost(const weft_collective *c)
{
    uint64_t others = c->ranks - 1;
    return (weft_collective_cost){others > 0, others * (c->bytes / c->ranks), true};
}

const weft_collective_kind weft_collective_all_to_all_pairwise = {
    .operation = WEFT_COLLECTIVE_ALL_TO_ALL,
    .algorithm = "pairwise",
    .brief = "one partner after the other",
    .steps = steps,
    .step = pairs,
    .cost = pairs_cost,
    .carries = pair_carries,
};
const weft_collective_kind weft_collective_all_to_all_linear = {
    .operation = WEFT_COLLECTIVE_ALL_TO_ALL,
    .algorithm = "linear",
    .brief = "all messages at once",
    .steps = steps,
    .step = at_once,
    .cost = at_once_cost,
    .carries = once_carries,
};
