/* SPDX-License-Identifier: Apache-2.0 */
/* A barrier of ⌈lg p⌉ steps, for any number of ranks. */
#include "program/collective.h"

static uint32_t one_block(const weft_collective *c)
{
    (void)c;
    return 1;
}

static uint32_t steps(const weft_collective *c, uint32_t rank)
{
    (void)rank;
    return weft_collective_log_up(c->ranks);
}

static void signal_next(const weft_collective *c, uint32_t rank, uint32_t k,
                        weft_collective_step *step)
{
    step->to = weft_collective_shift(c, rank, (int64_t)1 << k);
    step->from = weft_collective_shift(c, rank, -((int64_t)1 << k));
    step->sent = step->received = (weft_blocks){0, 1};
}

static weft_collective_cost cost(const weft_collective *c)
{
    uint64_t rounds = weft_collective_log_up(c->ranks);
    return (weft_collective_cost){rounds, rounds * c->bytes, true};
}

const weft_collective_kind weft_collective_barrier_dissemination = {
    .operation = WEFT_COLLECTIVE_BARRIER,
    .algorithm = "dissemination",
    .brief = "one byte to ranks at distances 1, 2, 4, …",
    .blocks = one_block,
    .steps = steps,
    .step = signal_next,
    .cost = cost,
};
